"""Learns in this process, for installations without a worker."""

import asyncio
import logging
from contextlib import suppress

from chatapp.runtime.learning import learn_waiting
from chatapp.runtime.relearning import relearn_waiting

logger = logging.getLogger(__name__)

SWEEP_S = 10.0


class Learner:
    """Learns one turn after the other."""

    def __init__(self) -> None:
        self._woken = asyncio.Event()

    def wake(self) -> None:
        """Say that a turn may wait."""
        self._woken.set()

    async def keep_learning(self) -> None:
        """Learn whenever woken, and look by itself now and then, for ever."""
        while True:
            self._woken.clear()
            try:
                # What is read for the first time comes before what is read again.
                while await learn_waiting() or await relearn_waiting():
                    pass
            except Exception:
                # A database that is away comes back.
                logger.exception("Nobody could look for turns to be learned")
            # Not `wait_for`, which loses a cancellation that comes together with the event.
            with suppress(TimeoutError):
                async with asyncio.timeout(SWEEP_S):
                    await self._woken.wait()
