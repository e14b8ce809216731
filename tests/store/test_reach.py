"""Running sums say which tiers a path cannot have, and so how far back it is read."""

from dataclasses import replace

import pytest

from chatapp.store.reach import LEAST_TURNS, Asked, asked_by, reach, whole_window, window_depth
from statecore.context.occupancy import MESSAGE_OVERHEAD_TOKENS
from statecore.context.state import Previous
from statecore.tree import Sums
from tests.support.people import MODEL

LARGE = Asked(128_000, "o200k_base", has_digests=True)
SMALL = Asked(8_000, "o200k_base", has_digests=False)
OTHER = replace(SMALL, tokenizer="server:elsewhere")
MESSAGES = 100
OVERHEAD = MESSAGES * MESSAGE_OVERHEAD_TOKENS


def sums(tokens, digest_tokens=None):
    return Sums(MESSAGES, tokens, tokens if digest_tokens is None else digest_tokens)


def is_whole(found):
    return found.budget_tokens > 1 << 40


@pytest.mark.parametrize("asked", [LARGE, SMALL])
def test_what_fits_in_half_a_window_is_read_whole(asked):
    most = asked.window_tokens // 2 - OVERHEAD

    assert is_whole(reach(sums(most), asked))
    assert not is_whole(reach(sums(most + 1, most * 2), asked))


def test_what_fits_as_digests_is_read_whole_in_large_windows_only():
    most = LARGE.window_tokens * 3 // 4 - OVERHEAD

    assert is_whole(reach(sums(10**9, most), LARGE))
    assert not is_whole(reach(sums(10**9, most + 1), LARGE))
    assert not is_whole(reach(sums(10**9, 1), SMALL))


def test_digest_counts_are_read_where_tier_1_may_apply():
    assert reach(sums(10**9, 1), LARGE).has_digests
    assert reach(sums(1, 1), LARGE).has_digests
    assert not reach(sums(10**9), LARGE).has_digests
    assert not reach(sums(1, 1), SMALL).has_digests


def test_a_longer_path_is_read_as_far_as_half_a_window_and_never_past_a_whole_one():
    found = reach(sums(10**9), LARGE)

    assert (found.budget_tokens, found.limit_tokens) == (64_000, 128_000)
    assert found.least_turns == LEAST_TURNS
    assert found.overhead_tokens == MESSAGE_OVERHEAD_TOKENS


def test_other_tokenizers_may_need_fewer_tokens_so_more_is_read():
    ours, theirs = reach(sums(10**9), SMALL), reach(sums(10**9), OTHER)

    assert theirs.budget_tokens > ours.budget_tokens
    assert theirs.limit_tokens > ours.limit_tokens
    between = sums(SMALL.window_tokens * 6 // 10)
    assert not is_whole(reach(between, SMALL))
    assert is_whole(reach(between, OTHER))


def test_counts_that_are_calibrated_down_let_more_in():
    low, high = replace(OTHER, calibration=0.5), replace(OTHER, calibration=2.0)

    assert reach(sums(10**9), low).budget_tokens == 2 * reach(sums(10**9), OTHER).budget_tokens
    assert reach(sums(10**9), high) == reach(sums(10**9), OTHER)


def test_a_turn_that_is_asked_for_is_read_within_the_limit():
    kept = reach(sums(10**9), LARGE, kept_depth=40)
    waiting = reach(sums(10**9), LARGE, kept_depth=40, waiting_depth=30)

    assert (kept.down_to_depth, kept.down_limit_tokens) == (40, 128_000)
    assert (waiting.down_to_depth, waiting.down_limit_tokens) == (30, 256_000)
    assert waiting.limit_tokens == 128_000
    assert reach(sums(10**9), LARGE).down_to_depth > 1 << 40


def test_a_whole_window_is_read_for_plans_that_fill_it():
    found = whole_window(SMALL)

    assert found.budget_tokens == SMALL.window_tokens


def test_the_window_before_counts_under_the_same_window_and_tokenizer_only():
    asked = asked_by(MODEL)
    before = Previous(2, 40, MODEL.window_tokens, MODEL.tokenizer, "hash")

    assert window_depth(before, asked) == 40
    assert window_depth(None, asked) is None
    assert window_depth(replace(before, window_tokens=9), asked) is None
    assert window_depth(replace(before, tokenizer="other"), asked) is None
