"""Does the work that waits in the outbox, whoever wakes it."""

import logging
from uuid import UUID

from django.conf import settings

from chatapp.clock import now_ms
from chatapp.jobs import wake_worker
from chatapp.services.counting import turn_count_tokens
from chatapp.store import outbox

logger = logging.getLogger(__name__)

BATCH = 50
PAUSE_MS = 60_000


def outbox_sweep() -> int:
    """Count what waits to be counted, oldest first, and return how much was done.

    Learning is asynchronous and has a sweep of its own in the runtime. A piece that fails is put
    off for a minute and does not hold up the others.
    """
    done = 0
    for turn_id in outbox.waiting(outbox.TOKEN_COUNTS, now_ms(), BATCH):
        try:
            turn_count_tokens(turn_id)
            done += 1
        except Exception:
            logger.exception("Counting the tokens of turn %s failed", turn_id)
            outbox.postpone(turn_id, outbox.TOKEN_COUNTS, now_ms() + PAUSE_MS)
    return done


def outbox_wake(turn_id: UUID) -> None:
    """See to the work that a turn left: by a worker, or the counting here where there is none."""
    if settings.REDIS_URL:
        for kind in outbox.KINDS:
            wake_worker(kind, turn_id)
    else:
        outbox_sweep()
