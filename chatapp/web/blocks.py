"""Cuts a growing Markdown text into blocks that are rendered once and never again.

A block is closed as soon as no later line can change it. What is still open, the tail, stays
plain text. Lines decide, not chunks, so however a text is cut into chunks the blocks are the
same. Closed blocks and the rendered tail together equal the whole text rendered at once, but
for link reference definitions (`[name]: address`): those reach only their own block.
"""

import re
from dataclasses import dataclass
from typing import Literal

from markdown_it import MarkdownIt

from chatapp.web.markdown import make_parser, render

TailKind = Literal["text", "code"]
"""code: the tail is an open fence, its first line included."""

_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")
_HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]|$)")
_LIST_ITEM = re.compile(r" {0,3}(?:[-+*]|\d{1,9}[.)])(?:[ \t]|$)")
_INDENTED = re.compile(r" {0,3}\t| {4}")
_QUOTE = re.compile(r" {0,3}>")
_FREE_PARSE_CHARS = 1024
_GROWTH = 1.5
"""A parse of more than the free size that closed nothing is tried again only when the tail has
grown this much: so all parses of one long block cost no more than a few times its length."""


@dataclass(frozen=True, slots=True)
class Blocks:
    """What one chunk changed."""

    closed_htmls: tuple[str, ...]
    """Safe HTML of the blocks that are closed now, in order."""
    tail: str
    """The text after the last closed block; empty when nothing was closed, because then the
    tail only grew by the chunk."""
    tail_kind: TailKind


class BlockSplitter:
    """Follows one growing text."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._chars = 0
        self._rest: list[str] = []
        self._fence = ""
        self._next_parse_chars = 0
        self._held_return = False

    @property
    def tail(self) -> str:
        """The text that is not in a closed block yet."""
        return "".join((*self._lines, *self._rest))

    @property
    def tail_kind(self) -> TailKind:
        """How the tail is to be shown."""
        return "code" if self._fence else "text"

    def feed(self, text: str) -> Blocks:
        """Take the next chunk, of any length.

        Returns:
            The blocks that it closed, and the tail that is left if it closed any.
        """
        text = self._normalize(text)
        if "\n" not in text:
            self._rest.append(text)
            return Blocks((), "", self.tail_kind)
        *lines, rest = "".join((*self._rest, text)).split("\n")
        self._rest = [rest]
        closed: list[str] = []
        for line in lines:
            closed.extend(self._take_line(line))
        return Blocks(tuple(closed), self.tail if closed else "", self.tail_kind)

    def _normalize(self, text: str) -> str:
        # A chunk may end between the two characters of one line end.
        if self._held_return:
            text = "\r" + text
        self._held_return = text.endswith("\r")
        if self._held_return:
            text = text[:-1]
        return text.replace("\r\n", "\n").replace("\r", "\n")

    def _take_line(self, line: str) -> list[str]:
        if not self._lines and _is_blank(line):
            return []
        tries_parse = not self._fence and self._may_close_something(line)
        self._lines.append(line + "\n")
        self._chars += len(line) + 1
        if len(self._lines) == 1:
            return self._open_block(line)
        if self._fence:
            return self._close(len(self._lines)) if self._closes_fence(line) else []
        return self._close_parsed() if tries_parse else []

    def _open_block(self, line: str) -> list[str]:
        opening = _FENCE.match(line)
        self._fence = opening.group(1) if opening else ""
        return self._close(1) if _HEADING.match(line) else []

    def _closes_fence(self, line: str) -> bool:
        mark = line.strip(" \t")
        is_fence = len(mark) >= len(self._fence) and not mark.strip(self._fence[0])
        return is_fence and not _INDENTED.match(line)

    def _may_close_something(self, line: str) -> bool:
        """Whether this line can end what stands before it; only then a parse is worth it."""
        if not self._lines:
            return False
        first = self._lines[0]
        if _is_blank(line):
            return not (_LIST_ITEM.match(first) or _INDENTED.match(first))
        if _INDENTED.match(line):
            return False
        if _LIST_ITEM.match(line):
            return not _LIST_ITEM.match(first)
        if _QUOTE.match(line):
            return not _QUOTE.match(first)
        return bool(
            _FENCE.match(line) or _HEADING.match(line) or _is_blank(self._lines[-1].rstrip("\n"))
        )

    def _close_parsed(self) -> list[str]:
        if self._chars < self._next_parse_chars:
            return []
        cut = self._closed_lines()
        if cut:
            return self._close(cut)
        if self._chars > _FREE_PARSE_CHARS:
            self._next_parse_chars = int(self._chars * _GROWTH)
        return []

    def _closed_lines(self) -> int:
        """Return how many lines of the tail are closed, as the parser itself sees it."""
        blocks = [
            token
            for token in _OUTLINE.parse("".join(self._lines))
            if token.level == 0 and token.nesting >= 0 and token.map
        ]
        if not blocks:
            return 0
        last = blocks[-1]
        if _is_blank(self._lines[-1].rstrip("\n")) and last.type in _ENDS_AT_BLANK:
            return len(self._lines)
        return last.map[0] if last.map else 0

    def _close(self, line_count: int) -> list[str]:
        html = render("".join(self._lines[:line_count]))
        rest = self._lines[line_count:]
        self._lines, self._chars, self._fence, self._next_parse_chars = [], 0, "", 0
        closed = [str(html)] if html else []
        for line in rest:
            closed.extend(self._take_line(line.rstrip("\n")))
        return closed


_ENDS_AT_BLANK = frozenset(
    {"paragraph_open", "heading_open", "blockquote_open", "table_open", "hr"}
)


def _is_blank(line: str) -> bool:
    return not line.strip(" \t")


def _make_outline() -> MarkdownIt:
    parser = make_parser()
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


_OUTLINE = _make_outline()
