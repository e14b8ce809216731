"""Plans requests along every dialogue, for five windows: python -m bench context_walk --data DIR.

Each must fit its window by an exact count; only what can never be cut may be refused. The first
that breaks is named, and the command ends with exit code 1.
"""

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from bench.dialogues import read_all
from bench.replay import Outcome, Replay, request_tokens, spec
from chatapp.llm.templates import chat_template
from chatapp.llm.tokenizers import count_reference
from statecore.context.plan import DoesNotFit
from statecore.models import ModelSpec

SLICE = Path(__file__).parent / "data" / "slice"
WINDOWS = (2_048, 4_096, 8_192, 32_768, 131_072)
PLANS = 40
"""Of one dialogue and window at most, evenly spread, with the last turn."""

Counts = Counter[tuple[str, int, str]]


class Broken(Exception):
    """Raised when a plan does not keep what it promises; says where and what."""


def main(argv: Sequence[str]) -> None:
    """Read the command line, walk and print."""
    parser = argparse.ArgumentParser(prog="bench context_walk", description=__doc__)
    parser.add_argument("--data", type=Path, default=SLICE, help="folder of the data sets")
    options = parser.parse_args(argv)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "chatapp.settings")
    try:
        counts = walked(options.data)
    except Broken as broken:
        print(broken)
        sys.exit(1)
    if not counts:
        print(f"No data set lies in {options.data}.")
        sys.exit(1)
    for (source, window_tokens, what), number in sorted(counts.items()):
        print(f"{source:28} {window_tokens:>8} {what:12} {number:>6}")


def walked(folder: Path, windows: Iterable[int] = WINDOWS) -> Counts:
    """Return how many plans came to which tier, or were refused, by data set and window.

    Raises:
        Broken: at the first plan that overflows its window, or cannot be made.
    """
    counts: Counts = Counter()
    sizes = tuple(windows)
    for dialogue in read_all(folder):
        replay = Replay(dialogue)
        numbers = spread(len(replay), PLANS)
        for model in map(spec, sizes):
            place = f"{dialogue.source} {dialogue.name}, {model.name} tokens"
            for what in _verdicts(replay, model, numbers, place):
                counts[dialogue.source, model.window_tokens, what] += 1
    return counts


def spread(turns: int, most: int) -> list[int]:
    """Return at most so many numbers of turns, evenly spread, the last one among them."""
    step = max(1, -(-turns // most))
    return sorted(range(turns - 1, -1, -step))


def _verdicts(
    replay: Replay, model: ModelSpec, numbers: Sequence[int], place: str
) -> Iterator[str]:
    plans = replay.walk(model, numbers)
    for number in numbers:
        try:
            _, outcome = next(plans)
        except Exception as failure:
            raise Broken(f"{place}, turn {number + 1}: {failure!r}.") from failure
        fault = _fault(outcome, model, replay, number)
        if fault:
            raise Broken(f"{place}, turn {number + 1}: {fault}.")
        yield "refused" if isinstance(outcome, DoesNotFit) else f"tier {outcome.tier}"


def _fault(outcome: Outcome, model: ModelSpec, replay: Replay, number: int) -> str:
    """Return what is wrong with a plan; empty where nothing is."""
    reserve_tokens = model.reply_reserve_tokens
    if isinstance(outcome, DoesNotFit):
        texts = (chat_template().system, replay.turns[number].messages[0].text)
        least_tokens = sum(map(count_reference, texts)) + reserve_tokens
        is_right = 1.25 * least_tokens > model.window_tokens
        return "" if is_right else f"refused although {least_tokens} tokens would do"
    used_tokens = request_tokens(outcome.request) + reserve_tokens
    if used_tokens > model.window_tokens:
        return f"{used_tokens} tokens in a window of {model.window_tokens}"
    known = {message.id for turn in replay.turns[: number + 1] for message in turn.messages}
    strange = {sent.message_id for sent in outcome.sent if sent.message_id} - known
    return f"messages that nobody said: {sorted(strange)}" if strange else ""
