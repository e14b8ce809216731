"""Follows the running turns of one conversation for one socket, wherever they run.

A turn of this process is listened to; the owner of one in another process is asked, again where
chunks are missing, and bridged by the text in the database while it does not answer.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from chatapp import broadcast
from chatapp.access import Access
from chatapp.consumers.frames import LiveView
from chatapp.consumers.pages import stored_text
from chatapp.runtime.hub import Listener
from chatapp.runtime.pool import in_pool
from chatapp.runtime.runtime import current
from chatapp.selectors.turns import turn_owner

ANSWER_LIMIT_S = 1.0
"""An owner that has not answered by then is bridged by the text in the database."""
RENEW_S = 10.0

Job = Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Socket:
    """What following needs of the socket that it serves."""

    access: Access
    channel: str
    listener: Listener
    send: Callable[[dict[str, Any]], Awaitable[None]]
    enqueue: Callable[[Job], None]
    """Does a job after those that wait: everything is sent in one order."""
    show_turn: Callable[[UUID], Awaitable[None]]
    """Shows a turn as it is now."""


@dataclass(slots=True)
class _Followed:
    view: LiveView
    owner: UUID
    bridge: asyncio.TimerHandle | None = None

    def answered(self) -> None:
        if self.bridge is not None:
            self.bridge.cancel()
            self.bridge = None


class Following:
    """The turns that one socket follows."""

    def __init__(self, socket: Socket) -> None:
        self._socket = socket
        self._followed: dict[UUID, _Followed] = {}

    def __contains__(self, turn_id: UUID) -> bool:
        return turn_id in self._followed

    async def follow(self, turn_id: UUID, owner: UUID, attempt: str = "", after: int = 0) -> None:
        """Send what a running turn has streamed after a chunk, and what comes from now on."""
        self.drop(turn_id)
        followed = self._followed[turn_id] = _Followed(LiveView(turn_id), owner)
        stream = current().hub.get(turn_id)
        if stream is None:
            await self._ask(followed)
            return
        stream.listeners.add(self._socket.listener)
        if stream.attempt_id is None:
            return
        view, running = followed.view, str(stream.attempt_id)
        view.restart(running)
        frames = [view.take(seq, text) for seq, text in enumerate(stream.chunks, start=1)]
        known = attempt == running and 0 < after <= len(frames)
        for frame in frames[after:] if known else [view.start_frame()]:
            await self._send(frame)

    def drop(self, turn_id: UUID) -> None:
        """Follow a turn no longer."""
        followed = self._followed.pop(turn_id, None)
        if followed is not None:
            followed.answered()

    def close(self) -> None:
        """Follow nothing any more."""
        for turn_id in list(self._followed):
            self.drop(turn_id)

    async def restart(self, turn_id: UUID, attempt: str) -> None:
        """Begin anew with another attempt."""
        followed = self._followed.get(turn_id)
        if followed is not None and followed.view.attempt != attempt:
            followed.view.restart(attempt)
            await self._send(followed.view.start_frame())

    async def take(self, turn_id: UUID, attempt: str, first: int, texts: list[str]) -> None:
        """Take chunks, from this process or from another one."""
        followed = self._followed.get(turn_id)
        if followed is None:
            return
        followed.answered()
        view = followed.view
        fresh = view.attempt != attempt
        if fresh:
            view.restart(attempt)
        if view.has_gap_before(attempt, first):
            await self._ask(followed)
            return
        frames = [view.take(seq, text) for seq, text in enumerate(texts, start=first)]
        for frame in [view.start_frame()] if fresh else frames:
            await self._send(frame)

    async def renew_for_ever(self) -> None:
        """Ask the owners in other processes again: proves interest and heals lost chunks."""
        while True:
            await asyncio.sleep(RENEW_S)
            for turn_id, followed in list(self._followed.items()):
                if current().hub.get(turn_id) is None:
                    await self._ask(followed)

    async def _send(self, frame: dict[str, Any] | None) -> None:
        if frame is not None:
            await self._socket.send(frame)

    async def _ask(self, followed: _Followed) -> None:
        view = followed.view
        channel = self._socket.channel
        await broadcast.ask_owner(followed.owner, view.turn_id, view.attempt, view.seq, channel)
        if followed.bridge is None:
            job = partial(self._bridge, view.turn_id)
            loop = asyncio.get_running_loop()
            followed.bridge = loop.call_later(ANSWER_LIMIT_S, self._socket.enqueue, job)

    async def _bridge(self, turn_id: UUID) -> None:
        """Show what the database has while the owner does not answer."""
        followed = self._followed.get(turn_id)
        if followed is None:
            return
        followed.bridge = None
        access, view = self._socket.access, followed.view
        if await in_pool(turn_owner, access, turn_id) is None:
            # It has ended, and the message that said so was lost.
            await self._socket.show_turn(turn_id)
            return
        attempt, text, seq = await in_pool(stored_text, access, turn_id)
        if seq > view.seq or attempt != view.attempt:
            view.restart(attempt)
            view.take(seq, text)
            await self._send(view.start_frame())
