"""Whole numbers as they are written: in figures, with a scale, and in words of three languages."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

_ONES: Final = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS: Final = [
    "_",
    "_",
    "twenty",
    "thirty",
    "forty",
    "fifty",
    "sixty",
    "seventy",
    "eighty",
    "ninety",
]
_ONES_RU: Final = [
    "нол|нул",
    "од(?:ин|на|но|ну)",
    "дв(?:а|е|ух|ум)",
    "тр(?:и|ех|ем)",
    "четыр",
    "пят(?!на|ьд|ид|ьс|ис)",
    "шест(?!на|ьд|ид|ьс|ис)",
    "сем(?!на|ьд|ид|ьс|ис)",
    "(?:восем|восьм)(?!на|ьд|ид|ьс|ис)",
    "девят(?!на|ьс|ис)",
    "десят",
    "одиннадцат",
    "двенадцат",
    "тринадцат",
    "четырнадцат",
    "пятнадцат",
    "шестнадцат",
    "семнадцат",
    "восемнадцат",
    "девятнадцат",
]
_TENS_RU: Final = [
    "_",
    "_",
    "двадцат",
    "тридцат",
    "сорок",
    "пят(?:ь|и)десят",
    "шест(?:ь|и)десят",
    "сем(?:ь|и)десят",
    "вос(?:емь|ьми)десят",
    "девяност",
]
_HUNDREDS_RU: Final = [
    "_",
    "ст(?:о|а)(?![а-я])",
    "дв(?:ести|ухсот|умстам)",
    "тр(?:иста|ехсот|емстам)",
    "четыр\\w{1,2}с[то]",
    "пят[ьи]с[от]",
    "шест[ьи]с[от]",
    "сем[ьи]с[от]",
    "вос(?:емь|ьми)с[от]",
    "девят[ьи]с[от]",
]
_HAN: Final = "零一二三四五六七八九"
_HAN_UNITS: Final = {"十": 10, "百": 100, "千": 1_000}
_HAN_SCALES: Final = {"万": 10_000, "亿": 100_000_000}
_HAN_RUN: Final = re.compile(r"[零〇一二两三四五六七八九十百千万亿]{1,16}")

THOUSAND: Final = 1_000
_HUNDRED: Final = 100
_TWENTY: Final = 20
_TEN: Final = 10
_MYRIAD: Final = 10_000
_MOST: Final = 10**12
_SCALES: Final = (
    (10**9, "(?:billion|bn|миллиард\\w{0,3}|млрд)"),
    (10**8, "亿"),
    (10**6, "(?:million|mln|mio|m(?![a-z])|миллион\\w{0,3}|млн|百万)"),
    (_MYRIAD, "[万萬]"),
    (THOUSAND, "(?:thousand|k(?![a-z])|тысяч\\w{0,3}|тыс|千)"),
)
_SCALE_OF: Final = tuple((re.compile(pattern, re.IGNORECASE), value) for value, pattern in _SCALES)
_SIGNS: Final = (
    "billion",
    "bn",
    "миллиард",
    "млрд",
    "亿",
    "m",
    "м",
    "百万",
    "万",
    "萬",
    "k",
    "t",
    "т",
    "千",
)
_ONE_RU: Final = r"(?:одн\w+\s+)?"
_SURE_HAN: Final = frozenset("一三四五六七八九万亿")
"""What no way of writing leaves out or replaces."""
_AND: Final = r"(?:[\s-]+(?:and\s+)?|[\s-]*,\s*)"
_SEPARATORS: Final = r"[\s.,'’_\u00a0\u202f]?"
_FIGURE: Final = re.compile(r"\d+(?:[.,'’ \u00a0\u202f]\d{3}(?!\d))*(?:[.,]\d{1,3})?")


def _numbered(words: list[str], pattern: str = "{}") -> list[tuple[str, int]]:
    return [(pattern.format(word), value) for value, word in enumerate(words) if word != "_"]


_WORDS_EN: Final = (
    *_numbered(_ONES, r"{}(?![a-z])"),
    *((rf"{word}(?![a-z])", 10 * value) for word, value in _numbered(_TENS)),
    (r"hundred(?![a-z])", _HUNDRED),
    (r"thousand(?![a-z])", THOUSAND),
    (r"million(?![a-z])", 10**6),
    (r"billion(?![a-z])", 10**9),
)
_WORDS_RU: Final = (
    *((word + r"[а-я]*", 10 * value) for word, value in _numbered(_TENS_RU)),
    *((word + r"[а-я]*", _HUNDRED * value) for word, value in _numbered(_HUNDREDS_RU)),
    *((rf"(?:{word})[а-я]{{0,4}}", value) for word, value in reversed(_numbered(_ONES_RU))),
    (r"тысяч[а-я]{0,3}", THOUSAND),
    (r"миллион[а-я]{0,3}", 10**6),
    (r"миллиард[а-я]{0,3}", 10**9),
)


class Amount(NamedTuple):
    """A whole number and where it is written."""

    start: int
    end: int
    """After the last character."""
    number: int


def _runs(words: tuple[tuple[str, int], ...]) -> re.Pattern[str]:
    one = "|".join(pattern for pattern, _ in words)
    return re.compile(rf"(?<![^\W_])(?:{one})(?:[\s-]+(?:and\s+)?(?:{one}))*", re.IGNORECASE)


_LANGUAGES: Final = tuple(
    (
        _runs(words),
        re.compile("|".join(f"({pattern})" for pattern, _ in words), re.IGNORECASE),
        tuple(value for _, value in words),
    )
    for words in (_WORDS_EN, _WORDS_RU)
)


def spelled_amounts(text: str) -> Iterator[Amount]:
    """Yield the numbers that a text spells in words or Chinese numerals."""
    plain = text.replace("ё", "е")
    for run, word, by_group in _LANGUAGES:
        for found in run.finditer(plain):
            parts = [by_group[(one.lastindex or 1) - 1] for one in word.finditer(found[0])]
            yield Amount(*found.span(), _total(parts))
    for found in _HAN_RUN.finditer(text):
        number = han_amount(found[0])
        if number is not None:
            yield Amount(*found.span(), number)


def _total(parts: list[int]) -> int:
    """Return what words come to: "two hundred thousand five" is 200 005."""
    total = current = 0
    for part in parts:
        if part >= THOUSAND:
            total += max(current, 1) * part
            current = 0
        elif part == _HUNDRED and current and current < _HUNDRED:
            current *= part
        else:
            current += part
    return total + current


def han_amount(word: str) -> int | None:
    """Return the number that Chinese numerals spell; None when they spell none."""
    total = section = digit = 0
    before = ""
    for sign in word.replace("两", "二").replace("〇", "零"):
        if sign in _HAN:
            digit = _HAN.index(sign)
        elif sign in _HAN_UNITS:
            section += (digit or 1) * _HAN_UNITS[sign]
            digit = 0
        else:
            below = section + digit
            if not (below or total):
                return None
            if sign == "亿":
                below, total = total + below, 0
            total += below * _HAN_SCALES[sign]
            section = digit = 0
        before = sign if sign not in _HAN else before
    if digit and before in {"万", "千", "百"} and "零" not in word and len(word) > 1:
        # "一万二" is 12 000.
        unit = {"万": THOUSAND, "千": _HUNDRED, "百": _TEN}[before]
        digit *= unit
    return total + section + digit


def figure_amount(text: str) -> int | None:
    """Return the number of a figure with its scale, as "12.5k" or "1 200"; None for a fraction."""
    found = _FIGURE.search(text)
    if found is None:
        return None
    plain = re.sub(r"[.,'’ \u00a0\u202f](?=\d{3}(?!\d))", "", found[0])
    scale = next(
        (value for sign, value in _SCALE_OF if sign.match(text[found.end() :].lstrip())), 1
    )
    if scale > 1:
        plain = found[0].replace(" ", "") if not re.search(r"[.,]\d{3}[.,]", found[0]) else plain
    whole, _, rest = plain.replace(",", ".").partition(".")
    number = (int(whole) * scale) + (int(rest) * scale // 10 ** len(rest) if rest else 0)
    return number if scale > 1 or not rest.strip("0") else None


def written(number: int) -> str:
    """Return what finds a whole number in the usual ways to write it, the longest ways first.

    It is for texts in lower or upper case; what stands around is the caller's matter.
    """
    if not 0 < number < _MOST:
        return str(number)
    words = (english_words(number), russian_words(number), han_numerals(number))
    figures = _grouped(str(number)) + r"(?:[.,]0{1,2}(?!\d))?"
    return f"(?:{'|'.join((*(form for form, _ in _scaled(number)), *words, figures))})"


def hints_of(number: int) -> tuple[tuple[str, ...], ...]:
    """Return what texts that write a number have in them, without their spaces and signs.

    Each text has all words of at least one of the tuples.
    """
    if not 0 < number < _MOST:
        return ((str(number),),)
    english = tuple(word for word in _english(number) if word.isalpha())
    russian = tuple(_begin(part) for part in _russian(number))
    plain = _plain_han(number)
    return (
        (str(number),),
        *((begin + sign,) for _, begin in _scaled(number) for sign in _SIGNS),
        english,
        russian,
        tuple(sorted(_SURE_HAN.intersection(plain))) or (plain[-1],),
    )


def _begin(part: str) -> str:
    """Return with what all forms of a Russian numeral begin."""
    needed = part.removeprefix(_ONE_RU)
    return str(re.findall("[а-я]{2,3}", needed)[0])


def _grouped(digits: str) -> str:
    head = len(digits) % 3 or 3
    groups = [digits[:head], *(digits[at : at + 3] for at in range(head, len(digits), 3))]
    return _SEPARATORS.join(groups)


def _scaled(number: int) -> Iterator[tuple[str, str]]:
    """Yield patterns of "12.5k" and the like, and the digits that they begin with."""
    for scale, sign in _SCALES:
        whole, rest = divmod(number * THOUSAND, scale)
        if not rest and whole >= THOUSAND:
            left, part = divmod(whole, THOUSAND)
            digits = f"{part:03}".rstrip("0")
            tail = rf"[.,]{digits}0?" if digits else "(?:[.,]0)?"
            yield rf"{left}{tail}\s?{sign}", f"{left}{digits}"
    if number > _MYRIAD and number % THOUSAND == 0 and number % _MYRIAD:
        left, rest = divmod(number, _MYRIAD)
        yield rf"{left}[万萬]{rest // THOUSAND}千?", str(left)


def english_words(number: int) -> str:
    """Return what finds a number in English words."""
    return _AND.join(_english(number))


def russian_words(number: int) -> str:
    """Return what finds a number in Russian words, in any case."""
    return r"\s+".join(_russian(number))


def _english(number: int) -> Iterator[str]:
    for scale, name in ((10**9, "billion"), (10**6, "million"), (THOUSAND, "thousand")):
        count, number = divmod(number, scale)
        if count:
            yield from (*_english(count), name)
    hundreds, number = divmod(number, _HUNDRED)
    if hundreds:
        yield from ("(?:an?|one)" if hundreds == 1 else _ONES[hundreds], "hundred")
    if number >= _TWENTY:
        yield _TENS[number // 10]
        number %= 10
    if number:
        yield _ONES[number]


def _russian(number: int) -> Iterator[str]:
    scales = ((10**9, r"миллиард\w{0,3}"), (10**6, r"миллион\w{0,3}"), (THOUSAND, r"тысяч\w{0,3}"))
    for scale, name in scales:
        count, number = divmod(number, scale)
        if count > 1:
            yield from (*_russian(count), name)
        elif count:
            yield _ONE_RU + name
    hundreds, number = divmod(number, _HUNDRED)
    if hundreds:
        yield rf"{_HUNDREDS_RU[hundreds]}\w*"
    if number >= _TWENTY:
        yield rf"{_TENS_RU[number // 10]}\w*"
        number %= 10
    if number:
        yield rf"(?:{_ONES_RU[number]})\w{{0,4}}"


def han_numerals(number: int) -> str:
    """Return what finds a number in Chinese numerals, however much of them is left out."""
    spelled = _plain_han(number).replace("零", "零?")
    # "三万五" is 35 000.
    spelled = re.sub("(?<=万.)千$|(?<=千.)百$|(?<=百.)十$", r"\g<0>?", spelled)
    return re.sub("二", "[二两]", spelled)


def _plain_han(number: int) -> str:
    spelled = ""
    for scale, sign in ((10**8, "亿"), (_MYRIAD, "万"), (1, "")):
        count, number = divmod(number, scale)
        if count:
            is_gap = bool(spelled) and count < THOUSAND
            spelled += ("零" if is_gap else "") + _section(count) + sign
    return spelled[1:] if spelled.startswith("一十") else spelled


def _section(number: int) -> str:
    spelled = ""
    is_gap = False
    for value, sign in ((THOUSAND, "千"), (_HUNDRED, "百"), (10, "十"), (1, "")):
        digit, number = divmod(number, value)
        if digit:
            spelled += ("零" if is_gap else "") + _HAN[digit] + sign
            is_gap = False
        elif spelled and number:
            is_gap = True
    return spelled
