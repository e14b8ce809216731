"""Exact values in running text: codes, numbers, money, dates, times and addresses."""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from statecore.language.amounts import MONEY, NUMBER
from statecore.language.dates import DATE, TIME
from statecore.language.mentions import Span, links

ValueKind = Literal["code", "number", "money", "date", "time", "email", "phone", "link"]

_L = "A-Za-zА-Яа-яЁё"

_EMAIL = re.compile(
    r"(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}"
)
_PHONE = re.compile(
    r"""(?<![\d\w+.,-])(?:
        \+\d(?:[\s().-]{0,2}\d){7,14}
        | \(\d{3,5}\)\s?\d(?:[\s-]?\d){4,9}
        | 8[\s-]?\(?\d{3}\)?[\s-]?\d{3}[\s-]?\d{2}[\s-]?\d{2}
        | \d{3}[-.\s]\d{3}[-.]\d{4}
        | \d{3}-\d{4} | \d{3}-\d{2}-\d{2}
        | 0\d{2,3}-\d{7,8}
    )(?![\d-])
    | (?<!\d)1[3-9]\d(?:\d{8}|[\s-]\d{4}[\s-]\d{4})(?!\d)""",
    re.VERBOSE,
)
_CODE = re.compile(
    rf"""[#№]\s?\d[\d-]{{1,30}}(?![{_L}\d])
    | (?<![{_L}\d])(?:ISO|RFC|IEC|DIN|IEEE|ГОСТ|GB)[\s-]?\d[\d:.-]{{1,20}}(?<=\d)
    | (?<![{_L}\d._/-])v?\d{{1,9}}(?:\.\d{{1,9}}){{2,5}}(?![\d{_L}])
    | (?<![{_L}\d._-])\d{{2,12}}(?:-\d{{2,12}}){{1,6}}(?![\d{_L}-])
    | (?<![{_L}\d._@-])(?:[{_L}]{{1,12}}[-_/]?)?\d[{_L}\d]{{0,40}}(?:[-_/][{_L}\d]{{1,40}}){{0,8}}
    | (?<![{_L}\d._@-])[{_L}]{{1,12}}\d?[{_L}]{{0,12}}(?:[-_][{_L}\d]{{1,40}}){{1,8}}""",
    re.VERBOSE,
)
_LETTER = re.compile(rf"[{_L}]")
_DIGIT = re.compile(r"\d")
_MEASURE = re.compile(
    r"""\d+(?:st|nd|rd|th|s|x|k|m|km|cm|mm|g|kg|mg|t|l|ml|gb|mb|tb|kb|h|hr|hrs|min|mins|sec|ms|w|kw
        |v|hz|mhz|ghz|p|fps|am|pm|d|y|в|г|р|м|км|см|мм|кг|гр|л|мл|гб|мб|тб|ч|мин|сек|с|т|шт|тыс|млн
        |руб|й|я|е|го|му|ой|ый|ая|х|ти)""",
    re.VERBOSE | re.IGNORECASE,
)
_NO_CODE = re.compile(r"\d+-[a-zа-яё].*|[a-zа-яё]+-\d{1,2}|[a-z]{2,}\d{1,2}|\d+/\d+")
"""Such as "5-star", "top-10", "mp3", "24/7"; capitals make a code of them."""

_FEWEST_DIGITS = 4
"""A shorter number is said too often for its echo to mean anything."""
YEAR = re.compile(r"(?:19|20)\d\d")


class Value(NamedTuple):
    """One exact value and its place."""

    kind: ValueKind
    start: int
    end: int
    """After the last character."""
    text: str


def values(text: str) -> tuple[Value, ...]:
    """Return the exact values of a text in order; none lies inside another.

    What a more particular kind has found is hidden from the kinds after it.
    """
    found: list[Value] = []
    rest = text
    for kind, pattern in _KINDS:
        spans = list(links(rest) if pattern is None else _spans(kind, pattern, rest))
        found += [Value(kind, start, end, text[start:end]) for start, end in spans]
        rest = _hidden(rest, spans)
    return tuple(sorted(found, key=lambda value: value.start))


_KINDS: tuple[tuple[ValueKind, re.Pattern[str] | None], ...] = (
    ("link", None),
    ("email", _EMAIL),
    ("date", DATE),
    ("time", TIME),
    ("money", MONEY),
    ("phone", _PHONE),
    ("code", _CODE),
    ("number", NUMBER),
)


def _spans(kind: ValueKind, pattern: re.Pattern[str], text: str) -> Iterator[Span]:
    for found in pattern.finditer(text):
        start, end = found.span(found.lastindex or 0)
        if kind != "code" or _is_code(text[start:end]):
            yield start, end


def _is_code(token: str) -> bool:
    """Whether a token mixes letters and digits as codes do, or is too regular for a number."""
    if token[0] in "#№":
        return True
    digits = len(_DIGIT.findall(token))
    if not _LETTER.search(token):
        return token.count(".") > 1 or ("-" in token and digits > _FEWEST_DIGITS)
    return digits > 0 and not _MEASURE.fullmatch(token) and not _NO_CODE.fullmatch(token)


def _hidden(text: str, spans: list[Span]) -> str:
    """Return a text with characters that belong to nothing in place of what was found."""
    pieces = []
    at = 0
    for start, end in spans:
        pieces += [text[at:start], "\0" * (end - start)]
        at = end
    return "".join((*pieces, text[at:]))


def is_telling(value: Value) -> bool:
    """Return whether a value is rare enough that finding it elsewhere means it is the same one."""
    if value.kind in {"email", "phone", "link"}:
        return True
    digits = len(_DIGIT.findall(value.text))
    if value.kind == "code" and _LETTER.search(value.text):
        return digits > 0
    if value.kind in {"code", "number", "money"}:
        return digits >= _FEWEST_DIGITS and not YEAR.fullmatch(value.text)
    return False


def folded(value: Value) -> str:
    """Return a value as it is compared: "1,200 euros", "€1 200" and "1200" are one figure."""
    if value.kind not in {"number", "money", "phone"}:
        return "".join(value.text.casefold().split())
    whole = re.sub(r"[,.'’ \u00a0\u202f](?=\d{3}(?!\d))", "", value.text)
    figure = re.search(r"\d+(?:[.,]\d+)?", whole) if value.kind != "phone" else None
    return figure[0].replace(",", ".") if figure else "".join(_DIGIT.findall(whole)) or value.text
