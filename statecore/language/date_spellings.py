"""Dates as they may be written again: in figures and words of three languages."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from statecore.language.dates import DATE
from statecore.language.numerals import han_amount, han_numerals

_MONTHS: Final = [
    "jan",
    "feb",
    "mar",
    "apr",
    "may",
    "jun",
    "jul",
    "aug",
    "sep",
    "oct",
    "nov",
    "dec",
]
_MONTHS_RU: Final = [
    "январ",
    "феврал",
    "март",
    "апрел",
    "ма",
    "июн",
    "июл",
    "август",
    "сентябр",
    "октябр",
    "ноябр",
    "декабр",
]
_MAY: Final = 5
_LONG: Final = [
    "jan(?:uary)?",
    "feb(?:ruary)?",
    "mar(?:ch)?",
    "apr(?:il)?",
    "may",
    "june?",
    "july?",
    "aug(?:ust)?",
    "sept?(?:ember)?",
    "oct(?:ober)?",
    "nov(?:ember)?",
    "dec(?:ember)?",
]
_NTH: Final = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
    "twenty.first",
    "twenty.second",
    "twenty.third",
    "twenty.fourth",
    "twenty.fifth",
    "twenty.sixth",
    "twenty.seventh",
    "twenty.eighth",
    "twenty.ninth",
    "thirtieth",
    "thirty.first",
]
_NTH_RU: Final = [
    "перв",
    "втор",
    "трет",
    "четверт",
    "пят",
    "шест",
    "седьм",
    "восьм",
    "девят",
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
    "двадцат",
]
_TWENTY: Final = 20
_THIRTY: Final = 30
_SHORTEST_YEAR: Final = 1_000
_MOST_MONTH: Final = 12
_MOST_DAY: Final = 31

_CJK: Final = "〇零一二三四五六七八九"
_HAN_DATE: Final = re.compile(
    rf"(?:([{_CJK}\d]{{4}})年)?([一二三四五六七八九十]{{1,2}}|\d{{1,2}})月"
    r"(?:([一二三四五六七八九十]{1,3}|\d{1,2})[日号]?)?"
)
_NUMERIC: Final = re.compile(r"(\d{1,4})[-./](\d{1,2})[-./](\d{1,4})")
_YEAR: Final = re.compile(r"(?<!\d)\d{4}(?!\d)")
_DAY: Final = re.compile(r"(?<!\d)\d{1,2}(?!\d)")


def _nth_russian(number: int) -> str:
    if number <= _TWENTY:
        return rf"{_NTH_RU[number - 1]}\w{{2,3}}"
    if number == _THIRTY:
        return r"тридцат\w{2,3}"
    tens = "двадцать" if number < _THIRTY else "тридцать"
    return rf"{tens}\s{_NTH_RU[number % 10 - 1]}\w{{2,3}}"


_NTH_OF: Final = re.compile(
    "(?:"
    + "|".join(
        rf"(?P<n{number}>\b(?:{_NTH[number - 1].replace('.', '[ -]')}|{_nth_russian(number)}))"
        for number in range(_MOST_DAY, 0, -1)
    )
    + rf")(?=\s(?:of\s)?(?:{'|'.join((*_MONTHS, *_MONTHS_RU))}))",
    re.IGNORECASE,
)


class Day(NamedTuple):
    """A date; what is not said is None."""

    year: int | None
    month: int
    day: int | None


def days(text: str) -> Iterator[Day]:
    """Yield the dates of a text; of "3/4/2027" both that it may be."""
    plain = _NTH_OF.sub(lambda found: str(int((found.lastgroup or "")[1:])), text)
    for found in (*_HAN_DATE.finditer(plain), *DATE.finditer(plain)):
        if "月" not in found[0] or found.re is _HAN_DATE:
            yield from _read(found[0])


def _read(date: str) -> Iterator[Day]:
    if numeric := _NUMERIC.fullmatch(date):
        first, second, third = (int(part) for part in numeric.groups())
        pairs = [(first, second, third)]
        if first < _SHORTEST_YEAR:
            year = third if third >= _SHORTEST_YEAR else 2000 + third - (100 if third > 50 else 0)  # noqa: PLR2004  # as people write years
            pairs = [(year, second, first)]
            if first <= _MOST_MONTH and "/" in date:
                pairs.append((year, first, second))
        yield from (
            Day(year, month, day)
            for year, month, day in pairs
            if 1 <= month <= _MOST_MONTH and 1 <= day <= _MOST_DAY
        )
    elif han := _HAN_DATE.search(date):
        han_year, han_month, han_day = map(_number, han.groups())
        if han_month and han_month <= _MOST_MONTH:
            yield Day(han_year, han_month, han_day)
    elif (named := _month(date)) and (figure := _DAY.search(date) or _YEAR.search(date)):
        year_found = _YEAR.search(date)
        yield Day(
            int(year_found[0]) if year_found else None,
            named,
            int(figure[0]) if len(figure[0]) < 3 else None,  # noqa: PLR2004  # a day has two digits
        )


def _number(word: str | None) -> int | None:
    if not word:
        return None
    if len(word) == 4:  # noqa: PLR2004  # a year is spelled by its digits
        return int("".join(str(max(_CJK.index(c) - 1, 0)) if c in _CJK else c for c in word))
    return int(word) if word.isdecimal() else han_amount(word)


def _month(date: str) -> int | None:
    folded = date.casefold()
    for number, (english, russian) in enumerate(zip(_MONTHS, _MONTHS_RU, strict=True), 1):
        if re.search(rf"(?<![a-z]){english}|(?<![а-я]){russian}(?:[а-я](?![а-я])|\b)", folded):
            return number
    return None


def day_pattern(day: Day) -> str | None:
    """Return what finds a date again; None where it says no more than a month."""
    month = day.month
    names = _LONG[month - 1] + r"\.?"
    russian = _MONTHS_RU[month - 1] + (r"[йяею](?![а-я])" if month == _MAY else r"[а-я]{0,2}")
    if day.day is None:
        if day.year is None:
            return None
        return rf"(?:{names},?\s{day.year}|{russian}\s{day.year}|{day.year}年0?{month}月)"
    number, year = day.day, day.year
    dayed = rf"0?{number}(?:\s?(?:st|nd|rd|th))?|{_NTH[number - 1].replace('.', '[ -]')}"
    dayed_ru = rf"0?{number}(?:-?(?:го|е|ое|му))?|{_nth_russian(number)}"
    ending = rf"(?:,?\s{year}(?!\d))?" if year else r"(?:,?\s\d{4}(?!\d))?"
    ending_ru = rf"(?:\s{year}(?:\s?(?:года?|г\.?)(?![а-я]))?)?" if year else ""
    han_year = ""
    if year:
        spelled = "".join("[零〇]" if c == "0" else _CJK[int(c) + 1] for c in str(year))
        han_year = rf"(?:(?:{year}|{spelled})年)?"
    han_day, han_month = han_numerals(number), han_numerals(month)
    forms = [
        rf"(?:the\s)?(?:{dayed})(?:\sday)?\s(?:of\s)?(?:{names})(?![a-z]){ending}",
        rf"(?:{names})\s(?:the\s)?(?:{dayed})(?![\d:]){ending}",
        rf"(?:{dayed_ru})\s{russian}(?![а-я]){ending_ru}",
        rf"{han_year}0?{month}月0?{number}[日号號]?",
        rf"{han_year}{han_month}月{han_day}[日号號]?",
        rf"0{number}\.{month:02}\.?" if number < 10 else rf"{number}\.{month:02}\.?(?![.\d])",  # noqa: PLR2004  # one digit
    ]
    if year:
        short = f"(?:{year // 100})?{year % 100:02}"
        forms[:0] = [
            rf"{year}\s?[-./年]\s?0?{month}\s?[-./月]\s?0?{number}[日号]?",
            rf"0?{number}\s?[-./]\s?0?{month}\s?[-./]\s?{short}",
            rf"0?{month}\s?[-./]\s?0?{number}\s?[-./]\s?{short}",
            rf"(?<!\d\s)(?<!\d(?:st|nd|rd|th)\s)(?<!\sof\s)(?:{names}),?\s{year}",
            rf"(?<!\d\s)(?<!го\s){russian}\s{year}",
            rf"{year}年0?{month}月(?!\d)",
        ]
    return f"(?:{'|'.join(forms)})"


def day_hints(day: Day) -> tuple[tuple[str, ...], ...]:
    """Return what texts that tell a date have in them, without their spaces and signs.

    Each text has all words of at least one of the tuples.
    """
    english, russian = _MONTHS[day.month - 1], _MONTHS_RU[day.month - 1]
    if day.day is None:
        year = str(day.year)
        return ((english, year), (russian, year), (year, "月"))
    nth = _NTH[day.day - 1].rpartition(".")[2]
    dates: list[tuple[str, ...]] = [
        (english, str(day.day)),
        (english, nth),
        (russian, str(day.day)),
    ]
    dates += [(russian, _nth_russian(day.day)[:3]), ("月",)]
    padded = (f"{day.day:02}", f"{day.month:02}")
    dates.append((f"{padded[0]}{padded[1]}",))
    if day.year:
        short = f"{day.year % 100:02}"
        dates += [(english, str(day.year)), (russian, str(day.year))]
        dates += [
            (figures,)
            for number in {str(day.day), padded[0]}
            for month in {str(day.month), padded[1]}
            for figures in (
                f"{number}{month}{short}",
                f"{month}{number}{short}",
                f"{number}{month}{day.year}",
                f"{month}{number}{day.year}",
                f"{day.year}{month}{number}",
            )
        ]
    return tuple(dates)
