"""What is said of states is one sentence each."""

from typing import get_args

import pytest

from chatapp.ids import new_id
from chatapp.presenters.states import (
    SHOWN_REFUSALS,
    present_file,
    present_invalid,
    present_too_large,
    present_too_long,
)
from chatapp.services.importing_files import FileImported, Refused
from statecore.formats.message_tree import Why


def test_a_file_that_is_too_large_is_told_the_limit():
    assert present_too_large(32 * 1024 * 1024) == (
        "The file is larger than 32 MB, which is the most that is taken."
    )


def test_a_conversation_that_is_too_long_is_told_both_figures():
    assert present_too_long(20_001, 20_000) == (
        "The conversation has 20001 turns, and a state file holds at most 20000."
    )


def test_a_wrong_file_is_told_the_place_with_one_full_stop():
    said = present_invalid("turns 1 → depth: is 2 where 1 comes next")
    assert said == "This file cannot be imported: turns 1 → depth: is 2 where 1 comes next."
    assert present_invalid("not JSON.") == "This file cannot be imported: not JSON."


def come(count=1, refused=(), left_out=()):
    made = tuple(new_id() for _ in range(count))
    return present_file(FileImported(made, 0, 0, tuple(refused), dict(left_out)))


def test_a_file_that_came_in_whole_needs_no_notes():
    assert (come().sentence, come().notes) == ("1 conversation imported.", ())
    assert come(3).sentence == "3 conversations imported."


def test_each_conversation_that_did_not_come_in_is_named_with_its_reason():
    found = come(0, [Refused("line 2", "it is no conversation.")])
    assert found.sentence == "0 conversations imported."
    assert found.notes == ("Not imported: line 2: it is no conversation.",)


def test_of_many_that_did_not_come_in_the_rest_is_counted():
    refused = [Refused(f"line {number}", "x") for number in range(SHOWN_REFUSALS + 3)]
    notes = come(1, refused).notes
    assert len(notes) == SHOWN_REFUSALS + 1
    assert notes[-1] == "Not imported: 3 more."


@pytest.mark.parametrize("why", get_args(Why))
def test_every_reason_has_its_words_for_one_and_for_many(why):
    (one,), (many,) = come(left_out={why: 1}).notes, come(left_out={why: 12}).notes
    assert one.startswith("1 ")
    assert many.startswith("12 ")
    assert one[2:] != many[3:]
