"""Reads how far turns are that a person lets be read again."""

from dataclasses import dataclass

from django.db.models import Count, Max, Q

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
    """Turns that were read by rules alone, because no model could label them."""
    ended_ms: int | None
    """None while turns wait."""


def rereading(access: Access) -> Rereading | None:
    """Return how far the newest wish is, or None when there was none; two queries at most."""
    rows = Outbox.objects.filter(conversation=access.conversation, kind=MEMORY_AGAIN)
    found = rows.aggregate(
        since_ms=Max("created_ms"),
        waiting=Count("id", filter=Q(done_ms=None)),
        put_off=Count("id", filter=Q(done_ms=None, tries__gt=0)),
    )
    if found["since_ms"] is None:
        return None
    newest = rows.filter(created_ms=found["since_ms"]).aggregate(
        unlabelled=Count("id", filter=Q(tries=GIVEN_UP)), ended_ms=Max("done_ms")
    )
    if found["waiting"]:
        newest["ended_ms"] = None
    return Rereading(**found, **newest)
