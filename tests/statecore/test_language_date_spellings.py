"""Dates are found again in other spellings, and no others for them."""

import re

import pytest

from statecore.language.date_spellings import Day, day_hints, day_pattern, days
from statecore.language.spellings import squeezed


@pytest.mark.parametrize(
    "text",
    [
        *("14 March 1987", "March 14th, 1987", "the fourteenth of March", "14.03.1987"),
        *("14 марта 1987 года", "четырнадцатого марта", "1987-03-14", "3/14/1987"),
        *("1987年3月14日", "三月十四日", "14.3.87"),
    ],
)
def test_a_date_is_read_and_found_in_every_spelling(text):
    assert any((day.month, day.day) == (3, 14) for day in days(text))
    assert re.search(day_pattern(Day(1987, 3, 14)), text, re.IGNORECASE)
    assert any(all(word in squeezed(text) for word in hint) for hint in day_hints(Day(1987, 3, 14)))


@pytest.mark.parametrize(
    "text", ["15 March 1987", "14 May", "14 apples", "1987", "3.14", "15 марта 1987", "3月15日"]
)
def test_another_date_is_not(text):
    found = re.compile(
        rf"(?<![0-9A-Za-z]){day_pattern(Day(1987, 3, 14))}(?![0-9A-Za-z])", re.IGNORECASE
    )

    assert not found.search(text)
