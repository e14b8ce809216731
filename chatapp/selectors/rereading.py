"""Reads how far turns are that a person lets be read again."""

from dataclasses import dataclass

from chatapp.access import Access
from chatapp.models import Outbox
from chatapp.store.outbox import GIVEN_UP, MEMORY_AGAIN


@dataclass(frozen=True, slots=True)
class Rereading:
    """The newest wish to read turns again."""

    since_ms: int
    """When it was made."""
    waiting: int
    """Turns that are still to be read, whenever that was wished."""
    put_off: int
    """Of these: turns whose model was not there."""
    unlabelled: int
    """Turns of the wish that were read by rules alone, because no model could label them."""
    ended_ms: int | None
    """None while turns wait."""
    read: tuple[str, ...]
    """Ids of all turns that were read again as they should be, whenever that was wished."""


def rereading(access: Access) -> Rereading | None:
    """Return how far the newest wish is, or None when there was none; one query."""
    found = Outbox.objects.filter(conversation=access.conversation, kind=MEMORY_AGAIN)
    rows = list(found.order_by("created_ms", "id"))
    if not rows:
        return None
    since_ms = rows[-1].created_ms
    waiting = [row for row in rows if row.done_ms is None]
    newest = [row for row in rows if row.created_ms == since_ms]
    ended_ms = max((row.done_ms for row in newest if row.done_ms is not None), default=None)
    return Rereading(
        since_ms=since_ms,
        waiting=len(waiting),
        put_off=sum(row.tries > 0 for row in waiting),
        unlabelled=sum(row.tries == GIVEN_UP for row in newest),
        ended_ms=None if waiting else ended_ms,
        read=tuple(
            str(row.turn_id) for row in rows if row.done_ms is not None and row.tries != GIVEN_UP
        ),
    )
