"""The schema digest of a JSON result: its keys, its single values, counts instead of long lists."""

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from statecore.context.cutting import ELLIPSIS, cut, size
from statecore.language.sentences import sentences
from statecore.language.values import is_telling, values

LIMIT_BYTES = 900
"""Of all keys together; the long ones are left out first."""

_STRING_BYTES = 120
"""A longer string is cut; its exact values stay."""
_VALUES = 3
_SHORT_LIST = 3
_FIRST_ITEMS = 3
_KEYS = 12
"""Of one object inside; a wider one is named by its first keys."""
_CHOICES_BYTES = 40
"""A string up to this is a status, a name or an id, and comes before all that is longer."""

_BETWEEN = "; "


class _Number(str):
    """A number as it was written: 12.50 stays 12.50."""

    __slots__ = ()


def parsed(text: str) -> object:
    """Return the object or list that a text holds; None where it is no JSON or a single value."""
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        found = json.loads(text, parse_float=_Number, parse_int=_Number, parse_constant=_Number)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict | list) and found else None


def digested(found: object) -> str:
    """Return one line for an object or a list that `parsed` gave."""
    if isinstance(found, dict):
        return _pairs(found)
    return _list(found) if isinstance(found, list) else _scalar(found)


def _pairs(found: Mapping[str, object]) -> str:
    """Return the pairs of an object in their order; what does not fit is counted."""
    left_bytes = LIMIT_BYTES
    rows = {}
    for key in sorted(found, key=lambda key: _rank(found[key])):
        row = _row(key, found[key])
        left_bytes -= size(row) + len(_BETWEEN)
        if left_bytes < 0:
            break
        rows[key] = row
    kept = [rows[key] for key in found if key in rows]
    if len(kept) < len(found):
        kept.append(f"(+{len(found) - len(kept)} keys)")
    return _BETWEEN.join(kept)


def _row(key: str, value: object) -> str:
    # One row can be wider than all: an object of many long names.
    return cut(f"{_key(key)}: {_value(value)}", LIMIT_BYTES // 2)


def _key(key: str) -> str:
    return cut(" ".join(key.split()), _STRING_BYTES)


def _rank(value: object) -> int:
    """Return what comes first: short single values, then longer ones, then what holds others."""
    if isinstance(value, dict | list):
        return 2
    return 0 if not isinstance(value, str) or len(value) <= _CHOICES_BYTES else 1


def _value(value: object) -> str:
    if isinstance(value, list):
        return _list(value)
    return _object(value) if isinstance(value, dict) else _scalar(value)


def _list(found: Sequence[object]) -> str:
    """Return how many items there are, and of what kind they are."""
    if not found:
        return "0"
    first = found[0]
    if isinstance(first, dict):
        if len(found) <= _SHORT_LIST:
            return f"{len(found)} ({', '.join(_inside(item) for item in found)})"
        return f"{len(found)} (first: {_shape(first)})"
    if isinstance(first, list):
        return f"{len(found)} (first: list of {len(first)})"
    more = [ELLIPSIS] if len(found) > _FIRST_ITEMS else []
    return f"{len(found)} ({', '.join([*map(_inside, found[:_FIRST_ITEMS]), *more])})"


def _object(found: Mapping[str, object]) -> str:
    """Return the pairs of an object inside another one; what those hold is only named."""
    rows = (f"{_key(key)}: {_inside(value)}" for key, value in found.items())
    return _braced(rows, len(found))


def _shape(found: Mapping[str, object]) -> str:
    return _braced(map(_key, found), len(found))


def _braced(rows: Iterable[str], total: int) -> str:
    more = [f"+{total - _KEYS}"] if total > _KEYS else []
    return "{" + ", ".join([*islice(rows, _KEYS), *more]) + "}"


def _inside(value: object) -> str:
    if isinstance(value, dict):
        is_flat = not any(isinstance(inner, dict | list) for inner in value.values())
        return _object(value) if is_flat else _shape(value)
    return f"[{len(value)}]" if isinstance(value, list) else _scalar(value)


def _scalar(value: object) -> str:
    if isinstance(value, _Number):
        return cut(value, _STRING_BYTES)
    if isinstance(value, str):
        return json.dumps(_string(value), ensure_ascii=False)
    return json.dumps(value)


def _string(text: str) -> str:
    """Return a string, a long one as its leading sentences and the exact values of the rest."""
    if size(text) <= _STRING_BYTES:
        return text
    ends = [found.end for found in sentences(text[:_STRING_BYTES])[:-1]]
    at = next((end for end in reversed(ends) if size(text[:end]) <= _STRING_BYTES), 0)
    head = f"{text[:at]} {ELLIPSIS}" if at else cut(text, _STRING_BYTES)
    rest = text[len(head) - 2 :][: 10 * _STRING_BYTES]
    told = (value.text for value in values(rest) if is_telling(value))
    short = (words for words in told if len(words) <= _CHOICES_BYTES)
    return " ".join((head, *islice(short, _VALUES)))
