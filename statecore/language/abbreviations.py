"""Full stops that end no sentence: abbreviations, initials, numbers, in English and Russian."""

import re

_WORD_BEFORE = re.compile(r"[^\s(\[«“\"'—]+\Z")
_LONGEST_WORD = 24
_BEFORE_INITIAL = re.compile(
    r"(?:plan|option|vitamin|type|class|grade|part|variant|point|team|group|seat|gate|row|room"
    r"|план\w?|вариант\w{0,2}|витамин\w{0,2}|тип\w?|класс\w?|групп\w|пункт\w?|част\w|ряд\w?)\s+\Z",
    re.IGNORECASE,
)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_NEVER_LAST = _words(
    """
    dr mr mrs ms prof st mt ft rev hon gen col sgt capt lt sen rep gov e.g i.e eg ie vs cf
    approx ca resp т.е т.к т.н т.о т.ч напр см ср им ул пр пр-т пер пл просп наб бул бульв ш
    стр корп кв обл р-н пос дер оф тел моб доб гл рис табл акад проф доц инж гр гос зам зав
    св мр
    """
)
"""What they belong to follows."""

_SOMETIMES_LAST = _words(
    """
    etc inc ltd co corp jr sr a.m p.m am pm al u.s u.k e.u ph.d m.d b.a m.a d.c min max hrs
    dept est jan feb mar apr jun jul aug sep sept oct nov dec т.д т.п др пр руб коп тыс млн
    млрд трлн мин сек час ч н.э г.г гг вв янв фев апр авг сент окт нояб дек эт чел шт долл
    """
)
"""They end a sentence where a capital follows."""

_BEFORE_NUMBER = _words(
    """
    no nos fig vol ch sec p pp art ed par eq п ст с стр рис гл д к кв корп оф эт т ч № пп
    подп
    """
)
"""They are abbreviations where a number follows, and words of their own elsewhere."""


def ends_at_dot(text: str, start: int, dot: int, end: int) -> bool:
    """Return whether the full stop at `dot` ends the sentence that began at `start`.

    It stands before white space, Chinese text or the end of the passage.
    """
    found = _WORD_BEFORE.search(text, max(start, dot - _LONGEST_WORD), dot)
    word = found[0] if found else ""
    following = text[dot + 1 : min(end, dot + 1 + _LONGEST_WORD)].lstrip()
    if not following:
        return True
    if word.isdecimal() and not text[start : dot - len(word)].strip():
        return False  # the number of an item
    if len(word) == 1 and word.isalpha():
        return _letter_ends(text[max(start, dot - _LONGEST_WORD) : dot - 1], word, following)
    folded = word.casefold().rstrip(".")
    if folded in _BEFORE_NUMBER and following[0].isdecimal():
        return False
    if folded in _SOMETIMES_LAST or _is_initials(word):
        return folded not in _NEVER_LAST and following[0].isupper()
    return folded not in _NEVER_LAST


def _letter_ends(before: str, letter: str, following: str) -> bool:
    """Decide after a single letter: an initial, "г.", "p.", or the name of a thing."""
    if letter in {"I", "Я", "я", "i"}:
        return True
    if letter.isupper():
        is_name = following[0].isupper() and not _BEFORE_INITIAL.search(before)
        return not (is_name or following[0].islower() or following[0] in "-–")
    is_after_number = before.rstrip()[-1:].isdecimal()
    return is_after_number and following[0].isupper()


def _is_initials(word: str) -> bool:
    """Whether a word is written like "U.S" or "А.С"; its last full stop is the one looked at."""
    parts = word.split(".")
    return len(parts) > 1 and all(len(part) == 1 and part.isalpha() for part in parts)
