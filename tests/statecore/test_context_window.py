"""The start of the window moves in steps, and back where the whole history fits again."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from statecore.context.plan import Previous
from statecore.context.window import kept_start, window_start
from tests.statecore.builders import TEMPLATE, chat, planned, previous_of, spec, state

PREVIOUS = Previous(2, 3, 1000, "o200k_base", TEMPLATE.hash)


def start(turn_tokens, room=1000, budget=1000, *, whole=True, kept=None):
    return window_start(turn_tokens, room, budget, whole_history=whole, kept_start=kept)


def test_a_history_that_fits_exactly_is_sent_whole():
    assert start([500, 500]) == 0


def test_a_step_frees_a_quarter_and_drops_no_more_turns_than_that_takes():
    assert start([100] * 11) == 4  # seven turns leave 300 free, eight would leave 200
    assert start([300, 250, 250, 250]) == 1


def test_a_start_that_still_fits_is_kept():
    assert start([100] * 11, kept=2) == 2


def test_a_start_that_no_longer_fits_moves_by_a_whole_step():
    assert start([100] * 13, kept=2) == 6


def test_the_whole_history_comes_back_when_it_fits_although_a_start_was_kept():
    assert start([100] * 5, kept=3) == 0


def test_a_step_that_would_drop_every_turn_sends_what_fits():
    assert start([400, 100, 800]) == 1
    assert start([50] * 10, room=200) == 6


def test_turns_that_do_not_fit_at_all_are_all_dropped():
    assert start([400, 1001]) == 2
    assert start([]) == 0


def test_turns_that_were_not_loaded_make_it_step_although_the_offer_fits():
    assert start([100] * 10, whole=False) == 3
    assert start([100] * 10, whole=False, kept=0) == 0


def kept(previous, turns=None, **more):
    return kept_start(state(turns or chat(*[(5, 5)] * 4)), spec(**more), TEMPLATE, previous)


def test_a_start_is_kept_by_the_depth_of_its_turn():
    assert kept(PREVIOUS) == 2
    assert kept(replace(PREVIOUS, window_start_depth=5)) == 4


def test_a_start_says_nothing_for_another_window_tokenizer_or_template():
    assert kept(None) is None
    assert kept(PREVIOUS, window_tokens=2000) is None
    assert kept(PREVIOUS, tokenizer="cl100k_base") is None
    assert kept(replace(PREVIOUS, template_hash="other")) is None


def test_a_start_says_nothing_where_its_turn_is_not_on_offer():
    assert kept(PREVIOUS, chat((5, 5), first_depth=4)) is None
    assert kept(PREVIOUS, chat((5, 5))) is None


def test_a_bigger_window_brings_the_full_text_back():
    turns = chat(*[(45, 45)] * 20)
    small, large = spec(window_tokens=1000), spec(window_tokens=4000)
    narrow = planned(state(turns), small)

    wide = planned(state(turns), large, previous=previous_of(narrow, small))

    assert narrow.dropped_turns > 0
    assert wide.dropped_turns == 0


def test_a_rollback_brings_the_full_text_back():
    turns = chat(*[(45, 45)] * 20)
    narrow = planned(state(turns))

    back = planned(state(turns[:8]), previous=previous_of(narrow, spec()))

    assert back.dropped_turns == 0


tokens = st.integers(0, 400)


@given(st.lists(tokens, max_size=20), st.integers(0, 1000), st.booleans(), st.data())
def test_what_is_sent_fits_and_a_step_frees_a_quarter_where_it_can(turns, room, whole, data):
    kept_index = data.draw(st.none() | st.integers(0, len(turns)))

    index = start(turns, room, 1000, whole=whole, kept=kept_index)

    assert sum(turns[index:]) <= room
    if index == kept_index or (whole and index == 0):
        return
    with_one_more = sum(turns[max(index - 1, 0) :])
    if sum(turns[index:]) <= room - 250 and index < len(turns):
        assert index == 0 or with_one_more > room - 250
    else:
        assert index == 0 or with_one_more > room
