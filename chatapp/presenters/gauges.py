"""The gauge of a window: what is sent and what the whole history would take, at the tier marks."""

from dataclasses import dataclass
from itertools import pairwise

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from chatapp.presenters import units
from chatapp.presenters.bars import Bar, present_bar
from chatapp.presenters.reasons import Words
from chatapp.selectors.rows import AttemptRow

_MARKS = (0.5, 0.75, 0.9)
_SCALE = 1000


@dataclass(frozen=True, slots=True)
class Tier:
    """One of the four tiers, with its stretch of the gauge in thousandths."""

    number: int
    name: Words
    bound: str
    meaning: Words
    start: int
    width: int


@dataclass(frozen=True, slots=True)
class Gauge:
    """Both figures of one request."""

    bar: Bar
    """What is sent, by parts."""
    sent: str
    sent_tier: Tier
    full: str
    """What the whole history would take."""
    full_tier: Tier
    full_width: int
    """Thousandths of the bar; the whole of it where the history is larger than the window."""
    marks: tuple[int, ...]
    tiers: tuple[Tier, ...]
    label: str
    """The gauge in words."""


def present_gauge(attempt: AttemptRow) -> Gauge | None:
    """Return the gauge of an attempt; None when its plan says nothing of the window."""
    bar = present_bar(attempt)
    if bar is None or attempt.rho_sent is None:
        return None
    rho_full = attempt.rho_sent if attempt.rho_full is None else attempt.rho_full
    sent, full = units.percent(attempt.rho_sent), units.percent(rho_full)
    return Gauge(
        bar=bar,
        sent=sent,
        sent_tier=_tier_of(attempt.rho_sent),
        full=full,
        full_tier=_tier_of(rho_full),
        full_width=min(_SCALE, round(rho_full * _SCALE)),
        marks=tuple(round(mark * _SCALE) for mark in _MARKS),
        tiers=_tiers(),
        label=gettext(
            "%(sent)s of the window sent, %(full)s with the whole history; marks: 50, 75, 90 %%"
        )
        % {"sent": sent, "full": full},
    )


def _tier_of(rho: float) -> Tier:
    return _tiers()[sum(rho >= mark for mark in _MARKS)]


def _tiers() -> tuple[Tier, ...]:
    words = (
        (_("full"), _("under 50 %"), _("every message word for word")),
        (_("digest"), _("under 75 %"), _("old answers and tool results shortened")),
        (_("window"), _("under 90 %"), _("summary and the newest turns")),
        (_("last resort"), _("90 % and more"), _("only what must not be missing")),
    )
    edges = pairwise((0.0, *_MARKS, 1.0))
    return tuple(
        Tier(number, name, str(bound), meaning, round(low * _SCALE), round((high - low) * _SCALE))
        for number, ((name, bound, meaning), (low, high)) in enumerate(
            zip(words, edges, strict=True)
        )
    )
