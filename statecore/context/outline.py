"""The outline of a long text under revision, and word for word the part that the input names."""

import re
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from statecore.context.cutting import ELLIPSIS, cut, signed
from statecore.context.named import quotable, quotations
from statecore.language.lines import Line, lines_of

_ROW_BYTES = 120
_HEADING = re.compile(r"[ \t]*(?:#{1,6}[ \t](.+)|(?:\*\*|__)([^*_]+)(?:\*\*|__):?[ \t]*)")
_DEFINITION = re.compile(
    r"[ \t]*(?:(?:export|default|public|private|protected|static|async|abstract|final|pub)\s+)*"
    r"(?:def|class|function|func|fn|interface|struct|enum|trait|impl|type|CREATE TABLE)\s+(\w+)"
    r"|[ \t]*(?:export\s+)?(?:const|let|var)\s+(\w+)\s*=\s*(?:async\s*)?(?:\(|function)",
    re.IGNORECASE,
)
_SHORTEST_NAME = 3
_HAN = re.compile(r"[\u3400-\u9fff]")
_LETTER = "[a-zа-яё0-9_]"
"""Not of Chinese: it is written without spaces around a name."""
_CODE_LEFT_OUT = "..."

_Kind = Literal["heading", "fence", "code", "prose"]


class _Section(NamedTuple):
    """A stretch of lines with the words that name it."""

    kind: _Kind
    lines: tuple[Line, ...]
    name: str
    """Of a heading or a definition; empty for other text."""


def outline(text: str, input_text: str) -> str | None:
    """Return the headings, first lines and definitions of a text, and in full what an input names.

    An input names a part by its heading, by what it defines, or by a quotation from it.

    Args:
        text: the newest version of what is under revision.
        input_text: what the user has just said.

    Returns:
        The outline; None when it does not gain enough over the text.
    """
    asked, quotes = quotable(input_text), quotations(input_text)
    rows: list[str] = []
    is_under_named = False
    for section in _sections(lines_of(text)):
        if section.kind == "heading":
            is_under_named = _is_named(section, asked, quotes)
        if is_under_named or _is_named(section, asked, quotes):
            rows += [line.text for line in section.lines]
        else:
            rows += _rows(section)
    return signed("\n".join(rows), text)


def _sections(lines: Iterable[Line]) -> Iterator[_Section]:
    """Yield all lines in sections: a heading, a fence, a definition with its body, a paragraph."""
    fence = ""
    held: list[Line] = []
    for line in lines:
        is_fence = bool(line.fence) and (not fence or line.text.strip().startswith(fence))
        kind: _Kind = "code" if fence else "prose"
        is_heading = not fence and _HEADING.fullmatch(line.text)
        is_break = is_heading or (_DEFINITION.match(line.text) if fence else line.is_blank)
        if held and (is_fence or is_break):
            yield _section(kind, held)
            held = []
        if is_fence:
            fence = "" if fence else line.fence
            yield _Section("fence", (line,), "")
        elif is_heading:
            yield _section("heading", [line])
        elif fence or not line.is_blank:
            held.append(line)
    if held:
        yield _section("code" if fence else "prose", held)
    if fence:
        # A fence that was never closed would take in the sign at the end.
        yield _Section("fence", (Line(fence, 0),), "")


def _section(kind: _Kind, lines: Iterable[Line]) -> _Section:
    held = tuple(lines)
    first = held[0].text
    found = _HEADING.fullmatch(first) if kind == "heading" else _DEFINITION.match(first)
    if kind == "prose":
        found = None
    name = next(filter(None, found.groups()), "").strip("# \t") if found else ""
    return _Section(kind, held, name)


def _is_named(section: _Section, asked: str, quotes: Iterable[str]) -> bool:
    name = quotable(section.name)
    weight = len(name) + 2 * len(_HAN.findall(name))
    # Words of a heading may be said in another form; what code defines may not.
    after = rf"(?!{_LETTER})" if section.kind == "code" else ""
    pattern = rf"(?<!{_LETTER}){re.escape(name)}{after}"
    if weight >= _SHORTEST_NAME and re.search(pattern, asked):
        return True
    text = quotable("\n".join(line.text for line in section.lines))
    return any(quote in text for quote in quotes)


def _rows(section: _Section) -> Iterator[str]:
    """Yield the first line of a section, and a sign for the lines of code behind it."""
    first = section.lines[0].text
    yield cut(first, _ROW_BYTES)
    rest = [line for line in section.lines[1:] if not line.is_blank]
    if rest and section.kind == "code":
        yield f"{' ' * (len(first) - len(first.lstrip()))}{_CODE_LEFT_OUT}"
    elif rest and not first.endswith(ELLIPSIS):
        yield ELLIPSIS
