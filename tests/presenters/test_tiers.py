"""Tiers in words: the one that was taken, those that were tried, and where it changed."""

import pytest

from chatapp.presenters import reasons
from chatapp.presenters.gauges import present_gauge
from chatapp.presenters.tiers import POLICIES, tier_at, tier_change, tried
from chatapp.presenters.turns import turn_view
from statecore.routing.windows import LearnedWindow
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


@pytest.mark.parametrize("policy", ["hybrid", "rolling"])
def test_a_policy_without_digests_shows_no_tier_of_them(policy):
    gauge = present_gauge(wire_samples.attempt(policy=policy))

    assert [(t.number, t.start, t.width) for t in gauge.tiers] == [
        (0, 0, 500),
        (2, 500, 400),
        (3, 900, 100),
    ]
    assert gauge.marks == (500, 900)
    assert gauge.label.endswith("marks: 50, 90 %")
    assert tier_at(0.6, policy).number == 2


def test_a_large_window_has_all_four():
    gauge = present_gauge(wire_samples.attempt(policy="four tiers"))

    assert [tier.number for tier in gauge.tiers] == [0, 1, 2, 3]
    assert gauge.marks == (500, 750, 900)
    assert tier_at(0.6).number == 1


@pytest.mark.parametrize(
    ("sent", "lost", "word"),
    [
        ("exact", "exact", "exact"),
        ("exact", "estimated", "estimated"),
        ("estimated", "exact", "estimated"),
    ],
)
def test_the_whole_history_says_how_it_was_counted(sent, lost, word):
    gap = wire_samples.attempt().segments[0] | {"kind": "gap", "quality": lost}

    gauge = present_gauge(wire_samples.attempt(planned_quality=sent, segments=[gap]))

    assert gauge.full_quality == reasons.QUALITIES[word]


def test_where_nothing_says_how_it_was_counted_nothing_is_said():
    assert present_gauge(samples.attempt()).full_quality == ""


def test_a_window_that_a_provider_named_stands_beside_the_model_s_own():
    learned = LearnedWindow(32_000, 8_261, 1_000, told_tokens=9_000)

    said = present_gauge(wire_samples.attempt(learned=learned)).learned

    assert said == (
        "The model's own window is 32,000 tokens. Its provider said that it takes 9,000, so "
        "requests are planned for 8,261 until it answers a larger one."
    )


def test_a_window_that_nobody_named_is_not_said_to_be_told():
    learned = LearnedWindow(32_000, 24_000, 1_000)

    said = present_gauge(wire_samples.attempt(learned=learned)).learned

    assert "named no limit, so requests are planned for 24,000" in said
    assert present_gauge(wire_samples.attempt()).learned == ""


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
