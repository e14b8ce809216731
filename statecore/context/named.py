"""What a text says that is found again in another one: quotations, values and names."""

import re
from collections.abc import Iterator

from statecore.context.remembering import remembered
from statecore.language.mentions import file_names
from statecore.language.quotes import quoted
from statecore.language.values import Value, folded, is_telling, values

READ_CHARS = 20_000
"""What a person names stands before a pasted document, and what a text is known by at its head."""

_SHORTEST = 12
"""A shorter quotation is found by chance; a Chinese character counts as three."""
_HAN = re.compile(r"[\u3400-\u9fff]")
_MARKS = "“”„\"«»「」『』`'‘’"
_IDENTIFIER = re.compile(
    r"(?<![\w.])(?:[A-Za-z][a-z0-9]*_\w+|[a-z][a-z0-9]*(?:[A-Z][a-z0-9]+)+|[A-Z][a-z]+[A-Z]\w+"
    r"|[A-Za-z_]\w*(?:\.[A-Za-z_]\w+)*\(\))"
)
_TITLE = re.compile(r"《[^《》\n]{2,60}》")
_NAME = re.compile(
    r"(?<=[^\W\d_][,;]\s)[A-ZА-ЯЁ][a-zа-яё]{2,}(?:[ -][A-ZА-ЯЁ][a-zа-яё]+)*"
    r"|(?<=[^\W\d_]\s)[A-ZА-ЯЁ][a-zа-яё]{2,}(?:[ -][A-ZА-ЯЁ][a-zа-яё]+)*"
)
"""A word in capitals that begins no sentence; at the begin of one it may be any word."""


_BREAK = re.compile(r"\n|(?<=[.!?])\s|(?<=[。！？])")
_MAY_TELL = re.compile(r"\d|@|https?:|www\.", re.IGNORECASE)


def has_telling(text: str) -> bool:
    """Return whether a text holds an exact value that could not be guessed."""
    return any(True for _ in _telling(text))


def _telling(text: str) -> Iterator[Value]:
    # A look for digits is cheaper than one for values, and most sentences have none.
    if _MAY_TELL.search(text):
        pieces = filter(_MAY_TELL.search, _BREAK.split(text))
        yield from filter(is_telling, values("\n".join(pieces)))


@remembered
def named(text: str) -> frozenset[str]:
    """Return what a text names: exact values, files, names in code, titles, and proper names."""
    read = text[:READ_CHARS]
    return frozenset(_names(read))


def _names(text: str) -> Iterator[str]:
    yield from map(folded, _telling(text))
    yield from (text[start:end].casefold() for start, end in file_names(text))
    yield from (found[0].removesuffix("()") for found in _IDENTIFIER.finditer(text))
    yield from (found[0] for found in _TITLE.finditer(text))
    yield from (found[0].casefold() for found in _NAME.finditer(text))


@remembered
def quotations(text: str) -> tuple[str, ...]:
    """Return what a text quotes, as it is looked for in a `quotable` text."""
    read = text[:READ_CHARS]
    found = [read[start:end].strip(_MARKS) for start, end in quoted(read)]
    found += [line.lstrip("> ") for line in read.split("\n") if line.startswith(">")]
    return tuple(words for words in map(_plain, found) if _weight(words) >= _SHORTEST)


@remembered
def quotable(text: str) -> str:
    """Return a text as quotations are looked for in it: in one case, with single spaces."""
    return _plain(text)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold().strip(" .,;:!?…。！？，；")


def _weight(words: str) -> int:
    return len(words) + 2 * len(_HAN.findall(words))
