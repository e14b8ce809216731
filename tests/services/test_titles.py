"""A conversation is named after the first line of its first message."""

import pytest

from chatapp.services.titles import TITLE_CHARACTERS, title_from


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Plan a trip to Kazan", "Plan a trip to Kazan"),
        ("  Plan   a\ttrip \n to Kazan", "Plan a trip"),
        ("\n\nPlan", "Plan"),
        ("a" * 60, "a" * 60),
        ("a" * 61, "a" * 60 + "…"),
        ("word " * 20, "word " * 11 + "word…"),
        ("你好" * 40, "你好" * 30 + "…"),
        ("x " + "y" * 80, "x " + "y" * 58 + "…"),
    ],
)
def test_it_is_cut_at_a_word_where_there_is_one(text, title):
    assert title_from(text) == title


@pytest.mark.parametrize("text", ["word " * 50, "👋" * 200, "a-b-" * 50])
def test_it_is_never_longer_than_a_line(text):
    assert len(title_from(text)) <= TITLE_CHARACTERS + 1
