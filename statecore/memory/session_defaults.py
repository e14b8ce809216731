"""When session fields expire that no person has set: one table for all of them."""

from collections.abc import Mapping
from types import MappingProxyType

from statecore.memory.session import Expiry

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS

CURRENT_GOAL = "current_goal"
TEMPORARY_PREFERENCES = "temporary_preferences"

EXPIRY: Mapping[str, Expiry] = MappingProxyType(
    {
        CURRENT_GOAL: Expiry(),
        "current_step": Expiry("idle", 7 * DAY_MS),
        "selected_entity": Expiry("idle", DAY_MS),
        TEMPORARY_PREFERENCES: Expiry("idle", DAY_MS),
        "tool_results_summary": Expiry("time", DAY_MS),
        "open_questions": Expiry("idle", 7 * DAY_MS),
        "blocked_by": Expiry("idle", 7 * DAY_MS),
    }
)


def expiry_of(key: str) -> Expiry:
    """Return when a field of this key expires unless somebody says otherwise."""
    return EXPIRY.get(key, Expiry())
