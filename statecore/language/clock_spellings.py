"""Times of day as they may be written again: by either clock, in three languages."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from statecore.language.dates import TIME
from statecore.language.numerals import english_words, han_amount, han_numerals, russian_words

_NOON: Final = 12
_HOURS: Final = 24
_WORDS: Final = [
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
]
_HALF: Final = 30
_QUARTERS: Final = {15: "quarter past", 30: "half past", 45: "quarter to"}
_PM: Final = re.compile(r"\d\s?p\.?m|вечера|дня|下午|傍晚|晚上", re.IGNORECASE)
_AM: Final = re.compile(r"\d\s?a\.?m|утра|凌晨|早上|上午", re.IGNORECASE)
_CLOCK: Final = re.compile(r"(\d{1,2})(?:[:：.](\d{2}))?")
_HAN_CLOCK: Final = re.compile(
    r"([一二两三四五六七八九十]{1,3}|\d{1,2})[点點时](?:(半)|([一三])刻"
    r"|([零一二三四五六七八九十]{1,3}|\d{1,2})分?)?"
)
_HALVES: Final = "凌晨|早上|上午|中午|下午|傍晚|晚上"
_HAN_TIME: Final = re.compile(
    rf"(?:{_HALVES})(?:{_HAN_CLOCK.pattern})|\d{{1,2}}[点點时](?!间)(?:半|[一三]刻|\d{{1,2}}分?)?"
    r"|[一二两三四五六七八九十]{1,3}[点點](?:半|[一三]刻|[一二三四五六七八九十]{1,3}分)"
)
_IN_WORDS: Final = re.compile(
    r"(?:(half|quarter)\s(past|to)\s)?\b(one|two|three|four|five|six|seven|eight|nine|ten|eleven"
    r"|twelve)\b(?=(\so['’]clock)?)(\s[ap]\.?m\b)?",
    re.IGNORECASE,
)


class Clock(NamedTuple):
    """A time of day."""

    hour: int
    minute: int
    is_half_known: bool
    """Whether it says which half of the day is meant."""


def clocks(text: str) -> Iterator[Clock]:
    """Yield the times of day of a text."""
    plain = _in_figures(text)
    for found in (*_HAN_TIME.finditer(plain), *TIME.finditer(plain)):
        said = found[0]
        if han := _HAN_CLOCK.search(said):
            if found.re is TIME:
                continue
            hour = _number(han[1])
            quarter = {"一": 15, "三": 45}.get(han[3] or "", 0)
            minute = _HALF if han[2] else quarter or _number(han[4])
        elif clock := _CLOCK.search(said):
            hour, minute = int(clock[1]), int(clock[2] or 0)
        else:
            continue
        is_late, is_early = bool(_PM.search(said)), bool(_AM.search(said))
        if is_late and hour < _NOON:
            hour += _NOON
        if hour <= _HOURS and minute < 60:  # noqa: PLR2004  # minutes of an hour
            yield Clock(hour % _HOURS, minute, is_late or is_early or hour > _NOON)


def _number(word: str | None) -> int:
    return 0 if not word else int(word) if word.isdecimal() else han_amount(word) or 0


def _in_figures(text: str) -> str:
    """Return a text with "quarter to eight" as 7:45 and "seven o'clock" as 7:00."""

    def figures(found: re.Match[str]) -> str:
        part, side, word, is_sharp, half = found.groups()
        if not (part or is_sharp or half):
            return found[0]
        hour = _WORDS.index(word.casefold()) + 1
        minute = {"half": 30, "quarter": 15}.get((part or "").casefold(), 0)
        if side and side.casefold() == "to":
            hour, minute = (hour - 2) % _NOON + 1, 60 - minute
        return f"{hour}:{minute:02}{half or ''}"

    return _IN_WORDS.sub(figures, text)


def clock_pattern(clock: Clock) -> str:
    """Return what finds a time again, by either clock; never that of the other half of the day."""
    hours = {clock.hour}
    if not clock.is_half_known:
        hours.add((clock.hour + _NOON) % _HOURS)
    return f"(?:{'|'.join(form for hour in sorted(hours) for form in _at(hour, clock.minute))})"


def clock_hints(clock: Clock) -> tuple[tuple[str, ...], ...]:
    """Return what texts that tell a time have in them, as those of dates do."""
    hours = {clock.hour, clock.hour % _NOON or _NOON, (clock.hour + _NOON) % _HOURS}
    told: list[tuple[str, ...]] = [(f"{hour}{clock.minute:02}",) for hour in sorted(hours)]
    told += [(f"{hour}h{clock.minute:02}",) for hour in sorted(hours)]
    told += [("点",), ("點",), *((f"{hour}{sign}",) for hour in sorted(hours) for sign in "时時")]
    if clock.minute in _QUARTERS:
        return (*told, ("".join(_QUARTERS[clock.minute].split()),))
    if clock.minute:
        return tuple(told)
    short = clock.hour % _NOON or _NOON
    names = (str(short), english_words(short))
    told += [(name + mark,) for name in names for mark in ("pm", "am", "oclock")]
    return (*told, ("вечера",), ("утра",), ("дня",), ("ночи",))


def _at(hour: int, minute: int) -> Iterator[str]:
    short = hour % _NOON or _NOON
    is_late = hour >= _NOON
    other = "a" if is_late else "p"
    not_other = rf"(?!\s?{other}\.?m)" + (r"(?!\sутра)" if is_late else r"(?!\s(?:вечера|дня))")
    ours, theirs = ("中午|下午|傍晚|晚上", "上午|早上|凌晨")
    if not is_late:
        ours, theirs = theirs, ours
    han = f"(?:{ours})?" + "".join(f"(?<!{word})" for word in theirs.split("|"))
    tail = r"(?:\s?[ap]\.?m\.?(?![a-z])|\s(?:утра|вечера|дня|ночи)(?![а-я]))?"
    yield rf"0?{hour}[:.h：]{minute:02}(?:[:：]00)?(?!\d){not_other}{tail}"
    yield rf"{han}0?{hour}[点點时時]" + _han_minutes(minute)
    if short != hour:
        yield rf"0?{short}[:.：]{minute:02}(?!\d){not_other}{tail}"
        yield rf"{han}0?{short}[点點]" + _han_minutes(minute)
    yield rf"{han}{han_numerals(short)}[点點]" + _han_minutes(minute)
    name = english_words(short)
    if not minute:
        mark = "p" if is_late else "a"
        ru = "(?:вечера|дня)" if is_late else "(?:утра|ночи)"
        yield rf"(?:{short}|{name})\s?{mark}\.?m\.?(?![a-z])"
        yield rf"(?:{short}|{russian_words(short)})(?:\sчас\w*)?\s{ru}(?![а-я])"
        yield rf"(?:{short}|{name})\s?o['’]clock"
    elif minute in _QUARTERS:
        named = short % _NOON + 1 if _QUARTERS[minute].endswith("to") else short
        yield rf"(?:a\s)?{_QUARTERS[minute]}\s(?:{named}|{english_words(named)})"


def _han_minutes(minute: int) -> str:
    if not minute:
        return r"(?:整|钟)?(?![\d一二三四五六七八九十半])"
    spelled = han_numerals(minute)
    extra = {15: "|一刻", 30: "|半", 45: "|三刻"}.get(minute, "")
    return rf"(?:0?{minute}分?|零?{spelled}分?{extra})"
