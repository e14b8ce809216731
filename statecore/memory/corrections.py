"""Corrections: which exact value a sentence takes back ("900, not 1,200")."""

import re
from collections.abc import Iterable
from itertools import pairwise

from statecore.language.values import Value, values

_TAKES_BACK = re.compile(
    r"""(?:
        \b(?:not|instead\ of|rather\ than|no\ longer|changed\ from|moved\ from)
        | n['’]t
        | \b(?:не|нет|вместо|раньше\ было|было)
        | 不是 | 而非 | 不再是 | 而不是 | 原来是 | 代替
    )$""",
    re.VERBOSE | re.IGNORECASE,
)
_FROM = re.compile(r"(?:\b(?:from|с|со)|[从由])$", re.IGNORECASE)
_TO = re.compile(r"(?:\b(?:to|на)|[到成为至])$", re.IGNORECASE)
_BEFORE = 24
"""How much of the words in front of a value is looked at."""
_FILLERS = re.compile(
    r"[\s\"'«»“”‘’「」:：€$£¥₽№#]*(?:\b(?:on|at|the|a|in|на|в|к|до)\s+)?[€$£¥№#]*$"
)
_SEPARATORS = re.compile(r"[\s.,'’_-]+")
_NO_DIGIT = re.compile(r"\D")
_AMOUNTS = frozenset({"money", "number", "phone"})


def taken_back(text: str) -> tuple[Value, ...]:
    """Return the values that a correction says are right no more; empty without a new one."""
    found = values(text)
    old = [value for value in found if _TAKES_BACK.search(_words_before(text, value))]
    for first, second in pairwise(found):
        is_moved = _FROM.search(_words_before(text, first)) and _TO.search(
            text[first.end : second.start].rstrip()
        )
        if is_moved and first not in old:
            old.append(first)
    return tuple(old) if len(old) < len(found) else ()


def holds_any(text: str, old: Iterable[Value]) -> bool:
    """Return whether a text has one of the values in it, however it is written."""
    wanted = {_plain(value) for value in old}
    # Reading values costs a hundred times what it takes to see that a text has no such signs.
    signs = (_NO_DIGIT.sub("", text), _SEPARATORS.sub("", text).casefold())
    if not any(one in sign for one in wanted for sign in signs):
        return False
    return any(_plain(value) in wanted for value in values(text))


def _words_before(text: str, value: Value) -> str:
    before = text[max(0, value.start - _BEFORE) : value.start]
    return _FILLERS.sub("", before)


def _plain(value: Value) -> str:
    """Return what two ways of writing a value share: an amount is its digits, else its signs."""
    if value.kind in _AMOUNTS:
        return _NO_DIGIT.sub("", value.text)
    return _SEPARATORS.sub("", value.text).casefold()
