"""Gates: where answers stand still until a test lets them go on."""

import asyncio
import threading
from collections import Counter
from collections.abc import Callable

from tests.support.scripted_provider.record import DEADLINE_S


class Gates:
    """Named gates, closed until opened; opened and watched from any thread."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._open: set[str] = set()
        self._waiting: Counter[str] = Counter()
        self._wakers: dict[str, list[Callable[[], None]]] = {}

    async def wait(self, gate: str) -> None:
        """Stand at the gate until it opens."""
        loop, event = asyncio.get_running_loop(), asyncio.Event()

        def wake() -> None:
            loop.call_soon_threadsafe(event.set)

        with self._changed:
            if gate in self._open:
                return
            self._wakers.setdefault(gate, []).append(wake)
            self._waiting[gate] += 1
            self._changed.notify_all()
        try:
            await event.wait()
        finally:
            with self._changed:
                self._waiting[gate] -= 1

    def open(self, gate: str) -> None:
        """Let everything at the gate pass, and whatever comes later."""
        with self._changed:
            self._open.add(gate)
            wakers = self._wakers.pop(gate, [])
        for wake in wakers:
            wake()

    def close(self, gate: str) -> None:
        """Hold whatever comes from now on."""
        with self._changed:
            self._open.discard(gate)

    def clear(self) -> None:
        """Let everything pass that stands at a gate, and close them all."""
        with self._changed:
            waiting = list(self._wakers)
        for gate in waiting:
            self.open(gate)
        with self._changed:
            self._open.clear()

    def wait_held(self, gate: str, count: int = 1, *, deadline_s: float = DEADLINE_S) -> None:
        """Wait until so many answers stand at the gate.

        Raises:
            AssertionError: when they do not come in time.
        """
        with self._changed:
            if not self._changed.wait_for(lambda: self._waiting[gate] >= count, deadline_s):
                message = f"Waited {deadline_s:g} s for {count} at gate {gate!r}: {self._waiting}"
                raise AssertionError(message)
