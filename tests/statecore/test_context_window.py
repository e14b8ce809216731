"""The start of the window moves in steps, and back where the whole history fits again."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from statecore.context.plan import Previous
from statecore.context.window import FEWEST_TURNS, WindowRoom, kept_start, last_start, window_start
from tests.statecore.builders import TEMPLATE, chat, planned, previous_of, spec, state

PREVIOUS = Previous(2, 3, 1000, "o200k_base", TEMPLATE.hash)
ROOM = WindowRoom(settled_tokens=500, stepped_tokens=250, bound_tokens=900)


def start(turn_tokens, room=ROOM, *, kept=None, waiting=()):
    learned = [index not in waiting for index in range(len(turn_tokens))]
    return window_start(turn_tokens, learned, room, kept)


def test_a_step_frees_down_to_a_quarter_and_drops_no_more_turns_than_that_takes():
    assert start([25] * 30) == 20
    assert start([30] * 30) == 22  # eight turns are 240 tokens, nine would be 270


def test_the_last_five_turns_stay_however_large_they_are():
    assert start([100] * 11) == 6
    assert start([400] * 7) == 2
    assert start([400] * 3) == 0
    assert start([]) == 0


def test_a_start_is_kept_until_the_window_is_settled():
    assert start([25] * 25, kept=5) == 5
    assert start([25] * 26, kept=5) == 16


def test_a_start_that_leaves_the_last_five_turns_is_kept_over_that_limit():
    assert start([150] * 9, kept=4) == 4
    assert start([150] * 10, kept=4) == 4
    assert start([150] * 11, kept=4) == 6


def test_a_step_that_five_turns_cut_short_leaves_room_for_as_many_tokens_as_any_other():
    assert start([80] * 8, kept=0) == 0  # five are 400, and a step frees 250
    assert start([80] * 9, kept=0) == 4


@given(sizes=st.lists(st.integers(1, 300), min_size=6, max_size=40))
def test_a_start_moves_only_where_the_window_is_full_and_then_frees_a_quarter(sizes):
    kept = None
    for end in range(1, len(sizes) + 1):
        path = sizes[:end]
        found = start(path, kept=kept)
        if kept is not None and found != kept:
            five = sum(path[kept : kept + FEWEST_TURNS])
            limit = 900 if five > 500 else max(500, min(five + 250, 900))
            assert sum(path[kept:]) > limit
            assert found == end - FEWEST_TURNS or sum(path[found:]) <= 250
        kept = found


def test_turns_that_memory_has_not_read_stay_up_to_the_bound():
    assert start([100] * 10, waiting={4}) == 4
    assert start([100] * 10, waiting={0, 4}) == 4
    assert start([100] * 10, waiting={9}) == 5


def test_where_memory_is_down_the_start_moves_in_steps_all_the_same():
    everything = set(range(41))

    first = start([25] * 30, waiting=everything)
    later = start([25] * 34, kept=first, waiting=everything)
    stepped = start([25] * 41, kept=first, waiting=everything)

    assert first == 4  # a step below the bound
    assert later == first
    assert stepped == 15


def test_one_large_turn_that_waits_is_kept_as_long_as_it_is_in_the_bound():
    assert start([10, 10, 500, *[50] * 5], waiting={2}) == 2
    assert start([10, 10, 700, *[50] * 5], waiting={2}) == 3


def kept(previous, turns=None):
    return kept_start(state(turns or chat(*[(5, 5)] * 4)), previous)


def test_a_start_is_kept_by_the_depth_of_its_turn():
    assert kept(PREVIOUS) == 2
    assert kept(replace(PREVIOUS, window_start_depth=4)) == 3


def test_a_start_says_nothing_where_its_turn_is_not_on_offer():
    assert kept(PREVIOUS, chat((5, 5), first_depth=4)) is None
    assert kept(PREVIOUS, chat((5, 5))) is None
    assert kept(None) is None


def test_only_a_window_of_turns_has_a_start_that_can_be_kept():
    assert [kept(replace(PREVIOUS, tier=tier)) for tier in (0, 1, 3)] == [None] * 3


def test_a_bigger_window_brings_the_full_text_back():
    turns = chat(*[(45, 45)] * 20)
    small, large = spec(window_tokens=1000), spec(window_tokens=8000)
    narrow = planned(state(turns), small)

    wide = planned(state(turns), large, previous=previous_of(narrow, small))

    assert narrow.dropped_turns > 0
    assert wide.dropped_turns == 0
    assert wide == planned(state(turns), large)


def test_a_rollback_brings_the_full_text_back():
    turns = chat(*[(45, 45)] * 20)
    narrow = planned(state(turns))

    back = planned(state(turns[:3]), previous=previous_of(narrow, spec()))

    assert narrow.dropped_turns > 0
    assert back.dropped_turns == 0
    assert back == planned(state(turns[:3]))


@given(st.lists(st.integers(0, 400), max_size=20), st.data())
def test_five_turns_stay_and_more_only_under_the_limits(turns, data):
    kept_index = data.draw(st.none() | st.integers(0, len(turns)))
    waiting = data.draw(st.sets(st.integers(0, 20)))

    index = start(turns, kept=kept_index, waiting=waiting)

    assert index <= max(0, len(turns) - FEWEST_TURNS)
    if index < len(turns) - FEWEST_TURNS:
        limit = ROOM.bound_tokens if waiting else ROOM.settled_tokens
        assert sum(turns[index:]) <= limit


@given(st.lists(st.integers(1, 400), max_size=9), st.integers(-50, 900), st.integers(0, 900))
def test_the_last_resort_keeps_two_turns_that_fit_and_more_while_little_is_filled(
    sizes, settled, bound
):
    latest = max(0, len(sizes) - 2)

    found = last_start(sizes, latest, settled, bound)

    assert sum(sizes[found:]) <= bound
    if found < latest:
        assert sum(sizes[found:]) <= settled
    if found > 0:
        # One turn more would be too much.
        more = sum(sizes[found - 1 :])
        assert more > (bound if found > latest else min(settled, bound))


def test_turns_before_a_huge_one_leave_and_those_behind_it_stay():
    model = spec(window_tokens=2_000, reply_reserve_tokens=100)
    turns = chat(*[(45, 45)] * 9, (900, 900), *[(45, 45)] * 4)

    made = planned(state(turns), model)

    assert made.tier == 3
    assert made.window_start_depth == 11
