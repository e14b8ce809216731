"""Artefacts: long answers under revision, such as a draft, a program or a table, in versions.

It takes a chain of two answers for versions of one thing only when they share much of their
wording, or when the user asked for a change in between; a wrong chain would shorten an answer that
nothing has replaced.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from statecore.context.outline import outline
from statecore.context.revisions import Wording, asks_to_revise, is_revision, wording
from statecore.context.state import PathTurn
from statecore.messages import Message

__all__ = ["Artefacts", "artefacts", "outline"]

RECENT = 8
"""How many artefacts back a change that the user asked for is looked for."""
COMMON_CLAUSES = 4
"""A clause in more artefacts than these is a phrase of the model, no sign of a version."""


class Artefacts(NamedTuple):
    """The answers that have versions."""

    newest: frozenset[str]
    """Message ids of the newest version of each."""
    older: frozenset[str]
    """Message ids of the versions that the newest ones have replaced."""


@dataclass(slots=True, eq=False)
class Chain:
    """The versions of one artefact, oldest first."""

    ids: list[str]
    newest: Wording
    turn: int
    """Number of the turn of the newest version."""
    asked: list[str] = field(default_factory=list)
    """What the user said in the turns of its versions."""

    @property
    def is_revised(self) -> bool:
        """Whether the user asked for a version; else it may be an answer that was given again."""
        return any(map(asks_to_revise, self.asked[1:]))


@dataclass(slots=True)
class _Chains:
    all: list[Chain] = field(default_factory=list)
    by_clause: dict[str, list[Chain]] = field(default_factory=dict)

    def near(self, words: Wording) -> Iterator[Chain]:
        """Yield, most shared first, the artefacts that share a telling clause."""
        shared: dict[int, tuple[Chain, int]] = {}
        for clause in words.telling:
            holders = self.by_clause.get(clause, ())
            if len(holders) <= COMMON_CLAUSES:
                for chain in holders:
                    shared[id(chain)] = (chain, shared.get(id(chain), (chain, 0))[1] + 1)
        found = sorted(shared.values(), key=lambda pair: (-pair[1], -pair[0].turn))
        yield from (chain for chain, _ in found)

    def add(self, chain: Chain) -> None:
        """Let the clauses of its newest version lead to it."""
        for clause in chain.newest.telling:
            holders = self.by_clause.setdefault(clause, [])
            if chain not in holders:
                holders.append(chain)


def artefacts(turns: Sequence[PathTurn]) -> Artefacts:
    """Return which long answers are versions of one thing, newest and older ones apart.

    Args:
        turns: of the path, oldest first.
    """
    versions = [chain.ids for chain in chains(turns) if len(chain.ids) > 1]
    return Artefacts(
        newest=frozenset(ids[-1] for ids in versions),
        older=frozenset(id_ for ids in versions for id_ in ids[:-1]),
    )


def chains(turns: Sequence[PathTurn]) -> list[Chain]:
    """Return the long answers in the order of their first versions, each with its versions.

    Args:
        turns: of the path, oldest first.
    """
    found = _Chains()
    for number, turn in enumerate(turns):
        said = [message.text for message in turn.messages if message.role == "user"]
        asked = any(map(asks_to_revise, said))
        for message in turn.messages:
            if message.role == "assistant" and (words := wording(message.text)) is not None:
                _place(message, words, number, found, asked=asked).asked += said
    return found.all


def _place(message: Message, words: Wording, number: int, known: _Chains, *, asked: bool) -> Chain:
    """Add an answer to the artefact that it is a version of, or begin one with it; return that."""
    near: list[Chain] = [*known.near(words), *(reversed(known.all[-RECENT:]) if asked else ())]
    for chain in near:
        if is_revision(chain.newest, words, was_asked=asked and number > chain.turn):
            chain.ids.append(message.id)
            chain.newest, chain.turn = words, number
            break
    else:
        chain = Chain([message.id], words, number)
        known.all.append(chain)
    known.add(chain)
    return chain
