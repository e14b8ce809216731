"""Followers in other processes: each has a queue, so that its chunks arrive in order."""

import asyncio
import logging

from chatapp import broadcast
from chatapp.runtime.hub import LiveStream

logger = logging.getLogger(__name__)

EXPIRY_S = 30.0
"""A follower that has not asked again for this long is gone."""


class RemoteListener:
    """Sends the chunks of one stream to one socket in another process."""

    def __init__(self, stream: LiveStream, channel: str) -> None:
        self.channel = channel
        self._stream = stream
        self._queue: asyncio.Queue[tuple[str, int, list[str]] | None] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        self._asked_s = self._loop.time()
        self._task = asyncio.create_task(self._pump())
        stream.at_close.append(self.close)

    def ask(self, attempt: str, after: int) -> None:
        """Send everything after a sequence number, and go on for another while."""
        self._asked_s = self._loop.time()
        stream = self._stream
        current = str(stream.attempt_id or "")
        first = after if attempt == current and after <= stream.seq else 0
        self._queue.put_nowait((current, first + 1, stream.chunks[first:]))

    def live_text(self, stream: LiveStream, seq: int, text: str) -> None:
        """Pass a chunk on."""
        if self._loop.time() - self._asked_s > EXPIRY_S:
            self.close()
            return
        self._queue.put_nowait((str(stream.attempt_id), seq, [text]))

    def live_restart(self, stream: LiveStream) -> None:
        """Tell that a new attempt begins."""
        self._queue.put_nowait((str(stream.attempt_id), 1, []))

    def close(self) -> None:
        """Stop following; what came before is still sent."""
        self._stream.listeners.discard(self)
        self._queue.put_nowait(None)

    async def _pump(self) -> None:
        turn_id = self._stream.turn_id
        try:
            while (part := await self._queue.get()) is not None:
                await broadcast.send_live(self.channel, turn_id, *part)
        except Exception:
            # Every broker has errors of its own; a page that is still there asks again.
            logger.exception("A page in another process could not be reached")
        self._stream.listeners.discard(self)


def answer_ask(stream: LiveStream, *, channel: str, attempt: str, after: int) -> None:
    """Answer a follower in another process, and send it what comes from now on."""
    for listener in stream.listeners:
        if isinstance(listener, RemoteListener) and listener.channel == channel:
            listener.ask(attempt, after)
            return
    listener = RemoteListener(stream, channel)
    stream.listeners.add(listener)
    listener.ask(attempt, after)
