"""Which tiers a window has, and how full each may be."""

from dataclasses import replace

import pytest

from statecore.context.plan import Previous
from statecore.context.policy import (
    bound_tokens,
    most_tokens,
    policy_of,
    raw_tier,
    still_counts,
)
from tests.statecore.builders import TEMPLATE, spec

PREVIOUS = Previous(2, 3, 1_000, "o200k_base", TEMPLATE.hash)


@pytest.mark.parametrize(
    ("window", "name", "tiers"),
    [
        (2_000, "rolling", (0, 2, 3)),
        (8_192, "rolling", (0, 2, 3)),
        (8_193, "hybrid", (0, 2, 3)),
        (31_999, "hybrid", (0, 2, 3)),
        (32_000, "four tiers", (0, 1, 2, 3)),
        (1_000_000, "four tiers", (0, 1, 2, 3)),
    ],
)
def test_the_size_of_a_window_picks_the_tiers(window, name, tiers):
    policy = policy_of(spec(window_tokens=window))

    assert (policy.name, policy.tiers) == (name, tiers)


def test_a_prompt_stays_under_its_bound_and_may_reach_the_window():
    model = spec(window_tokens=1_000, reply_reserve_tokens=100)

    assert most_tokens(model, 50) == 399
    assert most_tokens(model, 100) == 900
    assert most_tokens(replace(model, window_tokens=999), 50) == 399


@pytest.mark.parametrize(
    ("tier", "before", "most"),
    [(0, None, 399), (0, 0, 399), (0, 1, 349), (1, 2, 599), (2, 3, 749), (2, 2, 799), (3, 3, 900)],
)
def test_a_milder_tier_has_to_be_further_under_its_bound(tier, before, most):
    model = spec(window_tokens=1_000, reply_reserve_tokens=100)
    previous = None if before is None else replace(PREVIOUS, tier=before)

    assert bound_tokens(tier, model, previous) == most


@pytest.mark.parametrize(("rho", "tier"), [(0.49, 0), (0.5, 1), (0.75, 2), (0.9, 3), (7.0, 3)])
def test_the_raw_figure_means_a_tier(rho, tier):
    assert raw_tier(rho, policy_of(spec(window_tokens=32_000))) == tier


def test_the_raw_figure_means_no_tier_that_the_window_has_not():
    assert raw_tier(0.6, policy_of(spec(window_tokens=8_000))) == 2


def test_the_plan_before_counts_for_the_same_window_tokenizer_and_template():
    model = spec(window_tokens=1_000)

    assert still_counts(PREVIOUS, model, TEMPLATE) == PREVIOUS
    assert still_counts(None, model, TEMPLATE) is None
    assert still_counts(PREVIOUS, spec(window_tokens=2_000), TEMPLATE) is None
    assert still_counts(PREVIOUS, spec(tokenizer="cl100k_base"), TEMPLATE) is None
    assert still_counts(replace(PREVIOUS, template_hash="other"), model, TEMPLATE) is None
