"""Reads turns again that are learned: one at a time, so that new turns need not wait for many."""

import logging
from uuid import UUID

from chatapp import broadcast
from chatapp.runtime.learning import verdict_on
from chatapp.runtime.pool import in_pool
from chatapp.services.relabelling import (
    relabelling_due,
    relabelling_fail,
    relabelling_next,
    relabelling_wake,
    relabelling_write,
)

logger = logging.getLogger(__name__)


async def relearn(turn_id: UUID) -> bool:
    """Read one turn again, wake a worker for the next, and return whether it was read."""
    piece = await in_pool(relabelling_next, turn_id)
    if piece is None:
        return False
    try:
        verdict = await verdict_on(piece)
        if verdict is not None:
            await in_pool(relabelling_write, piece, verdict)
    except Exception:
        await in_pool(relabelling_fail, turn_id)
        raise
    if verdict is not None:
        await broadcast.memory_changed(piece.conversation_id)
    await in_pool(relabelling_wake, piece.conversation_id)
    return verdict is not None


async def relearn_waiting() -> int:
    """Read the turn again that waits longest and can be read; return how many it was: one or none.

    One fault stops no other turn.
    """
    for turn_id in await in_pool(relabelling_due):
        try:
            if await relearn(turn_id):
                return 1
        except Exception:
            logger.exception("Turn %s could not be read again", turn_id)
    return 0
