"""Sentences: what memory quotes, cut from a text in any script with their exact place."""

import re
from bisect import bisect
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from statecore.language.abbreviations import ends_at_dot
from statecore.language.features import features
from statecore.language.lines import Line, lines_of
from statecore.language.mentions import Span, file_names, links
from statecore.language.quotes import quoted

_HEADING = re.compile(r"[ \t]*#{1,6}[ \t]")
_STOP = re.compile(r"[.!?…。！？；｡]+")
_FULL_WIDTH = frozenset("。！？；｡")
_CLOSERS = re.compile(r"[)\]}\"'»”’」』）】》*_~`]*")
_DECORATION = re.compile(
    r"(?:[ \t]*(?:[\U0001f000-\U0001faff\u2600-\u27bf\u2b50\u2b55]"
    r"[\U0001f3fb-\U0001f3ff\ufe0f\u200d]*|[:;]-?[()DP](?!\w)))*"
)
_LINE_END = re.compile(r"[.!?…。！？；｡;:：][)\]}\"'»”’」』）】》*_~`]*\s*\Z")
_BRACKETED = re.compile(r"(?<![:;=-])\([^()\n]{1,300}\)|（[^（）\n]{1,300}）")
_HAN = re.compile(r"[\u3400-\u9fff]")
_SAID = re.compile(r"[\u3400-\u9fff]{0,4}[说說问問道喊答]")
_GOES_ON = re.compile(r"\s*[—–-]+\s+[^\W\d_A-ZА-ЯЁ]")
_TAIL = 80
"""How much of the end of a line is looked at to see whether it ends a sentence."""


class Sentence(NamedTuple):
    """One sentence and its place; no white space around it."""

    start: int
    end: int
    """After the last character."""
    text: str


def sentences(text: str) -> tuple[Sentence, ...]:
    """Return the sentences of a text in order; time grows linearly with its length.

    Code between fences and tables are no sentences. An item of a list is one or more sentences of
    its own, without its bullet. What stands in quotation marks or brackets is not cut apart, and
    nothing is cut at abbreviations, initials, numbers, dates, links and file names.
    """
    inside = _protected(text)
    found = []
    for begin, end in _passages(text):
        start = begin
        for cut in _cuts(text, begin, end, inside):
            piece = text[start:cut]
            if words := piece.strip():
                first = start + len(piece) - len(piece.lstrip())
                found.append(Sentence(first, first + len(words), words))
            start = cut
    return tuple(found)


def _passages(text: str) -> Iterator[Span]:
    """Yield stretches of lines that no sentence crosses, without bullets, code and tables."""
    blocks = [f for f in features(text) if f.kind in {"code", "table"}]
    at = 0
    passage: list[Line] = []
    for line in lines_of(text):
        while at < len(blocks) and blocks[at].end < line.start:
            at += 1
        is_block = at < len(blocks) and blocks[at].start <= line.start < blocks[at].end
        if passage and (is_block or not _continues(passage[-1], line)):
            yield _body_start(passage[0]), passage[-1].end
            passage = []
        if not is_block and not line.is_blank:
            passage.append(line)
    if passage:
        yield _body_start(passage[0]), passage[-1].end


def _body_start(line: Line) -> int:
    heading = _HEADING.match(line.text)
    return line.start + (heading.end() if heading else len(line.bullet))


def _continues(line: Line, following: Line) -> bool:
    """Whether a sentence may reach over the break between two lines."""
    if following.is_blank or following.is_item:
        return False
    if _HEADING.match(line.text) or _HEADING.match(following.text):
        return False
    if line.text.lstrip().startswith(">") != following.text.lstrip().startswith(">"):
        return False
    return not _LINE_END.search(line.text[-_TAIL:])


def _protected(text: str) -> list[Span]:
    """Return where no sentence ends, in order and without overlaps."""
    brackets = (found.span() for found in _BRACKETED.finditer(text))
    spans = sorted([*links(text), *file_names(text), *quoted(text), *brackets])
    merged: list[Span] = []
    for start, end in spans:
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _cuts(text: str, start: int, end: int, inside: Sequence[Span]) -> Iterator[int]:
    """Yield where the sentences of one passage end."""
    at = bisect(inside, (start, 0))
    for stop in _STOP.finditer(text, start, end):
        if stop.start() < start:
            continue  # taken along by the sentence before
        after = _CLOSERS.match(text, stop.end(), end)
        cut = after.end() if after else stop.end()
        while at < len(inside) and inside[at][1] <= stop.start():
            at += 1
        is_quote_end = at < len(inside) and inside[at][1] == cut
        if at < len(inside) and inside[at][0] < cut < inside[at][1]:
            continue
        if _ends(text, start, stop, cut, end) and not (is_quote_end and _SAID.match(text, cut)):
            start = _decorated(text, cut, end)
            yield start
    if start < end:
        yield end


def _ends(text: str, start: int, stop: re.Match[str], cut: int, end: int) -> bool:
    """Whether a sentence ends with these stops, its closing marks reaching to `cut`."""
    marks = stop[0]
    if cut >= end or not _FULL_WIDTH.isdisjoint(marks):
        return True
    following = text[cut]
    if not (following.isspace() or _HAN.match(following) or _decorated(text, cut, end) > cut):
        is_glued = following.isupper() and not following.isascii()
        return is_glued and text[stop.start() - 1 : stop.start()].islower()
    rest = text[cut : cut + _TAIL].lstrip()
    if _GOES_ON.match(text, cut, end) or (cut > stop.end() and rest[:1].islower()):
        return False
    if marks == ".":
        return ends_at_dot(text, start, stop.start(), end)
    if "…" in marks or not marks.strip("."):
        return not rest or not (rest[0].islower() or _HAN.match(following))
    return True


def _decorated(text: str, cut: int, end: int) -> int:
    """Return where the emoji and smileys after a sentence end."""
    found = _DECORATION.match(text, cut, end)
    return found.end() if found else cut
