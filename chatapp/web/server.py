"""Daphne, built here: says where it listens, tells a busy port apart, and drains on a signal."""

# Daphne must install Twisted's asyncio reactor before anything else imports a reactor.
from daphne.server import Server  # type: ignore[import-untyped]  # isort: skip

import asyncio
import signal
from collections.abc import Awaitable, Callable
from typing import Any

from twisted.internet import reactor
from twisted.python.failure import Failure


class DrainingServer(Server):  # type: ignore[misc]  # Daphne has no types
    """A server that begins and ends with callbacks."""

    def __init__(
        self,
        application: Any,
        endpoint: str,
        *,
        started: Callable[[], Awaitable[None]],
        drain: Callable[[], Awaitable[None]],
        listening: Callable[[str], None],
    ) -> None:
        super().__init__(
            application=application,
            endpoints=[endpoint],
            signal_handlers=False,
            ready_callable=self._ready,
            verbosity=0,
            server_name="glassbox",
        )
        self.fault = ""
        """One sentence when it could not listen; else empty."""
        self._started = started
        self._drain = drain
        self._listening = listening
        self._ending: asyncio.Task[None] | None = None
        self._begun: asyncio.Task[None] | None = None

    def _ready(self) -> None:
        loop = asyncio.get_event_loop_policy().get_event_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._on_signal)
        self._begun = loop.create_task(self._begin())

    async def _begin(self) -> None:
        try:
            await self._started()
        except Exception as error:
            self.fault = f"The server could not start: {error}"
            self.stop()
            raise

    def _on_signal(self) -> None:
        if self._ending is None:
            self._ending = asyncio.get_running_loop().create_task(self._end())
        else:
            # A second signal does not wait any longer.
            self.stop()

    async def _end(self) -> None:
        try:
            await self._drain()
        finally:
            self.stop()

    def listen_success(self, port: Any) -> None:
        """Say where the server listens."""
        super().listen_success(port)
        address = port.getHost()
        self._listening(f"http://{address.host}:{address.port}/")

    def listen_error(self, failure: Failure) -> None:
        """Keep the reason and stop."""
        self.fault = f"The server cannot listen: {failure.getErrorMessage()}"
        reactor.callWhenRunning(self.stop)
