"""The gauge of a window: what is sent and what the whole history would take, at the tier marks."""

from dataclasses import dataclass

from django.utils.translation import gettext

from chatapp.presenters import reasons, units
from chatapp.presenters.bars import Bar, present_bar
from chatapp.presenters.reasons import Words
from chatapp.presenters.tiers import MARKS, POLICIES, SCALE, Tier, Tried, tier_at, tiers, tried
from chatapp.selectors.rows import AttemptRow


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
    tried: tuple[Tried, ...]


def present_gauge(attempt: AttemptRow) -> Gauge | None:
    """Return the gauge of an attempt; None when its plan says nothing of the window."""
    bar = present_bar(attempt)
    if bar is None or attempt.rho_sent is None:
        return None
    rho_full = attempt.rho_sent if attempt.rho_full is None else attempt.rho_full
    sent, full = units.percent(attempt.rho_sent), units.percent(rho_full)
    sent_tier, full_tier = _tier(attempt.tier, attempt.rho_sent), _tier(attempt.raw_tier, rho_full)
    return Gauge(
        bar=bar,
        sent=sent,
        quality=reasons.QUALITIES.get(attempt.planned_quality, ""),
        sent_tier=sent_tier,
        full=full,
        full_tier=full_tier,
        full_width=min(SCALE, round(rho_full * SCALE)),
        marks=tuple(round(mark * SCALE) for mark in MARKS),
        tiers=tiers(),
        label=gettext(
            "%(sent)s of the window sent, %(full)s with the whole history; marks: 50, 75, 90 %%"
        )
        % {"sent": sent, "full": full},
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
        tried=tried(attempt),
    )


def _tier(number: int | None, rho: float) -> Tier:
    return tier_at(rho) if number is None else tiers()[number]
