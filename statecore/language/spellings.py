"""Spellings: by what else than its own words the exact values of a statement may be told again."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from statecore.language.amounts import UNIT
from statecore.language.clock_spellings import clock_hints, clock_pattern, clocks
from statecore.language.date_spellings import day_hints, day_pattern, days
from statecore.language.mentions import Span
from statecore.language.names import address_patterns, name_patterns
from statecore.language.numerals import THOUSAND, figure_amount, hints_of, spelled_amounts, written
from statecore.language.values import YEAR, Value, is_telling, values

_SEPARATORS: Final = r"[\s.,'’()*`_/–—-]{0,3}"
_JOINTS: Final = r"[\s._/–—*`~-]{0,5}"
_WITHIN: Final = r"[\s.*`-]?"
_RUN: Final = re.compile(r"\d+|[^\W\d_]+")
_DIGITS: Final = re.compile(r"\d+")
_GROUPS: Final = re.compile(r"(?<![\w.,-])\d{2,}(?:[ -]\d{2,})+(?![\w,-]|\.\d)")
_GROUPED_CODE: Final = re.compile(r"(?<!\w)[A-Z]{1,4}\d{1,4}(?:[ -][A-Z\d]{2,6}){2,}(?!\w)")
_UNIT: Final = re.compile(rf"\s?{UNIT}", re.IGNORECASE)
_FEWEST_DIGITS: Final = 3
"""Of a shorter code the parts are found by chance: "A1" in "a 1-hour walk"."""
_FEWEST_SIGNS: Final = 6
_FEWEST_GROUPED: Final = 6
_FEWEST_NATIONAL: Final = 7
_RUSSIAN: Final = 11
_NO_SIGN: Final = re.compile(r"[\W_]+")
_CODE_ALIKE: Final = re.compile(r"[^\W_]+(?:[-_./][^\W_]+)*")
_TWO_DIGIT_COUNTRIES: Final = re.compile(r"2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]")
_CURRENCY: Final = r"(?:[€$£¥￥₽₩₹]|(?:EUR|USD|GBP|CNY|RMB|RUB|CHF)\s?)"
_ALONE: Final = r"(?<!\d)(?<!\d[.,]){}(?!\d)(?![.,]\d)"
_FLAT: Final = {
    **{code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)},
    **{ord(space): " " for space in "\u3000\u00a0\u202f\u2009\u2007"},
    **{ord(dash): "-" for dash in "‐‑‒−"},
    ord("ё"): "е",
    ord("Ё"): "Е",
}


class Needle(NamedTuple):
    """What a value is found by in a flat text, in any case."""

    pattern: str
    hints: tuple[tuple[str, ...], ...]
    """A text without all words of one of these, as `squeezed` returns it, need not be searched."""
    is_sure: bool = True
    """Whether finding it means that it is the same value; otherwise what it stands in has to be
    about the same matter."""


def flat(text: str) -> str:
    """Return a text without full-width signs, special spaces and ё, each in its place."""
    return text.translate(_FLAT)


def squeezed(text: str) -> str:
    """Return the letters and digits of a text in one case, as `Needle.hints` are looked for."""
    return _NO_SIGN.sub("", flat(text).casefold())


def literal(words: str) -> Needle:
    """Return what finds words as they are."""
    return Needle(re.escape(flat(words)), _hint(words))


def _hint(*words: str) -> tuple[tuple[str, ...], ...]:
    return (tuple(squeezed(word) for word in words),)


def needles(statement: str) -> tuple[Needle, ...]:
    """Return what finds the exact values of a statement again, however they are written."""
    return tuple(dict.fromkeys(_needles(flat(statement))))


def _needles(text: str) -> Iterator[Needle]:
    yield from (Needle(found, _hint(name)) for found, name in address_patterns(text))
    for pattern, name, is_sure in name_patterns(text):
        yield Needle(pattern, _hint(name), is_sure=is_sure)
    for day in days(text):
        if found := day_pattern(day):
            yield Needle(found, day_hints(day))
    for clock in clocks(text):
        yield Needle(clock_pattern(clock), clock_hints(clock), is_sure=bool(clock.minute))
    grouped = list(_groups(text))
    yield from (needle for _, needle in grouped)
    for value in values(text):
        if not any(
            start <= value.start and value.end <= end and value.kind != "phone"
            for (start, end), _ in grouped
        ):
            yield from _of_value(value)
    yield from _spelled(text)


def _groups(text: str) -> Iterator[tuple[Span, Needle]]:
    """Yield numbers and codes that are written in groups, and what finds them again."""
    for found in _GROUPS.finditer(text):
        digits = "".join(_DIGITS.findall(found[0]))
        if len(digits) >= _FEWEST_GROUPED:
            yield found.span(), Needle(_joined(digits), _hint(digits))
    for found in _GROUPED_CODE.finditer(text):
        signs = re.findall(r"\w", found[0])
        yield found.span(), Needle(_JOINTS.join(signs), _hint("".join(signs)))


def _spelled(text: str) -> Iterator[Needle]:
    for amount in spelled_amounts(text):
        has_unit = _UNIT.match(text, amount.end) is not None
        is_alone = " " not in text[amount.start : amount.end] and amount.number % THOUSAND == 0
        is_han = text[amount.start] > "\u3400" and amount.end - amount.start > 1
        if has_unit or (amount.number >= THOUSAND and (is_han or not is_alone)):
            yield from _of_number(amount.number, is_money=has_unit)


def _of_value(value: Value) -> Iterator[Needle]:
    if value.kind == "email":
        name, _, host = value.text.partition("@")
        dotted = re.escape(host).replace(r"\.", r"\s?(?:\.|\(?dot\)?)\s?")
        at = r"\s?(?:@|\[?\(?at\)?\]?|собака)\s?"
        yield Needle(re.escape(name) + at + dotted, _hint(name, host.partition(".")[0]))
    elif value.kind == "link":
        bare = re.sub(r"^(?:https?://)?(?:www\.)?", "", value.text, flags=re.IGNORECASE).rstrip("/")
        yield Needle(rf"(?:https?://)?(?:www\.)?{re.escape(bare)}/?", _hint(bare))
    elif value.kind == "phone":
        yield _phone(value.text)
    elif value.kind in {"money", "number"}:
        number = figure_amount(value.text)
        digits = "".join(_DIGITS.findall(value.text))
        if number is not None:
            yield from _of_number(number, is_money=value.kind == "money")
        elif is_telling(value):
            yield Needle(_joined(digits), _hint(digits))
    elif value.kind == "code" and is_telling(value):
        yield Needle(_code(value.text), _hint(value.text))


def _of_number(number: int, *, is_money: bool) -> Iterator[Needle]:
    is_large = number >= THOUSAND and not YEAR.fullmatch(str(number))
    amount, hints = written(number), hints_of(number)
    if is_large:
        yield Needle(_ALONE.format(amount), hints)
    elif is_money:
        money = rf"{_CURRENCY}\s?{amount}(?!\d)(?![.,]\d)|{amount}\s?{UNIT}"
        yield Needle(rf"(?<!\d)(?<!\d[.,])(?:{money})", hints)
        yield Needle(_ALONE.format(amount), hints, is_sure=False)


def _joined(digits: str) -> str:
    return _ALONE.format(_SEPARATORS.join(digits))


def _phone(text: str) -> Needle:
    """Return what finds a number with and without its country, whatever stands between."""
    digits = "".join(_DIGITS.findall(text))
    country = ""
    if text.lstrip("( ").startswith("+"):
        country = _country(digits)
    elif digits.startswith("00"):
        digits = digits[2:]
        country = _country(digits)
    national = digits[len(country) :].removeprefix("0")
    if not country and len(digits) == _RUSSIAN and digits[0] in "78":
        national = digits[1:]
    if len(national) < _FEWEST_NATIONAL:
        national = digits
    before = rf"(?:(?:\+|00)?\(?\d{{1,3}}\)?{_SEPARATORS})?(?:\(?0\)?{_SEPARATORS})?\(?"
    pattern = rf"(?<!\d){before}{_SEPARATORS.join(national)}(?!\d)"
    return Needle(pattern, _hint(national))


def _country(digits: str) -> str:
    if digits[:1] in {"1", "7"}:
        return digits[:1]
    return digits[:2] if _TWO_DIGIT_COUNTRIES.match(digits) else digits[:3]


def _code(text: str) -> str:
    digits = sum(sign.isdigit() for sign in text)
    runs = _RUN.findall(text)
    if digits < _FEWEST_DIGITS or not _CODE_ALIKE.fullmatch(text):
        return re.escape(text)
    if sum(map(len, runs)) >= _FEWEST_SIGNS:
        return _JOINTS.join(_WITHIN.join(run) for run in runs)
    return _JOINTS.join(runs)
