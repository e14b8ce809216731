"""Tiers in words: the one that was taken, those that were tried, and where it changed."""

import pytest

from chatapp.presenters.gauges import present_gauge
from chatapp.presenters.tiers import POLICIES, tier_change, tried
from chatapp.presenters.turns import turn_view
from tests.web import samples, wire_samples


def test_the_tier_that_was_taken_is_not_the_one_in_whose_stretch_the_figure_lies():
    gauge = present_gauge(wire_samples.attempt(rho_sent=0.44, rho_full=0.97))

    assert gauge.sent_tier.number == 2
    assert gauge.full_tier.number == 3
    assert gauge.sentence == (
        "Sent in tier 2: summary and the newest turns. The whole history alone would mean tier 3 "
        "(last resort)."
    )


@pytest.mark.parametrize("policy", POLICIES)
def test_each_policy_has_words(policy):
    assert str(present_gauge(wire_samples.attempt(policy=policy)).policy).endswith(".")


def test_what_was_tried_is_told_from_the_mildest_on():
    found = tried(wire_samples.attempt())

    assert [(t.tier.number, t.share, t.is_taken) for t in found] == [
        (0, "up to 137 %", False),
        (2, "44 %", True),
    ]
    assert tried(samples.attempt()) == ()


def test_a_change_of_tier_says_what_it_came_to():
    change = tier_change(wire_samples.attempt())

    assert change == "tier 0 → 2: 18,400 → 9,100 tokens"


def test_a_change_without_counts_is_told_without_them():
    assert tier_change(wire_samples.attempt(tokens_before=None)) == "tier 0 → 2"


@pytest.mark.parametrize("before", [None, 2])
def test_no_change_needs_no_words(before):
    assert tier_change(wire_samples.attempt(tier_before=before)) == ""
    assert tier_change(samples.attempt(tier_before=1)) == ""


def test_a_turn_carries_its_markers():
    view = turn_view(samples.turn(6, attempts=(wire_samples.attempt(),)))

    assert view.tier_change.startswith("tier 0 → 2")
    assert view.verbatim_depth == 5
    assert view.lacks.startswith("2 things")


def test_a_running_turn_does_not_warn_yet():
    turn = samples.running_turn(6, attempts=(wire_samples.attempt(status="running"),))

    assert turn_view(turn).lacks == ""
