"""The digest of an answer: its leading sentences, and of the rest what cannot be guessed."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from statecore.context.cutting import cut, size
from statecore.context.named import has_telling
from statecore.language.features import Feature, features
from statecore.language.lines import Line, lines_of
from statecore.language.sentences import Sentence, sentences

LEAD_BYTES = 360
"""Of the leading sentences; the first one is never left out, only cut."""
VALUES_BYTES = 240
"""Of the later sentences, and of the later items of a list, that hold exact values."""
READ_CHARS = 20_000
"""What stands behind is a pasted document: its values are too many to keep any."""
BLOCKS = 3
"""So many blocks of code, tables and lists are told of."""

_WHOLE_BYTES = 240
_WHOLE_LINES = 4
"""A block up to this is said shortest by itself."""
_LINE_BYTES = 120
_FIRST_ITEMS = 2


class _Part(NamedTuple):
    start: int
    end: int
    text: str
    """What stands for it."""


def digested(text: str) -> str:
    """Return an answer without most of what its beginning makes plain."""
    blocks = list(islice(_blocks(text), BLOCKS))
    found = (s for s in sentences(text[:READ_CHARS]) if not _is_inside(s, blocks))
    parts = sorted([*(_shortened(block, text) for block in blocks), *_sentences(found)])
    return _joined(parts, text)


def _blocks(text: str) -> Iterator[Feature]:
    """Yield code, tables and lists, none inside another."""
    end = 0
    for feature in features(text):
        if feature.kind in {"code", "table", "list"} and feature.start >= end:
            end = feature.end
            yield feature


def _is_inside(sentence: Sentence, blocks: Iterable[Feature]) -> bool:
    return any(block.start <= sentence.start < block.end for block in blocks)


def _sentences(found: Iterable[Sentence]) -> Iterator[_Part]:
    lead_bytes, values_bytes, is_lead = LEAD_BYTES, VALUES_BYTES, True
    for number, sentence in enumerate(found):
        needed = size(sentence.text)
        is_lead = is_lead and (needed <= lead_bytes or number == 0)
        if is_lead:
            lead_bytes -= needed
            yield _Part(sentence.start, sentence.end, cut(sentence.text, LEAD_BYTES))
        elif needed <= values_bytes and has_telling(sentence.text):
            values_bytes -= needed
            yield _Part(sentence.start, sentence.end, sentence.text)


def _shortened(block: Feature, text: str) -> _Part:
    whole = text[block.start : block.end]
    lines = lines_of(whole)
    is_short = len(lines) <= _WHOLE_LINES and size(whole) <= _WHOLE_BYTES
    if block.kind == "code":
        rows = list(_code(lines, is_short=is_short))
    elif is_short:
        rows = [whole]
    elif block.kind == "table":
        rows = [cut(lines[0].text, 2 * _LINE_BYTES), f"({len(lines) - 2} rows)"]
    else:
        rows = list(_items(lines))
    return _Part(block.start, block.end, "\n".join(rows))


def _code(lines: tuple[Line, ...], *, is_short: bool) -> Iterator[str]:
    """Yield the fence, the first line and how many there are; a fence that is open is closed."""
    opening = lines[0]
    language = opening.text.strip().removeprefix(opening.fence).strip()
    is_closed = len(lines) > 1 and lines[-1].text.strip().startswith(opening.fence)
    body = lines[1:-1] if is_closed else lines[1:]
    yield cut(opening.text, _LINE_BYTES)
    if is_short:
        yield from (line.text for line in body)
    else:
        yield next((cut(line.text, _LINE_BYTES) for line in body if not line.is_blank), "")
        of_language = f" of {language}" if language.isalnum() else ""
        yield f"... ({len(body)} lines{of_language})"
    yield opening.fence


def _items(lines: tuple[Line, ...]) -> Iterator[str]:
    """Yield the first items of a list, those with exact values, and how many more there are."""
    left_bytes, items, left_out = VALUES_BYTES, 0, 0
    for line in lines:
        if not line.is_item:
            continue
        items += 1
        row = cut(line.text, _LINE_BYTES)
        if items > _FIRST_ITEMS and (size(row) > left_bytes or not has_telling(row)):
            left_out += 1
            continue
        left_bytes -= size(row) if items > _FIRST_ITEMS else 0
        yield row
    if left_out:
        yield f"(+{left_out})"


def _joined(parts: Iterable[_Part], text: str) -> str:
    """Return parts with what stands between them: white space as it was, a sign for the rest."""
    joined: list[str] = []
    at = 0
    for part in parts:
        gap = text[at : part.start]
        if joined:
            is_next = not gap.strip()
            joined.append(gap if is_next else "\n" if "\n" in gap else " … ")
        joined.append(part.text)
        at = part.end
    return "".join(joined)
