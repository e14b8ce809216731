"""The four tiers in words: what each is, how a window decides among them, where one changed."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from chatapp.presenters import units
from chatapp.presenters.reasons import Words
from chatapp.selectors.rows import AttemptRow

MARKS: Final = (0.5, 0.75, 0.9)
SCALE: Final = 1000
DIGEST_TIER: Final = 1

POLICIES: dict[str, Words] = {
    "four tiers": _("Four tiers, as in every window of 32,000 tokens and more."),
    "hybrid": _("Tiers 0, 2 and 3, as in every window between 8,192 and 32,000 tokens."),
    "rolling": _("A rolling window with notes from the start, as in every window up to 8,192."),
}


@dataclass(frozen=True, slots=True)
class Tier:
    """One of the four tiers, with its stretch of the gauge in thousandths."""

    number: int
    name: Words
    bound: str
    meaning: Words
    start: int
    width: int


_WITHOUT_DIGESTS: Final = frozenset({"hybrid", "rolling"})


@dataclass(frozen=True, slots=True)
class Tried:
    """What the request would have been under one tier."""

    tier: Tier
    share: str
    """Of the window; of a tier that was not taken the most that it may come to."""
    is_taken: bool


def tiers(policy: str = "") -> tuple[Tier, ...]:
    """Return the tiers that a policy has, the mildest first; all of them for a policy unknown."""
    words = (
        (_("full"), _("under 50 %"), _("every message word for word")),
        (_("digest"), _("under 75 %"), _("old answers and tool results shortened")),
        (_("window"), _("under 90 %"), _("summary and the newest turns")),
        (_("last resort"), _("90 % and more"), _("only what must not be missing")),
    )
    numbers = [number for number in range(len(words)) if number not in _missing(policy)]
    edges = pairwise((0.0, *marks(policy), 1.0))
    return tuple(
        Tier(
            number,
            words[number][0],
            str(words[number][1]),
            words[number][2],
            round(low * SCALE),
            round((high - low) * SCALE),
        )
        for number, (low, high) in zip(numbers, edges, strict=True)
    )


def marks(policy: str = "") -> tuple[float, ...]:
    """Return where the tiers of a policy end, but for the last one."""
    return tuple(mark for number, mark in enumerate(MARKS) if number not in _missing(policy))


def _missing(policy: str) -> frozenset[int]:
    return frozenset({DIGEST_TIER}) if policy in _WITHOUT_DIGESTS else frozenset()


def tier_at(rho: float, policy: str = "") -> Tier:
    """Return the tier in whose stretch an occupancy lies."""
    return tiers(policy)[sum(rho >= mark for mark in marks(policy))]


def tier_of(number: int) -> Tier:
    """Return a tier by its number, also one that a policy passes over."""
    return tiers()[number]


def tried(attempt: AttemptRow) -> tuple[Tried, ...]:
    """Return what each tier that was tried would have taken of the window."""
    return tuple(_tried(tier_of(number), rho, attempt) for number, rho in attempt.tried)


def _tried(tier: Tier, rho: float, attempt: AttemptRow) -> Tried:
    if tier.number == attempt.tier:
        share = units.percent(rho if attempt.rho_sent is None else attempt.rho_sent)
        return Tried(tier, share, is_taken=True)
    words = gettext("up to %(share)s") % {"share": units.percent(rho)}
    return Tried(tier, words, is_taken=False)


def tier_change(attempt: AttemptRow) -> str:
    """Return how the tier changed since the turn before; empty where it did not."""
    if attempt.tier is None or attempt.tier_before in {None, attempt.tier}:
        return ""
    values = {"was": attempt.tier_before, "now": attempt.tier}
    if attempt.tokens_before is None or attempt.planned_tokens is None:
        return gettext("tier %(was)s → %(now)s") % values
    return gettext("tier %(was)s → %(now)s: %(old)s → %(new)s tokens") % {
        **values,
        "old": units.tokens(attempt.tokens_before),
        "new": units.tokens(attempt.planned_tokens, attempt.planned_quality),
    }
