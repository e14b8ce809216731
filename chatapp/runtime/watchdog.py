"""Time limits of a stream: until the first token, then between tokens."""

import asyncio

from chatapp.runtime.jobs import Cause, Job


class Watchdog:
    """Cuts a job off when its stream is silent for too long; cheap to feed for every token."""

    def __init__(self, job: Job, *, first_token_s: float, silence_s: float) -> None:
        self._job = job
        self._limit_s = first_token_s
        self._silence_s = silence_s
        self._cause: Cause = "first_token_timeout"
        self._loop = asyncio.get_running_loop()
        self._last_s = self._loop.time()
        self._timer = self._loop.call_later(first_token_s, self._look)

    def feed(self) -> None:
        """Take notice that something came."""
        self._last_s = self._loop.time()
        if self._cause == "first_token_timeout":
            self._cause = "stalled_stream"
            self._limit_s = self._silence_s
            self._timer.cancel()
            self._timer = self._loop.call_later(self._silence_s, self._look)

    def stop(self) -> None:
        """Watch no longer."""
        self._timer.cancel()

    def _look(self) -> None:
        rest_s = self._last_s + self._limit_s - self._loop.time()
        if rest_s > 0:
            self._timer = self._loop.call_later(rest_s, self._look)
        else:
            self._job.cut(self._cause)
