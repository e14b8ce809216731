"""Tuning: the bounds of the planner as settings, so that others can be tried on old turns."""

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from decimal import Decimal, InvalidOperation

from statecore.errors import InvalidInput

WHOLE_PERCENT = 100


@dataclass(frozen=True, slots=True)
class Tuning:
    """Bounds in percent of the window; what is usual is what requests are planned with."""

    tier0: int = 50
    """Occupancy that the plan of a tier stays under; the last tier may fill the window."""
    tier1: int = 75
    tier2: int = 90
    hysteresis: int = 5
    """So much further under its bound the plan of a milder tier must be to be taken again."""
    settled: int = 50
    """A window of turns is filled up to here."""
    stepped: int = 25
    """A window of turns that has to move moves so far that it fills no more than this."""

    def bound_percent(self, tier: int) -> int:
        """Return the occupancy that the plan of a tier stays under."""
        bounds = (self.tier0, self.tier1, self.tier2)
        return bounds[tier] if tier < len(bounds) else WHOLE_PERCENT


USUAL = Tuning()

_ORDER = (
    ("tier0", "tier1"),
    ("tier1", "tier2"),
    ("stepped", "settled"),
    ("settled", "tier2"),
    ("hysteresis", "tier0"),
)
"""Pairs of which the first may not be the greater."""


def tuned(words: Iterable[str]) -> Tuning:
    """Return the usual tuning with other bounds.

    Args:
        words: each a key and a share of the window, as in `tier1=0.6`.

    Raises:
        InvalidInput: naming the word, and what is legal.
    """
    changes: dict[str, int] = {}
    for word in words:
        key, _, value = word.partition("=")
        name = key.strip()
        if name not in (known := [field.name for field in fields(Tuning)]):
            raise InvalidInput(
                f"{word}: there is no setting {name!r}; there are {', '.join(known)}"
            )
        changes[name] = _percent(word, value)
    found = replace(USUAL, **changes)
    for small, large in _ORDER:
        if getattr(found, small) > getattr(found, large):
            raise InvalidInput(
                f"{small} is {getattr(found, small) / WHOLE_PERCENT:g} and may not be more than "
                f"{large}, which is {getattr(found, large) / WHOLE_PERCENT:g}"
            )
    return found


def _percent(word: str, value: str) -> int:
    try:
        percent = Decimal(value.strip()) * WHOLE_PERCENT
        is_whole = percent == int(percent)
    except (InvalidOperation, OverflowError, ValueError):
        percent, is_whole = Decimal(-1), False
    if not is_whole or not 0 <= percent <= WHOLE_PERCENT:
        raise InvalidInput(f"{word}: a share of the window is a number from 0 to 1 in hundredths")
    return int(percent)
