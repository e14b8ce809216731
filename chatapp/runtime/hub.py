"""Live text: the owner process's memory is the truth, and listeners follow it by number."""

import asyncio
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol
from uuid import UUID

COALESCE_S = 0.040
"""Text that comes faster is sent together; halves the messages and adds 20 ms at the median."""

LATE_COALESCE_S = 0.100
LATE_S = 0.020
"""When the event loop runs this late in the mean, fewer and larger chunks help everybody."""
LATENESS_WEIGHT = 0.05
"""Of the newest flush in the running mean of how late flushes are."""


class Listener(Protocol):
    """Somebody who follows a stream; called in the event loop, must not block."""

    def live_text(self, stream: "LiveStream", seq: int, text: str) -> None:
        """Take the chunk with this sequence number."""

    def live_restart(self, stream: "LiveStream") -> None:
        """Take notice that a new attempt begins: what came before does not count."""


@dataclass(eq=False)
class LiveStream:
    """The text that a running turn has streamed so far."""

    turn_id: UUID
    conversation_id: UUID
    attempt_id: UUID | None = None
    chunks: list[str] = field(default_factory=list)
    """Chunk n has sequence number n + 1."""
    listeners: set[Listener] = field(default_factory=set)
    at_close: list[Callable[[], None]] = field(default_factory=list)
    """Called once when the turn has ended, by those who have something to put away."""
    persisted_seq: int = 0
    """The last chunk that lies in the database."""
    persisted_parts: int = 0
    pace: Callable[[], float] = lambda: COALESCE_S
    note_lateness: Callable[[float], None] = lambda _: None
    _pending: list[str] = field(default_factory=list)
    _flush_at: asyncio.TimerHandle | None = None
    _last_flush_s: float = 0.0

    @property
    def seq(self) -> int:
        """The sequence number of the newest chunk; 0 before the first."""
        return len(self.chunks)

    def begin(self, attempt_id: UUID) -> None:
        """Start over for a new attempt."""
        self._cancel_flush()
        self._pending.clear()
        self.attempt_id = attempt_id
        self.chunks = []
        self.persisted_seq = self.persisted_parts = 0
        self._last_flush_s = 0.0
        for listener in list(self.listeners):
            listener.live_restart(self)

    def push(self, text: str) -> None:
        """Take streamed text; the first goes out at once, the rest is put together."""
        self._pending.append(text)
        if self._flush_at is not None:
            return
        loop = asyncio.get_running_loop()
        wait_s = self._last_flush_s + self.pace() - loop.time()
        if not self.chunks or wait_s <= 0:
            self.flush()
        else:
            self._flush_at = loop.call_later(wait_s, self._flush_due)

    def flush(self) -> None:
        """Number the pending text as one chunk and hand it to the listeners."""
        self._cancel_flush()
        if not self._pending:
            return
        text = "".join(self._pending)
        self._pending.clear()
        self._last_flush_s = asyncio.get_running_loop().time()
        self.chunks.append(text)
        for listener in list(self.listeners):
            listener.live_text(self, self.seq, text)

    def _flush_due(self) -> None:
        if self._flush_at is not None:
            self.note_lateness(asyncio.get_running_loop().time() - self._flush_at.when())
        self.flush()

    def text(self) -> str:
        """Return everything that was streamed."""
        return "".join((*self.chunks, *self._pending))

    def _cancel_flush(self) -> None:
        if self._flush_at is not None:
            self._flush_at.cancel()
            self._flush_at = None


class Watcher(Listener, Protocol):
    """Somebody who looks at a whole conversation from within this process."""

    def turn_opened(self, stream: "LiveStream", frame: dict[str, Any]) -> None:
        """Take notice of a turn that has begun here, perhaps with chunks already."""


class Hub:
    """The live streams of this process by turn, and who looks at which conversation."""

    def __init__(self) -> None:
        self._streams: dict[UUID, LiveStream] = {}
        self._watchers: defaultdict[UUID, set[Watcher]] = defaultdict(set)
        self._lateness_s = 0.0

    def open(self, turn_id: UUID, conversation_id: UUID) -> LiveStream:
        """Return a new stream for a turn."""
        stream = LiveStream(
            turn_id, conversation_id, pace=self._pace_s, note_lateness=self._note_lateness
        )
        self._streams[turn_id] = stream
        return stream

    def announce(self, turn_id: UUID, frame: dict[str, Any]) -> None:
        """Give what puts a turn on a page to those who look at its conversation from here.

        So they need not read it from the database before its first token comes.
        """
        stream = self._streams.get(turn_id)
        if stream is not None:
            for watcher in list(self._watchers.get(stream.conversation_id, ())):
                watcher.turn_opened(stream, frame)

    def watch(self, conversation_id: UUID, watcher: Watcher) -> None:
        """Let somebody look at a conversation."""
        self._watchers[conversation_id].add(watcher)

    def unwatch(self, conversation_id: UUID, watcher: Watcher) -> None:
        """Let somebody look away, and follow nothing any more."""
        self._watchers[conversation_id].discard(watcher)
        if not self._watchers[conversation_id]:
            del self._watchers[conversation_id]
        for stream in self._streams.values():
            stream.listeners.discard(watcher)

    def close(self, turn_id: UUID) -> None:
        """Forget the stream of a turn that has ended."""
        stream = self._streams.pop(turn_id, None)
        if stream is not None:
            stream.listeners.clear()
            for put_away in stream.at_close:
                put_away()

    def get(self, turn_id: UUID) -> LiveStream | None:
        """Return the stream of a turn that runs in this process."""
        return self._streams.get(turn_id)

    def streams(self) -> list[LiveStream]:
        """Return all streams."""
        return list(self._streams.values())

    def _pace_s(self) -> float:
        return LATE_COALESCE_S if self._lateness_s > LATE_S else COALESCE_S

    def _note_lateness(self, late_s: float) -> None:
        self._lateness_s += LATENESS_WEIGHT * (late_s - self._lateness_s)
