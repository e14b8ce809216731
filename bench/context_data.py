"""What elastic contexts save and keep on public dialogues: python -m bench context --data DIR.

Three questions: how many tokens fewer are sent than the full history has; which share of the gold
values that were said is still in the request; and how much of a request repeats the one before,
so that a provider need not read it again.
"""

import argparse
import os
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from bench.context_tables import HEADING, Kept, Prefix, Saved, part
from bench.dialogues import Dialogue, Spellings, joined, read, whole
from bench.replay import Replay, request_tokens, spec
from bench.report import replaced_part, setting
from chatapp.llm.tokenizers import count_reference
from statecore.context.occupancy import MESSAGE_OVERHEAD_TOKENS
from statecore.context.plan import ContextPlan
from statecore.context.strategies import ELASTIC, Strategy
from statecore.messages import counted_text
from statecore.models import ModelSpec
from statecore.requests import Request, RequestMessage

JOINED_TURNS = 400
LOCOMO_TOKENS = 8_192
LONGMEMEVAL_TOKENS = 32_768
SGD_TOKENS = (2_048, 4_096, 8_192)


@dataclass(frozen=True)
class Walked:
    """The elastic requests of one dialogue in a window."""

    replay: Replay
    model: ModelSpec
    plans: tuple[ContextPlan, ...]
    """One a turn."""


def main(argv: Sequence[str]) -> None:
    """Read the command line, measure, print, and write where asked."""
    parser = argparse.ArgumentParser(prog="bench context", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the data sets")
    parser.add_argument("--out", type=Path, help="a page whose part about contexts is replaced")
    options = parser.parse_args(argv)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "chatapp.settings")
    others = os.getloadavg()[0]
    text = f"{HEADING}\n\n{setting(others)}\n{measured(options.data)}"
    if options.out:
        page = options.out.read_text(encoding="utf-8")
        options.out.write_text(replaced_part(page, HEADING, text), encoding="utf-8")
    print(text)


def measured(folder: Path) -> str:
    """Return the tables of what the data sets in a folder give; those that are missing none."""
    locomo = _walks(read(folder, "locomo"), LOCOMO_TOKENS)
    sessions = tuple(read(folder, "longmemeval"))
    each = _walks(sessions, LOCOMO_TOKENS)
    long = _walks([whole("longmemeval", sessions)] if sessions else [], LONGMEMEVAL_TOKENS)
    replays = [Replay(one) for one in joined(read(folder, "sgd_dialogues"), JOINED_TURNS)]
    tasks = {tokens: [_walk(one, tokens) for one in replays] for tokens in SGD_TOKENS}
    saved = [
        *_saved("locomo, whole dialogues", locomo, has_aim=True),
        *_saved("longmemeval, sessions joined", long, has_aim=True),
        *_saved("longmemeval, each history", each, has_aim=False),
        *(
            row
            for walks in tasks.values()
            for row in _saved(f"sgd, {JOINED_TURNS} turns", walks, has_aim=False)
        ),
    ]
    kept = [row for walks in tasks.values() for row in _kept(walks)]
    named = [("locomo", locomo), ("longmemeval", long), *(("sgd", one) for one in tasks.values())]
    prefixes = [row for name, walks in named for row in _prefix(name, walks)]
    return part(saved, kept, prefixes)


def _walks(dialogues: Iterable[Dialogue], window_tokens: int) -> list[Walked]:
    return [_walk(Replay(dialogue), window_tokens) for dialogue in dialogues]


def _walk(replay: Replay, window_tokens: int) -> Walked:
    model = spec(window_tokens)
    outcomes = (outcome for _, outcome in replay.walk(model, range(len(replay))))
    plans = tuple(one for one in outcomes if isinstance(one, ContextPlan))
    assert len(plans) == len(replay), "An input of the data does not fit."  # noqa: S101
    return Walked(replay, model, plans)


def _saved(name: str, walks: Sequence[Walked], *, has_aim: bool) -> Iterator[Saved]:
    """Yield how many prompt tokens all requests have, and would have with the full history."""
    if not walks:
        return
    full = sum(tokens for walked in walks for tokens in full_tokens(walked))
    sent = sum(plan.prompt_tokens for walked in walks for plan in walked.plans)
    turns = sum(len(walked.plans) for walked in walks)
    yield Saved(name, walks[0].model.window_tokens, len(walks), turns, full, sent, has_aim)


def full_tokens(walked: Walked) -> Iterator[int]:
    """Yield for each turn the prompt tokens of its full history, whatever the window takes."""
    first = walked.plans[0]
    asked = count_reference(walked.replay.turns[0].messages[0].text) + MESSAGE_OVERHEAD_TOKENS
    fixed_tokens = first.prompt_tokens - asked
    history_tokens = 0
    for turn, tokens in zip(walked.replay.turns, walked.replay.tokens, strict=True):
        asked = count_reference(turn.messages[0].text) + MESSAGE_OVERHEAD_TOKENS
        yield fixed_tokens + history_tokens + asked
        history_tokens += tokens


def _kept(walks: Sequence[Walked]) -> Iterator[Kept]:
    """Yield which gold values are in the requests of each strategy, over all dialogues in them."""
    strategies: dict[str, Callable[[int], Strategy]] = {
        "elastic": lambda _: ELASTIC,
        "sliding window, same tokens": lambda tokens: Strategy("sliding", last_tokens=tokens),
        "summary only": lambda _: Strategy("summary"),
    }
    for name, strategy_of in strategies.items():
        row = Kept(walks[0].model.window_tokens, name) if walks else None
        for walked in walks:
            assert row is not None  # noqa: S101  # tells the type checker
            _count(walked, strategy_of, row)
        if row is not None:
            yield row


def _count(walked: Walked, strategy_of: Callable[[int], Strategy], row: Kept) -> None:
    pairs = walked.replay.dialogue.pairs
    history, all_gold = "", dict[Spellings, None]()
    for number, pair in enumerate(pairs):
        history = f"{history}\n{folded(pair.asked)}"
        if pair.is_last:
            all_gold |= dict.fromkeys(pair.gold)
            text = folded(_text(_request(walked, number, strategy_of, row)))
            said = [gold for gold in pair.gold if is_in(gold, history)]
            row.here += len(said)
            row.here_kept += sum(is_in(gold, text) for gold in said)
            everything = [gold for gold in all_gold if is_in(gold, history)]
            row.ever += len(everything)
            row.ever_kept += sum(is_in(gold, text) for gold in everything)
        history = f"{history}\n{folded(pair.answered)}"


def _request(
    walked: Walked, number: int, strategy_of: Callable[[int], Strategy], row: Kept
) -> Request:
    plan = walked.plans[number]
    strategy = strategy_of(_history_tokens(plan))
    if strategy.name != "elastic":
        other = walked.replay.plan(number, walked.model, None, strategy)
        assert isinstance(other, ContextPlan)  # noqa: S101  # tells the type checker
        plan = other
    row.requests += 1
    row.tokens += plan.prompt_tokens
    return plan.request


def _history_tokens(plan: ContextPlan) -> int:
    """Return what a plan spends on history and notes: what a sliding window may spend as well."""
    fixed = {"system", "input", "tools"}
    return sum(
        segment.tokens
        for segment in plan.segments
        if segment.kind not in fixed and segment.decision not in {"dropped", "moved_to_summary"}
    )


def _text(request: Request) -> str:
    return "\n".join(message.text for message in request.messages)


def folded(text: str) -> str:
    """Return a text as values are looked for in it."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def is_in(gold: Spellings, text: str) -> bool:
    """Return whether a folded text holds a value in one of its spellings, as whole words."""
    return any(_pattern(spelling).search(text) for spelling in gold)


@lru_cache(maxsize=4_096)
def _pattern(spelling: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(folded(spelling))}(?!\w)")


def _prefix(name: str, walks: Sequence[Walked]) -> Iterator[Prefix]:
    """Yield how many tokens of each request stood at the begin of the one before."""
    if not walks:
        return
    same = tokens = 0
    for walked in walks:
        for before, after in pairwise(walked.plans):
            same += common_tokens(before.request, after.request)
            tokens += request_tokens(after.request)
    turns = [size for walked in walks for size in walked.replay.tokens]
    window_tokens = walks[0].model.window_tokens
    yield Prefix(name, window_tokens, sum(turns) / len(turns) / window_tokens, same / tokens)


def common_tokens(before: Request, after: Request) -> int:
    """Return the tokens at the begin of a request that the one before began with as well."""
    found = 0
    for old, new in zip(before.messages, after.messages, strict=False):
        if old != new:
            return found + _shared_tokens(old, new)
        found += count_reference(counted_text(new.text, new.tool_calls)) + MESSAGE_OVERHEAD_TOKENS
    return found


def _shared_tokens(old: RequestMessage, new: RequestMessage) -> int:
    if old.role != new.role:
        return 0
    pairs = enumerate(zip(old.text, new.text, strict=False))
    shorter = min(len(old.text), len(new.text))
    same = next((at for at, (one, other) in pairs if one != other), shorter)
    return count_reference(new.text[:same])
