"""Whole numbers are found again however they are written."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecore.language.numerals import (
    english_words,
    figure_amount,
    han_amount,
    han_numerals,
    hints_of,
    spelled_amounts,
    written,
)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("twelve thousand five hundred", 12_500),
        ("one hundred and five", 105),
        ("две тысячи триста", 2_300),
        ("ста двадцати тысячам", 120_000),
        ("一万两千", 12_000),
        ("三万五", 35_000),
        ("二十", 20),
        ("一百零五", 105),
    ],
)
def test_words_are_read(text, number):
    assert number in [amount.number for amount in spelled_amounts(text)]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("12.5k", 12_500),
        ("1 200", 1_200),
        ("84,000", 84_000),
        ("3.5万", 35_000),
        ("9,5 млн", 9_500_000),
    ],
)
def test_figures_are_read_with_their_scale(text, number):
    assert figure_amount(text) == number


@pytest.mark.parametrize("text", ["1.5", "1.200,50"])
def test_a_fraction_is_no_whole_number(text):
    assert figure_amount(text) is None


@pytest.mark.parametrize(
    "text",
    [
        *("12500", "12,500", "12 500", "12.500", "12’500", "12500.00", "12.5k", "12.5 thousand"),
        *("12,5 тыс", "1.25万", "twelve thousand five hundred", "一万两千五百", "一万二千五"),
        *("двенадцать тысяч пятьсот", "двенадцати тысячам пятистам"),
    ],
)
def test_a_number_is_found_however_it_is_written(text):
    assert re.fullmatch(written(12_500), text, re.IGNORECASE)


@pytest.mark.parametrize("text", ["12501", "1250", "125", "1.2k", "twelve thousand", "一万二千"])
def test_another_number_is_not(text):
    assert not re.fullmatch(written(12_500), text, re.IGNORECASE)


@given(st.integers(1, 10**9))
def test_chinese_numerals_are_read_as_they_are_written(number):
    plain = han_numerals(number).replace("?", "").replace("[二两]", "二")

    assert han_amount(plain) == number
    assert re.fullmatch(han_numerals(number), plain)


@given(st.integers(1, 10**9))
def test_figures_and_words_have_what_is_looked_for_first(number):
    words = " ".join(re.findall(r"[a-z]+", english_words(number).replace("(?:an?|one)", "one")))
    for text in (str(number), words):
        squeezed = text.replace(" ", "")
        assert any(all(part in squeezed for part in hint) for hint in hints_of(number))
