"""A text is cut between words, never inside a character, and says that it was cut."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecore.context.cutting import ELLIPSIS, cut, is_shortened, signed, size

FAMILY = "👩\u200d👩\u200d👧"
FLAG = "🇳🇴"


@given(st.text(max_size=300), st.integers(0, 100))
def test_a_cut_text_is_a_beginning_within_its_limit(text, limit_bytes):
    shortened = cut(text, limit_bytes)
    assert text.startswith(shortened.removesuffix(ELLIPSIS))
    assert shortened == text or size(shortened.removesuffix(ELLIPSIS)) <= limit_bytes


def test_what_fits_stays_as_it_is():
    assert cut("Two words", 9) == "Two words"


def test_it_cuts_between_words():
    assert cut("The parcel is in Rotterdam", 20) == "The parcel is in…"


def test_it_cuts_chinese_between_characters():
    assert cut("我们明天早上出发去机场", 10) == "我们明…"


@pytest.mark.parametrize("whole", [FAMILY, FLAG, "e\u0301", "👍🏽", "한\u200d"])
def test_it_never_cuts_inside_a_composed_character(whole):
    text = "ab" + whole + "tail" * 20
    for limit_bytes in range(2, size("ab" + whole)):
        assert cut(text, limit_bytes) == "ab…"


def test_it_reads_lone_surrogates():
    text = "\ud800" * 30
    assert cut(text, 9).removesuffix(ELLIPSIS) in text


def test_no_cut_ends_before_an_accent():
    text = unicodedata.normalize("NFD", "é" * 40)
    assert cut(text, 10).removesuffix(ELLIPSIS).endswith("\u0301")


def test_the_sign_counts_the_characters_that_are_gone():
    assert signed("Head.", "Head." + "x" * 400) == "Head.\n[… 400 characters left out]"


@pytest.mark.parametrize(
    ("shortened", "original", "gains"), [(40, 80, False), (290, 400, False), (240, 400, True)]
)
def test_a_shortened_text_must_gain_a_quarter(shortened, original, gains):
    assert (signed("x" * shortened, "x" * original) is not None) == gains


def test_a_signed_text_is_known_as_shortened():
    text = signed("Head.", "Head." + "x" * 400)
    assert is_shortened(text)
    assert not is_shortened(f"{text} And more.")
