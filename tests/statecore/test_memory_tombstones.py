"""What was deleted is known again by its place and, if it was said before, by its words."""

import pytest

from statecore.memory.tombstones import Removed, folded
from tests.statecore.memory_builders import span

REMOVED = Removed(7, (span("m1:10-20"), span("m2:0-5")), "My code is 4711.", ("Мой код 4711.",))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  The  Hotel\nis in ROME! ", "the hotel is in rome"),
        ("«Бюджет — 900 €».", "бюджет — 900 €"),
        ("「不要海鲜！」", "不要海鲜"),
        ("-5", "-5"),
        ("Straße", "strasse"),
        ("?!", "?!"),
        ("  ", ""),
    ],
)
def test_a_sentence_is_compared_without_case_spaces_and_edges(text, expected):
    assert folded(text) == expected


def test_a_place_is_covered_whenever_it_is_said():
    assert REMOVED.covers(span("m1:19-30"), "anything", said_seq=9)
    assert REMOVED.covers(span("m2:2-3"), "anything", said_seq=1)
    assert not REMOVED.covers(span("m1:20-30"), "anything", said_seq=1)
    assert not REMOVED.covers(span("m3:10-20"), "anything", said_seq=1)


@pytest.mark.parametrize("text", ["my code is 4711", "мой код 4711"])
def test_words_are_covered_if_they_were_said_before(text):
    assert REMOVED.covers(None, text, said_seq=6)
    assert REMOVED.covers(span("m9:0-9"), text, said_seq=6)
    assert not REMOVED.covers(span("m9:0-9"), text, said_seq=7)
    assert not REMOVED.covers(None, text + "2", said_seq=6)


def test_a_deletion_without_words_covers_no_empty_words():
    assert not Removed(7, (), "").covers(None, " ", said_seq=1)
