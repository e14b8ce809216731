"""Features: what a later phrase such as "that link" or "the table" can point at in a message.

They are found once, when a message is stored, in time linear in its length.
"""

from bisect import bisect
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise, takewhile
from typing import Literal, NamedTuple

from statecore.language.lines import Line, lines_of
from statecore.language.mentions import Span, file_names, links

FeatureKind = Literal["link", "code", "table", "list", "file"]

MIN_ITEMS = 2
"""A single line that looks like an item is no list."""


class Feature(NamedTuple):
    """One thing in a text, by its character offsets."""

    kind: FeatureKind
    start: int
    end: int
    """After the last character."""


def features(text: str) -> tuple[Feature, ...]:
    """Return the features of a text in the order of their start, the longer first.

    Links and files inside a list or a table are found as well; inside code nothing is.
    """
    lines = lines_of(text)
    codes = list(_codes(lines))
    prose = _without(lines, codes)
    link_spans = list(links(text))
    mentions = [Feature("link", *span) for span in link_spans]
    mentions += [Feature("file", *s) for s in file_names(text) if not _starts_in(link_spans, s)]
    found = [Feature("code", *span) for span in codes]
    found += [Feature("table", *span) for span in _tables(prose)]
    found += [Feature("list", *span) for span in _lists(prose)]
    found += [mention for mention in mentions if not _starts_in(codes, mention[1:])]
    return tuple(sorted(found, key=lambda feature: (feature.start, -feature.end)))


def _starts_in(spans: Sequence[Span], span: Span) -> bool:
    before = bisect(spans, (span[0], float("inf"))) - 1
    return before >= 0 and span[0] < spans[before][1]


def _codes(lines: Sequence[Line]) -> Iterator[Span]:
    """Yield blocks between fences; one that is never closed reaches to the end."""
    opening: Line | None = None
    for line in lines:
        fence = line.fence
        if not fence:
            continue
        if opening is None:
            opening = line
        elif fence.startswith(opening.fence) and line.text.strip() == fence:
            yield opening.start, line.end
            opening = None
    if opening is not None:
        yield opening.start, lines[-1].end


def _without(lines: Sequence[Line], codes: Sequence[Span]) -> list[Line]:
    """Return the lines with an empty one in place of each line of code."""
    return [Line("", line.start) if _starts_in(codes, (line.start, 0)) else line for line in lines]


def _tables(lines: Sequence[Line]) -> Iterator[Span]:
    end = 0
    for index, (head, below) in enumerate(pairwise(lines)):
        if index >= end and head.has_columns and below.is_delimiter:
            rows = takewhile(lambda line: line.has_columns, islice(lines, index, None))
            end = index + sum(1 for _ in rows)
            yield head.start, lines[end - 1].end


def _lists(lines: Sequence[Line]) -> Iterator[Span]:
    start = end = items = 0
    for line in lines:
        if line.is_item:
            start = line.start if not items else start
            items += 1
            end = line.end
        elif items and line.is_indented:
            end = line.end
        elif not line.is_blank:
            if items >= MIN_ITEMS:
                yield start, end
            items = 0
    if items >= MIN_ITEMS:
        yield start, end
