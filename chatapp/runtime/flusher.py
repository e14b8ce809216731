"""Keeps the streamed text of all streams of this process in the database, twice a second."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection

from chatapp.runtime.jobs import Job
from chatapp.runtime.pool import in_pool
from chatapp.store import partials

logger = logging.getLogger(__name__)

INTERVAL_S = 0.5


async def keep_flushing(flush_all: Callable[[], Awaitable[None]]) -> None:
    """Append what the streams have gained, for ever."""
    while True:
        await asyncio.sleep(INTERVAL_S)
        try:
            await flush_all()
        except Exception:
            # The text is still in memory: the next round takes it along.
            logger.exception("Partial text could not be stored")


async def flush(jobs: Collection[Job]) -> None:
    """Append what every stream has gained since the last time, in one transaction."""
    gained = [(job, part) for job in jobs if (part := next_part(job)) is not None]
    if not gained:
        return
    await in_pool(partials.append, [part for _, part in gained])
    for job, part in gained:
        if job.stream.attempt_id == part.attempt_id:
            job.stream.persisted_seq = part.last_seq
            job.stream.persisted_parts = part.ordinal
        if job.ended.is_set():
            # The turn ended while its text was on the way: the commit has dropped what it found.
            await in_pool(partials.drop, part.attempt_id)


def next_part(job: Job) -> partials.Partial | None:
    """Return the text that a stream has gained, or None when there is nothing new."""
    stream = job.stream
    if stream.attempt_id is None or job.ended.is_set() or stream.persisted_seq >= stream.seq:
        return None
    return partials.Partial(
        attempt_id=stream.attempt_id,
        ordinal=stream.persisted_parts + 1,
        last_seq=stream.seq,
        text="".join(stream.chunks[stream.persisted_seq :]),
        keys=job.keys,
    )
