"""What a refusal teaches about a model's window, and what an answer teaches after it."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecore.routing.overflow import ToldLimits, shrunk
from statecore.routing.windows import LearnedWindow, learned_window, window_document, window_in
from tests.statecore.builders import spec

OWN = spec(window_tokens=32_000)
WINDOW = LearnedWindow(32_000, 5_000, 1_000, told_tokens=16_384)


def learned(told, sent_tokens=20_000):
    return learned_window(OWN, shrunk(OWN, told, sent_tokens), told)


def test_a_limit_that_was_named_is_kept_beside_what_is_planned_for():
    window = learned(ToldLimits(window_tokens=16_384, prompt_tokens=20_000))

    assert (window.own_tokens, window.told_tokens) == (32_000, 16_384)
    assert window.narrowed(OWN) == shrunk(OWN, ToldLimits(window_tokens=16_384), 20_000)


@pytest.mark.parametrize(
    "told", [ToldLimits(), ToldLimits(excess_tokens=900), ToldLimits(window_tokens=20_250_417)]
)
def test_what_is_no_limit_is_none(told):
    assert learned(told).told_tokens is None


def test_it_is_for_the_entry_of_the_model_and_changes_nothing_else():
    narrow = WINDOW.narrowed(OWN)

    assert (
        replace(narrow, window_tokens=32_000, reply_reserve_tokens=OWN.reply_reserve_tokens) == OWN
    )


def test_counts_that_were_too_low_make_the_room_that_they_measured_larger():
    assert WINDOW.grown(2_000, 4_000).room_tokens == 8_000
    assert WINDOW.grown(2_000, 1_000) == WINDOW


def test_no_answer_makes_it_larger_than_the_limit_that_was_named():
    assert WINDOW.grown(1_000, 100_000).window_tokens == int(0.98 * 16_384)
    assert replace(WINDOW, told_tokens=None).grown(1_000, 2_000).room_tokens == 4_000


def test_it_is_kept_as_data_and_read_again_whatever_else_stands_there():
    assert window_in(window_document(WINDOW) | {"newer": 1}) == WINDOW


@given(st.integers(1, 10**6), st.integers(1, 10**6))
def test_an_answer_never_makes_it_smaller(planned, reported):
    assert WINDOW.grown(planned, reported).room_tokens >= WINDOW.room_tokens
