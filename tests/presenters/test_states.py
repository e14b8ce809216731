"""What is said of states is one sentence each."""

from chatapp.presenters.states import present_invalid, present_too_large, present_too_long


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
