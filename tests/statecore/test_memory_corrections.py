"""Which value a correction takes back, in three languages."""

import pytest

from statecore.memory.corrections import holds_any, taken_back


@pytest.mark.parametrize(
    ("text", "old"),
    [
        ("It is 900, not 1,200.", ["1,200"]),
        ("The code isn't QX-4417, it's QX-4471.", ["QX-4417"]),
        ("Take the 14:00 instead of the 15:30.", ["15:30"]),
        ("The visit moved from 12 May to 15 May.", ["12 May"]),
        ("Не 1200, а 900.", ["1200"]),
        ("В 14:00 вместо 15:30.", ["15:30"]),
        ("Перенесли с 12 мая на 15 мая.", ["12 мая"]),
        ("不是1200，是900。", ["1200"]),
        ("从5月12日改到5月15日。", ["5月12日"]),
        ("It is 900 euros.", []),
        ("Not 1,200.", []),
        ("From 12 May I am away.", []),
        ("Our cat sleeps outside.", []),
    ],
)
def test_the_value_that_is_right_no_more(text, old):
    assert [value.text for value in taken_back(text)] == old


@pytest.mark.parametrize(
    ("text", "is_held"),
    [
        ("The budget is 1,200 euros.", True),
        ("Бюджет 1 200 ₽.", True),
        ("预算1200元。", True),
        ("The budget is 12,000 euros.", False),
        ("The budget is 900 euros.", False),
        ("Flat B1200 is free.", False),
    ],
)
def test_an_amount_is_known_however_it_is_written(text, is_held):
    assert holds_any(text, taken_back("It is 900, not 1,200.")) is is_held


def test_the_same_day_of_another_month_is_another_date():
    old = taken_back("The visit moved from 12 May to 15 May.")

    assert holds_any("It was 12 May.", old)
    assert not holds_any("It was 12 June.", old)
