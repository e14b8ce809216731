"""What a provider takes is remembered for its model's entry, until it answers a larger prompt."""

from dataclasses import replace

from chatapp.services import windows
from statecore.models import spec_hash
from statecore.routing.windows import LearnedWindow
from tests.support.people import MODEL

WINDOW = LearnedWindow(4_000, 2_000, 500, told_tokens=2_100)
STORED = {spec_hash(MODEL): WINDOW}


def test_a_refusal_holds_from_then_on():
    assert windows.in_force(MODEL) is None

    windows.refused(MODEL, WINDOW)

    assert windows.in_force(MODEL) == WINDOW


def test_another_entry_of_the_same_name_has_its_own_window():
    windows.refused(MODEL, WINDOW)

    assert windows.in_force(replace(MODEL, window_tokens=8_000)) is None


def test_a_larger_prompt_that_was_answered_ends_it():
    windows.refused(MODEL, WINDOW)

    windows.answered(MODEL, 1_500)
    assert windows.in_force(MODEL) == WINDOW

    windows.answered(MODEL, 1_501)
    assert windows.in_force(MODEL) is None


def test_a_path_brings_back_what_a_restart_forgot():
    assert windows.adopt(MODEL, STORED) == WINDOW
    assert windows.in_force(MODEL) == WINDOW


def test_a_path_does_not_bring_back_what_an_answer_has_ended():
    windows.answered(MODEL, 1_501)

    assert windows.adopt(MODEL, STORED) is None


def test_a_newer_refusal_says_more_than_answers_before_it_and_more_than_a_path():
    smaller = replace(WINDOW, window_tokens=1_000)
    windows.answered(MODEL, 3_000)
    windows.refused(MODEL, smaller)

    assert windows.adopt(MODEL, STORED) == smaller


def test_counts_that_were_too_low_widen_it():
    windows.refused(MODEL, replace(WINDOW, window_tokens=1_500))

    windows.answered(MODEL, 500, estimated_as=750)

    assert windows.in_force(MODEL).room_tokens == 1_500


def test_a_plan_keeps_its_own_window_last_and_those_of_others():
    other = replace(WINDOW, window_tokens=900)

    assert list(windows.kept(MODEL, WINDOW, {"other": other, **STORED})) == [
        "other",
        spec_hash(MODEL),
    ]
    assert windows.kept(MODEL, None, {"other": other, **STORED}) == {"other": other}
