"""Times of day are found again by either clock, and no others for them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecore.language.clock_spellings import Clock, clock_hints, clock_pattern, clocks
from statecore.language.spellings import squeezed


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("7:45 pm", Clock(19, 45, is_half_known=True)),
        ("19:45", Clock(19, 45, is_half_known=True)),
        ("7:45", Clock(7, 45, is_half_known=False)),
        ("quarter to eight", Clock(7, 45, is_half_known=False)),
        ("7 вечера", Clock(19, 0, is_half_known=True)),
        ("晚上七点四十五分", Clock(19, 45, is_half_known=True)),
        ("下午3点半", Clock(15, 30, is_half_known=True)),
    ],
)
def test_a_time_is_read(text, clock):
    assert list(clocks(text)) == [clock]


@pytest.mark.parametrize(
    "text",
    [
        "7:45",
        "7:45 pm",
        "19:45",
        "19h45",
        "quarter to eight",
        "7:45 вечера",
        "晚上7点45",
        "七点四十五分",
    ],
)
def test_a_time_is_found_by_either_clock(text):
    clock = Clock(19, 45, is_half_known=True)

    assert re.search(clock_pattern(clock), text, re.IGNORECASE)
    assert any(all(word in squeezed(text) for word in hint) for hint in clock_hints(clock))


@pytest.mark.parametrize("text", ["7:45 am", "7:45 утра", "早上7点45", "17:45", "7:46", "745"])
def test_the_other_half_of_the_day_is_another_time(text):
    found = re.compile(rf"(?<!\d){clock_pattern(Clock(19, 45, is_half_known=True))}(?!\d)")

    assert not found.search(text)


@given(st.integers(0, 23), st.integers(0, 59), st.booleans())
def test_every_time_has_a_pattern_that_finds_it(hour, minute, is_half_known):
    pattern = clock_pattern(Clock(hour, minute, is_half_known))

    assert re.search(pattern, f"{hour}:{minute:02}")
