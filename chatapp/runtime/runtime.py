"""The runtime of this process: a registry of running turns and the tasks that serve them."""

import asyncio
import logging
from collections.abc import Collection
from uuid import UUID

from django.conf import settings
from django.db import DatabaseError

from chatapp.ids import new_id
from chatapp.keyring import SpaceKeys
from chatapp.runtime import flusher, lease, mailbox
from chatapp.runtime.hub import Hub
from chatapp.runtime.jobs import Job
from chatapp.runtime.learner import Learner
from chatapp.runtime.pool import in_pool
from chatapp.runtime.runner import run_turn
from chatapp.services.attempts import Prepared
from chatapp.store import processes
from chatapp.wiring import close_clients
from statecore.models import ModelSpec

logger = logging.getLogger(__name__)

DRAIN_S = 10.0
"""How long running answers may go on after SIGTERM."""

CUT_S = 10.0
"""How long turns that were cut off then may take to be marked in the database."""


class Draining(Exception):
    """Raised when this process takes no new turns because it is about to end."""


class Runtime:
    """Runs turns as tasks of one event loop."""

    def __init__(self, kind: str = "web") -> None:
        self.process_id = new_id()
        self.hub = Hub()
        self.jobs: dict[UUID, Job] = {}
        self.draining = False
        self.learner = None if settings.REDIS_URL else Learner()
        """None where a worker learns."""
        self._kind = kind
        self._services: list[asyncio.Task[None]] = []
        self._starting = asyncio.Lock()
        self._flushing = asyncio.Lock()

    async def ensure_started(self) -> None:
        """Take the lease and start the background tasks; the first call does it."""
        async with self._starting:
            if self._services:
                return
            await in_pool(lease.register, self.process_id, self._kind)
            self._services = [
                asyncio.create_task(mailbox.keep_reading(self.process_id, self.hub, self.jobs)),
                asyncio.create_task(lease.keep_beating(self.process_id, self._kind, self.running)),
                asyncio.create_task(flusher.keep_flushing(self._flush)),
            ]
            if self.learner is not None:
                self._services.append(asyncio.create_task(self.learner.keep_learning()))

    def running(self) -> Collection[Job]:
        """Return the jobs of this moment."""
        return list(self.jobs.values())

    def refuse_while_draining(self) -> None:
        """Check that new turns are welcome.

        Raises:
            Draining: when the process is about to end.
        """
        if self.draining:
            raise Draining

    def start_turn(
        self,
        turn_id: UUID,
        conversation_id: UUID,
        keys: SpaceKeys,
        model: ModelSpec,
        *,
        prepared: Prepared | None = None,
    ) -> None:
        """Run an accepted turn.

        Args:
            turn_id: the turn.
            conversation_id: its conversation.
            keys: its owner's keys.
            model: whom to ask.
            prepared: its attempt, where that is stored already.
        """
        if turn_id in self.jobs:
            return
        stream = self.hub.open(turn_id, conversation_id)
        job = Job(turn_id, conversation_id, keys, model, stream, prepared=prepared)
        self.jobs[turn_id] = job
        job.task = asyncio.create_task(self._run(job))

    async def _run(self, job: Job) -> None:
        try:
            await run_turn(job, self.process_id)
            if self.learner is not None:
                self.learner.wake()
        finally:
            job.ended.set()
            self.jobs.pop(job.turn_id, None)
            self.hub.close(job.turn_id)

    async def learn_soon(self) -> None:
        """Say that turns wait to be learned or read again, where no worker is told."""
        if self.learner is not None and not self.draining:
            await self.ensure_started()
            self.learner.wake()

    def stop_turn(self, turn_id: UUID) -> bool:
        """Stop a turn that runs here; False when it does not."""
        job = self.jobs.get(turn_id)
        if job is not None:
            job.cut("stop")
        return job is not None

    async def drain(self, limit_s: float = DRAIN_S) -> None:
        """Take no new turns, let the running ones end, and cut off those that take too long."""
        self.draining = True
        if self._services:
            await in_pool(processes.set_draining, self.process_id)
        await self._wait(limit_s)
        try:
            await self._flush()
        except DatabaseError:
            logger.exception("What is cut off now loses the text of the last half second")
        for job in self.running():
            job.cut("drain")
        await self._wait(CUT_S)
        await self._end_services()

    async def _flush(self) -> None:
        # One at a time: two would store the same stretch twice.
        async with self._flushing:
            await flusher.flush(self.running())

    async def _wait(self, limit_s: float) -> None:
        tasks = [job.task for job in self.running() if job.task is not None]
        if tasks:
            await asyncio.wait(tasks, timeout=limit_s)

    async def _end_services(self) -> None:
        services, self._services = self._services, []
        for task in services:
            task.cancel()
        await asyncio.gather(*services, return_exceptions=True)
        if services:
            await in_pool(processes.unregister, self.process_id)
        await close_clients()


_current: Runtime | None = None


def current() -> Runtime:
    """Return the runtime of this process."""
    global _current  # noqa: PLW0603  # one runtime for the process, made at first use
    if _current is None:
        _current = Runtime()
    return _current


def reset() -> None:
    """Forget the runtime, so that a test with another event loop begins anew."""
    global _current  # noqa: PLW0603  # see above
    _current = None
