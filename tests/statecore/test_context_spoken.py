"""Places on a path are counted by turns, two messages each."""

import pytest

from statecore.context.spoken import Place, Spoken, fold, place_of
from statecore.context.state import PathTurn, State
from statecore.language.pointers import Pointer
from tests.statecore.builders import answer, user


def pointer(ordinal, *, from_end=False, speaker=None):
    return Pointer("message", 0, 1, ordinal, from_end=from_end, speaker=speaker)


@pytest.mark.parametrize(
    ("ordinal", "place"),
    [(1, (1, "user")), (2, (1, "assistant")), (3, (2, "user")), (10, (5, "assistant"))],
)
def test_messages_are_counted_from_the_front(ordinal, place):
    assert place_of(pointer(ordinal), 5) == Place(*place)


@pytest.mark.parametrize(
    ("ordinal", "place"),
    [(1, (5, "assistant")), (2, (5, "user")), (3, (4, "assistant")), (10, (1, "user"))],
)
def test_messages_are_counted_back_from_the_input(ordinal, place):
    assert place_of(pointer(ordinal, from_end=True), 5) == Place(*place)


def test_of_one_speaker_each_turn_counts_once():
    assert place_of(pointer(2, speaker="user"), 5) == Place(2, "user")
    assert place_of(pointer(2, from_end=True, speaker="assistant"), 5) == Place(4, "assistant")


@pytest.mark.parametrize("from_end", [True, False])
def test_outside_the_path_there_is_no_place(from_end):
    assert place_of(pointer(11, from_end=from_end), 5) is None
    assert place_of(pointer(1, from_end=from_end), 0) is None


def test_an_answer_knows_what_it_answers():
    turns = (PathTurn("t1", 1, (user("u1", "Why?"), answer("a1", "So."))),)
    spoken = Spoken(State(None, turns, user("now", "x")))

    assert [spoken.asked(said) for said in spoken.loaded] == ["Why?", "Why?"]


def test_texts_are_compared_without_case_and_odd_spaces():
    assert fold("Ёлка’s\n  ＡＢ") == "елка's ab"
