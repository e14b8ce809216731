"""The types of a workflow's fields: what a text says, as far as a rule can be computed from it.

A machine keeps the text exactly as it was said; what is read here serves the guards alone.
"""

import re
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Literal

FieldType = Literal["text", "code", "number", "boolean", "date", "choice"]
"""text: any words; code: one word, such as an order number; number: in digits, with a point;
boolean: yes or no; date: year, month and day; choice: one of the words that the field lists."""

Value = str | Decimal | bool | date
"""What guards compare."""

_WORDS: dict[str, bool] = dict.fromkeys(
    ("yes", "true", "да", "是", "对", "是的"), True
) | dict.fromkeys(("no", "false", "нет", "否", "不", "不是"), False)
_NUMBER = re.compile(r"[+-]?[0-9]{1,18}(?:\.[0-9]{1,9})?")
_YEAR_FIRST = re.compile(
    r"([0-9]{4})(?:-([0-9]{1,2})-|\.([0-9]{1,2})\.|/([0-9]{1,2})/|年([0-9]{1,2})月)([0-9]{1,2})[日号]?"
)
_DAY_FIRST = re.compile(r"([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{4})")
"""With points only: with slashes half of the world means the month first."""

EXPECTED: dict[FieldType, str] = {
    "text": "words",
    "code": "one word without spaces",
    "number": "a number such as 79.90",
    "boolean": "yes or no",
    "date": "a date such as 2026-03-14",
    "choice": "one of the listed words",
}
"""What a text must be, for sentences."""


def value_of(text: str, type_: FieldType, choices: Sequence[str] = ()) -> Value | None:
    """Return what a text says, or None when it is no value of the type.

    Args:
        text: as it was said.
        type_: of the field.
        choices: what a field of type choice may be.
    """
    word = text.strip()
    match type_:
        case "text":
            return word or None
        case "code":
            return word if len(word.split()) == 1 else None
        case "number":
            return Decimal(word) if _NUMBER.fullmatch(word) else None
        case "boolean":
            return _WORDS.get(word.casefold())
        case "date":
            return _date(word)
        case "choice":
            return next(
                (choice for choice in choices if choice.casefold() == word.casefold()), None
            )


def _date(word: str) -> date | None:
    if found := _YEAR_FIRST.fullmatch(word):
        year, *months, day = found.groups()
        month = next(filter(None, months))
    elif found := _DAY_FIRST.fullmatch(word):
        day, month, year = found.groups()
    else:
        return None
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None
