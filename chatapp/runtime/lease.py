"""The lease of this process, and the janitor that ends the turns of processes that are gone."""

import asyncio
import logging
import os
import socket
from collections.abc import Callable, Collection
from uuid import UUID

from chatapp import broadcast
from chatapp.clock import now_ms
from chatapp.runtime.jobs import Job
from chatapp.runtime.pool import in_pool
from chatapp.services.commits import turn_interrupt
from chatapp.services.importing import recover_lost
from chatapp.store import processes
from chatapp.store.erasure import remove_unfinished_plays

logger = logging.getLogger(__name__)

BEAT_S = 2.0
FORGET_MS = 3_600_000
"""Leases that have been silent for an hour are deleted."""


def register(process_id: UUID, kind: str) -> None:
    """Take a lease for this process."""
    processes.register(process_id, kind=kind, host=socket.gethostname(), pid=os.getpid())


async def keep_beating(process_id: UUID, kind: str, jobs: Callable[[], Collection[Job]]) -> None:
    """Renew the lease, look at the stop flags, and sweep, for ever."""
    missing: set[UUID] = set()
    while True:
        try:
            await beat(process_id, kind, jobs())
            missing = await sweep(process_id, jobs(), missing)
        except Exception:
            # Whatever it is, a process whose heart stops is declared dead by the others.
            logger.exception("The heartbeat could not be written")
        await asyncio.sleep(BEAT_S)


async def beat(process_id: UUID, kind: str, jobs: Collection[Job]) -> None:
    """Renew the lease; a lost message that asked to stop is made good by the flag in the row."""
    if not await in_pool(processes.beat, process_id):
        for job in jobs:
            job.cut("fenced")
        await in_pool(register, process_id, kind)
    running = [job.turn_id for job in jobs]
    flagged = await in_pool(processes.stop_flags, running) if running else set()
    for job in jobs:
        if job.turn_id in flagged:
            job.cut("stop")


async def sweep(process_id: UUID, jobs: Collection[Job], missing: set[UUID]) -> set[UUID]:
    """Interrupt turns that nobody runs.

    Args:
        process_id: this process.
        jobs: what it runs.
        missing: turns that were this process's at the last sweep and in no registry; those that
            still are have been lost between accept and start, or by a failed commit.

    Returns:
        The turns of this process that are in no registry now.
    """
    for turn_id, owner in await in_pool(processes.orphaned_turns):
        await interrupt(turn_id, owner)
    own = await in_pool(processes.running_turns, process_id)
    running = {job.turn_id for job in jobs}
    lost = {turn_id for turn_id in own if turn_id not in running}
    for turn_id in lost & missing:
        await interrupt(turn_id, process_id)
    await in_pool(remove_unfinished_plays)
    await in_pool(recover_lost, now_ms())
    await in_pool(processes.delete_silent, after_ms=FORGET_MS)
    return lost - missing


async def interrupt(turn_id: UUID, owner: UUID | None) -> None:
    """Mark a turn as interrupted and tell those who look at it."""
    conversation_id = await in_pool(turn_interrupt, turn_id, owner=owner)
    if conversation_id is not None:
        await broadcast.turn_changed(conversation_id, turn_id)
