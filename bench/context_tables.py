"""Writes what contexts save and keep as a part of the page of figures."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

HEADING = "## Contexts"

LEAST_SAVED = 0.60
LEAST_KEPT = 0.95
LEAST_SAME = 0.70
SMALL_TURN = 0.02
"""Only where a turn is at most so much of its window most of a request can stay as it was."""


class Saved(NamedTuple):
    """Prompt tokens of all requests of some dialogues."""

    name: str
    window_tokens: int
    dialogues: int
    turns: int
    full_tokens: int
    sent_tokens: int
    has_aim: bool

    @property
    def share(self) -> float:
        """How much fewer tokens are sent."""
        return 1 - self.sent_tokens / self.full_tokens


@dataclass
class Kept:
    """Gold values of one strategy: those of the dialogue at hand, and of all that were joined."""

    window_tokens: int
    strategy: str
    requests: int = 0
    tokens: int = 0
    here: int = 0
    here_kept: int = 0
    ever: int = 0
    ever_kept: int = 0


class Prefix(NamedTuple):
    """How much of a request repeats the begin of the one before."""

    name: str
    window_tokens: int
    turn: float
    """Mean tokens of a turn / window."""
    same: float
    """Tokens that were in front of the request before as well / all tokens."""


def part(saved: Sequence[Saved], kept: Sequence[Kept], prefixes: Sequence[Prefix]) -> str:
    """Return the three tables."""
    return "\n".join((_saved(saved), _kept(kept), _prefixes(prefixes)))


def _saved(rows: Sequence[Saved]) -> str:
    lines = "\n".join(
        f"| {row.name} | {row.window_tokens:,} | {row.dialogues} | {row.turns:,} "
        f"| {row.full_tokens / row.turns:,.0f} | {row.sent_tokens / row.turns:,.0f} "
        f"| **{row.share:.0%}** | {_aim(row.share, LEAST_SAVED) if row.has_aim else '-'} |"
        for row in rows
    )
    return f"""Made by `python -m bench context --data DIR`: every turn of public dialogues is
planned as the application would, with a memory that learns by rules alone. Tokens are those of
o200k_base. The mean prompt of all turns, against the one that the full history would make:

| dialogues | window | number | turns | full history | elastic | fewer | aim 60 % |
|---|---|---|---|---|---|---|---|
{lines}
"""


def _kept(rows: Sequence[Kept]) -> str:
    lines = "\n".join(map(_kept_row, rows))
    return f"""Gold values of `sgd` dialogues, joined to 400 turns: at the last words of the user in
each dialogue, the share of its values that the request still holds, of those that were said at
all. A sliding window gets the tokens that the elastic plan spends on history and notes. "Ever":
of the values of all dialogues that came before in the same conversation.

| window | strategy | mean prompt | values | share | aim 95 % | ever |
|---|---|---|---|---|---|---|
{lines}
"""


def _kept_row(row: Kept) -> str:
    here = _share(row.here_kept, row.here)
    aim = _aim(here, LEAST_KEPT) if row.strategy == "elastic" else "-"
    return (
        f"| {row.window_tokens:,} | {row.strategy} | {row.tokens / row.requests:,.0f} "
        f"| {row.here_kept} of {row.here} | **{here:.1%}** | {aim} "
        f"| {_share(row.ever_kept, row.ever):.1%} |"
    )


def _prefixes(rows: Sequence[Prefix]) -> str:
    lines = "\n".join(
        f"| {row.name} | {row.window_tokens:,} | {row.turn:.1%} | **{row.same:.0%}** "
        f"| {_aim(row.same, LEAST_SAME) if row.turn <= SMALL_TURN else '-'} |"
        for row in rows
    )
    return f"""Tokens of a request that stood at the begin of the request before, which a provider
with a prompt cache does not read again:

| dialogues | window | a turn is | repeated | aim 70 % |
|---|---|---|---|---|
{lines}
"""


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _aim(share: float, least: float) -> str:
    return "met" if share >= least else "missed"
