"""Terms let two texts meet although words bend and Chinese has no spaces."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecore.language.terms import shared, terms


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("the hotels", "a HOTEL"),
        ("гостиницы у вокзала", "В гостинице"),
        ("зелёный чай", "зеленого чая"),
        ("我想去上海", "上海的天气"),
        ("order QX-4417", "qx-4417 please"),
        ("ＱＸ", "qx"),
    ],
)
def test_texts_about_the_same_share_a_term(one, other):
    assert terms(one) & terms(other)


@pytest.mark.parametrize("text", ["", "the and of you", "и не в она", "的了吗", "...", "😀"])
def test_words_that_say_nothing_are_no_terms(text):
    assert terms(text) == frozenset()


def test_different_things_share_none():
    assert not terms("a window seat") & terms("the train station")
    assert not terms("место у окна") & terms("поезд на вокзале")
    assert not terms("靠窗的座位") & terms("上海火车站")


@given(st.text(max_size=60))
def test_case_and_repetition_change_nothing(text):
    assert terms(f"{text} {text}") == terms(text)


WORDS = st.sampled_from(
    ["Order", "QX-4417", "orders", "don’t", "Гостиницы", "зелёный", "чая", "我想去上海", "ﬁne", "x"]
)


@given(st.lists(WORDS), st.lists(WORDS), st.integers(0, 2))
def test_shared_terms_are_those_that_both_texts_have(said, asked, many):
    text = " ".join(said)
    named = terms(" ".join(asked)) | {f"word{number}" for number in range(many * 100)}

    assert shared(text, named) == len(terms(text) & named)


@given(st.text(), st.text())
def test_shared_terms_of_any_two_texts(one, other):
    assert shared(one, terms(other)) == len(terms(one) & terms(other))
