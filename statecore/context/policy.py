"""Which tiers a window has, how full the plan of each may be, and when a milder one comes back."""

from dataclasses import dataclass
from typing import Literal

from statecore.context.state import Previous
from statecore.context.tuning import USUAL, WHOLE_PERCENT, Tuning
from statecore.models import ModelSpec
from statecore.templates import Template

PolicyName = Literal["four tiers", "hybrid", "rolling"]
"""four tiers: large windows; hybrid: shortening single messages gains too little, so tier 1 is
passed over; rolling: the same, and whole turns, summary and anchors from the start."""

LAST_TIER = 3
LARGE_TOKENS = 32_000
SMALL_TOKENS = 8_192


@dataclass(frozen=True, slots=True)
class Policy:
    """What the size of a window decides."""

    name: PolicyName
    tiers: tuple[int, ...]
    """From the mildest to the hardest."""


FOUR_TIERS = Policy("four tiers", (0, 1, 2, 3))
HYBRID = Policy("hybrid", (0, 2, 3))
ROLLING = Policy("rolling", (0, 2, 3))


def policy_of(model: ModelSpec) -> Policy:
    """Return the policy for the window of a model."""
    if model.window_tokens >= LARGE_TOKENS:
        return FOUR_TIERS
    return HYBRID if model.window_tokens > SMALL_TOKENS else ROLLING


def most_tokens(model: ModelSpec, percent: int) -> int:
    """Return the most that a prompt may take up so that it stays under an occupancy.

    Args:
        model: whose window and reply reserve count.
        percent: of the window; 100 may be reached, all others stay open.
    """
    most = -(-percent * model.window_tokens // WHOLE_PERCENT)
    if percent < WHOLE_PERCENT:
        most -= 1
    return most - model.reply_reserve_tokens


def bound_tokens(
    tier: int, model: ModelSpec, previous: Previous | None, tuning: Tuning = USUAL
) -> int:
    """Return the most that the prompt of a tier may take up.

    Args:
        tier: the tier.
        model: whose window counts.
        previous: the plan before, where it still counts.
        tuning: the bounds.
    """
    percent = tuning.bound_percent(tier)
    if previous is not None and previous.tier > tier:
        percent -= tuning.hysteresis
    return most_tokens(model, percent)


def raw_tier(rho: float, policy: Policy, tuning: Tuning = USUAL) -> int:
    """Return the tier that the occupancy of the full history alone would mean."""
    fitting = (tier for tier in policy.tiers if WHOLE_PERCENT * rho < tuning.bound_percent(tier))
    return next(fitting, LAST_TIER)


def still_counts(
    previous: Previous | None, model: ModelSpec, template: Template
) -> Previous | None:
    """Return the plan before, or None when it says nothing for this model and template."""
    if previous is None or previous.window_tokens != model.window_tokens:
        return None
    is_same = (previous.tokenizer, previous.template_hash) == (model.tokenizer, template.hash)
    return previous if is_same else None
