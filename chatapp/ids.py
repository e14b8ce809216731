"""Makes ids: UUID version 7, so that rows sort by time."""

from uuid import UUID

from uuid_utils.compat import uuid7


def new_id() -> UUID:
    """Return a fresh time-ordered id."""
    return uuid7()
