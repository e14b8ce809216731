"""The gauge of a window: what is sent and what the whole history would take, at the tier marks."""

from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext

from chatapp.presenters import reasons, units
from chatapp.presenters.bars import Bar, present_bar
from chatapp.presenters.reasons import Words
from chatapp.presenters.tiers import (
    POLICIES,
    SCALE,
    Tier,
    Tried,
    marks,
    tier_at,
    tier_of,
    tiers,
    tried,
)
from chatapp.selectors.rows import AttemptRow
from statecore.routing.windows import LearnedWindow

PERCENT: Final = 100


@dataclass(frozen=True, slots=True)
class Gauge:
    """Both figures of one request."""

    bar: Bar
    """What is sent, by parts."""
    sent: str
    quality: Words
    """How the tokens of what is sent were counted; empty where it was not kept."""
    sent_tier: Tier
    """The tier that was taken; of old attempts the one in whose stretch the figure lies."""
    full: str
    """What the whole history would take."""
    full_quality: Words
    """How that was counted; empty where it is not known."""
    full_tier: Tier
    """What that figure alone would mean."""
    full_width: int
    """Thousandths of the bar; the whole of it where the history is larger than the window."""
    marks: tuple[int, ...]
    tiers: tuple[Tier, ...]
    label: str
    """The gauge in words."""
    sentence: str
    """Both tiers in words."""
    policy: Words
    """How a window of this size decides; empty where it was not kept."""
    learned: str
    """Why it is not the model's own window; empty where it is."""
    tried: tuple[Tried, ...]


def present_gauge(attempt: AttemptRow) -> Gauge | None:
    """Return the gauge of an attempt; None when its plan says nothing of the window."""
    bar = present_bar(attempt)
    if bar is None or attempt.rho_sent is None:
        return None
    rho_full = attempt.rho_sent if attempt.rho_full is None else attempt.rho_full
    sent, full = units.percent(attempt.rho_sent), units.percent(rho_full)
    sent_tier, full_tier = (
        _tier(attempt, attempt.tier, attempt.rho_sent),
        _tier(attempt, attempt.raw_tier, rho_full),
    )
    ends = marks(attempt.policy)
    return Gauge(
        bar=bar,
        sent=sent,
        quality=reasons.QUALITIES.get(attempt.planned_quality, ""),
        sent_tier=sent_tier,
        full=full,
        full_quality=_full_quality(attempt),
        full_tier=full_tier,
        full_width=min(SCALE, round(rho_full * SCALE)),
        marks=tuple(round(mark * SCALE) for mark in ends),
        tiers=tiers(attempt.policy),
        label=gettext(
            "%(sent)s of the window sent, %(full)s with the whole history; marks: %(marks)s %%"
        )
        % {
            "sent": sent,
            "full": full,
            "marks": ", ".join(str(round(end * PERCENT)) for end in ends),
        },
        sentence=gettext(
            "Sent in tier %(sent)s: %(meaning)s. The whole history alone would mean tier "
            "%(full)s (%(name)s)."
        )
        % {
            "sent": sent_tier.number,
            "meaning": sent_tier.meaning,
            "full": full_tier.number,
            "name": full_tier.name,
        },
        policy=POLICIES.get(attempt.policy, attempt.policy),
        learned=window_sentence(attempt.learned),
        tried=tried(attempt),
    )


def window_sentence(learned: LearnedWindow | None) -> str:
    """Return why a request is planned for less than the model's own window; empty where not."""
    if learned is None:
        return ""
    values = {
        "own": units.tokens(learned.own_tokens),
        "window": units.tokens(learned.window_tokens),
    }
    if learned.told_tokens is None:
        words = gettext(
            "The model's own window is %(own)s tokens. Its provider found a request too long for it"
            " and named no limit, so requests are planned for %(window)s until it answers a larger"
            " one."
        )
        return words % values
    words = gettext(
        "The model's own window is %(own)s tokens. Its provider said that it takes %(told)s, so"
        " requests are planned for %(window)s until it answers a larger one."
    )
    return words % {**values, "told": units.tokens(learned.told_tokens)}


def _full_quality(attempt: AttemptRow) -> Words:
    """Return how the whole history was counted: the worst of what is sent and of what is not."""
    if not attempt.planned_quality:
        return ""
    unsent = [part for part in attempt.segments if part["kind"] == "gap"]
    if attempt.dropped_turns and not unsent:
        return ""
    is_estimated = "estimated" in {attempt.planned_quality, *(part["quality"] for part in unsent)}
    return reasons.QUALITIES.get("estimated" if is_estimated else attempt.planned_quality, "")


def _tier(attempt: AttemptRow, number: int | None, rho: float) -> Tier:
    return tier_at(rho, attempt.policy) if number is None else tier_of(number)
