"""Finds messages that the input repeats something of: a quotation, or a rare name or number."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from statecore.context.pointed import Found, located
from statecore.context.spoken import Said, Spoken, fold
from statecore.language.mentions import Span, file_names
from statecore.language.quotes import quoted
from statecore.language.values import is_telling, values

_MARKS = "\"'`“”„«»「」『』‘’.,;:!?。，！？… "
_SHORTEST = 8
_SHORTEST_HAN = 4
_HAN = re.compile(r"[\u3400-\u9fff]")
_QUOTED_LINE = re.compile(r"^[ \t]*>[ \t]?(.+)$", re.MULTILINE)
_IDENTIFIER = re.compile(
    r"(?<![\w.])(?:[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+|[a-z]+[a-z0-9]*[A-Z]\w+"
    r"|(?:[A-Z][a-z0-9]+){2,}|[A-Za-z_]\w*\(\))"
)
_MOST = 24
"""More names than these are a pasted document; the rest is not looked for."""


class Mentioned(NamedTuple):
    """A message and where the input repeats something of it."""

    found: Found
    start: int
    end: int


def quoted_again(spoken: Spoken, text: str) -> Iterator[Mentioned]:
    """Yield the newest message that holds what a quotation of the input repeats."""
    spans = [*quoted(text), *(found.span(1) for found in _QUOTED_LINE.finditer(text))]
    for start, end in spans[:_MOST]:
        words = fold(text[start:end]).strip(_MARKS)
        if not _is_long_enough(words):
            continue
        holders = spoken.holding(lambda folded, words=words: words in folded)  # type: ignore[misc]
        if holders:
            yield Mentioned(located(holders[-1], words), start, end)


def _is_long_enough(words: str) -> bool:
    if _HAN.search(words):
        return len(words) >= _SHORTEST_HAN
    return len(words) >= _SHORTEST and " " in words


def named_again(spoken: Spoken, text: str) -> Iterator[Mentioned]:
    """Yield the message that alone, or with others of its turn, has a rare name of the input."""
    for start, end in _names(text)[:_MOST]:
        words = fold(text[start:end])
        bounded = re.compile(rf"(?<!\w){re.escape(words)}(?!\w)")
        holders = spoken.holding(
            lambda folded, words=words, bounded=bounded: (
                words in folded  # type: ignore[misc]
                and bounded.search(folded) is not None
            )
        )
        if holders and _is_one_turn(holders):
            yield Mentioned(located(holders[0], words), start, end)


def _is_one_turn(holders: tuple[Said, ...]) -> bool:
    return len({said.turn_id for said in holders}) == 1


def _names(text: str) -> list[Span]:
    found = [(value.start, value.end) for value in values(text) if is_telling(value)]
    found += file_names(text)
    found += [one.span() for one in _IDENTIFIER.finditer(text)]
    apart: list[Span] = []
    for span in sorted(found, key=lambda span: (span[0], -span[1])):
        if not apart or apart[-1][1] <= span[0]:
            apart.append(span)
    return apart
