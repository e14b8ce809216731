"""The provider in a thread of its own, and the handle that a test holds."""

import asyncio
import threading
from types import TracebackType
from typing import Self

from tests.support.scripted_provider.record import DEADLINE_S, Recorded
from tests.support.scripted_provider.replies import Reply
from tests.support.scripted_provider.script import Answerer, Rule
from tests.support.scripted_provider.server import DEFAULT_MODELS, Server


class ProviderThread:
    """A running provider; leaving the block stops it."""

    def __init__(self, models: tuple[str, ...] = DEFAULT_MODELS) -> None:
        self._server = Server(models)
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="scripted provider", daemon=True)
        self.port = 0
        self.log = self._server.log
        self.gates = self._server.gates
        self.script = self._server.script

    def __enter__(self) -> Self:
        """Start, and return once the port is open."""
        self._thread.start()
        assert self._ready.wait(DEADLINE_S), "the scripted provider did not start"
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop and break every open connection."""
        self._loop.call_soon_threadsafe(self._stopped.set)
        self._thread.join(DEADLINE_S)

    @property
    def url(self) -> str:
        """The address of the server itself."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def base_url(self) -> str:
        """The address that an OpenAI client takes."""
        return f"{self.url}/v1"

    @property
    def chats(self) -> list[Recorded]:
        """The chat requests so far."""
        return self.log.chats()

    def enqueue(self, *replies: Reply) -> None:
        """Give the next chat requests these replies, one each."""
        self.script.enqueue(*replies)

    def when(
        self,
        reply: Reply | Answerer,
        *,
        model: str | None = None,
        contains: str | None = None,
        times: int | None = None,
        streams: bool | None = None,
    ) -> None:
        """Give every chat request that fits this reply."""
        self.script.add(Rule(reply, model, contains, times, streams))

    def release(self, gate: str = "gate") -> None:
        """Let the answers at a gate go on."""
        self.gates.open(gate)

    def hold(self, gate: str = "gate") -> None:
        """Hold answers at a gate again."""
        self.gates.close(gate)

    def wait_held(self, gate: str = "gate", count: int = 1) -> None:
        """Wait until so many answers stand at the gate."""
        self.gates.wait_held(gate, count)

    def wait_for_chats(self, count: int) -> list[Recorded]:
        """Wait until so many chat requests have come."""
        return self.log.wait_for_chats(count)

    def clear(self) -> None:
        """Forget the script and the requests, and let everything pass that is held."""
        self.script.clear()
        self.gates.clear()
        self.log.clear()

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._stopped = asyncio.Event()
        listener = await self._server.listen()
        self.port = listener.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stopped.wait()
        listener.close()
