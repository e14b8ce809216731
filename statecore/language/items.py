"""Items: the numbered parts of a text, by list markers or by headings such as "Step 3"."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from statecore.language.features import features
from statecore.language.lines import Line, lines_of

_NUMBER = re.compile(r"\d{1,3}|[一二三四五六七八九十]{1,3}")
_HEADING = re.compile(
    r"[\s#>*_-]*(?:(?:step|option|part|phase|variant|шаг|вариант|этап|пункт|步骤|方案|选项)\s?№?"
    r"(?P<digits>\d{1,3})\b|第(?P<han>[一二三四五六七八九十\d]{1,3})[步个项点])",
    re.IGNORECASE,
)
_TENS = 10
_HAN = {digit: value for value, digit in enumerate("零一二三四五六七八九")}


class Item(NamedTuple):
    """One numbered part, from its first line to the next part."""

    number: int
    start: int
    end: int
    """After the last character."""
    is_numbered: bool = True
    """Whether its number stands there; an item of bullets is counted."""


def items(text: str) -> tuple[Item, ...]:
    """Return the items of all lists of a text and what stands under numbered headings, in order.

    An item without a number counts from the begin of its list; items below items are parts of
    them.
    """
    lines = lines_of(text)
    found = list(_of_headings(lines))
    # Most texts hold no list, and looking for all features of each would take ten times as long.
    if any(line.is_item for line in lines):
        spans = [(one.start, one.end) for one in features(text) if one.kind == "list"]
        found += [item for span in spans for item in _of_list(text, *span)]
    return tuple(sorted(found, key=lambda item: (item.start, item.end)))


def han_number(word: str) -> int | None:
    """Return the number that Chinese digits, or others, spell; None for none."""
    if word.isdecimal():
        return int(word) or None
    tens, ten, ones = word.replace("两", "二").rpartition("十")
    value = (_HAN.get(tens, 1) * _TENS if ten else 0) + _HAN.get(ones, 0)
    return value or None


def _of_list(text: str, start: int, end: int) -> Iterator[Item]:
    lines = [line for line in lines_of(text[start:end]) if line.is_item]
    depth = min(_indent(line) for line in lines)
    heads = [line for line in lines if _indent(line) == depth]
    for index, line in enumerate(heads):
        after = heads[index + 1].start - 1 if index + 1 < len(heads) else end - start
        number = _NUMBER.search(line.bullet)
        yield Item(
            (han_number(number[0]) if number else None) or index + 1,
            start + line.start,
            start + after,
            number is not None,
        )


def _indent(line: Line) -> int:
    return len(line.text) - len(line.text.lstrip())


def _of_headings(lines: Sequence[Line]) -> Iterator[Item]:
    heads = [(line, found) for line in lines if (found := _HEADING.match(line.text))]
    for index, (line, found) in enumerate(heads):
        number = han_number(found["digits"] or found["han"])
        after = heads[index + 1][0].start - 1 if index + 1 < len(heads) else lines[-1].end
        if number is not None:
            yield Item(number, line.start, after)
