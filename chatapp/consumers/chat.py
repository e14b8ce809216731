"""The socket of one open conversation: live text, changed turns, resume.

Everything that is to be sent goes through one queue and one pump, so that a turn is on the page
before its text, and chunks arrive in their order.
"""

import asyncio
import contextlib
import json
import logging
from typing import Any
from uuid import UUID

from channels.generic.websocket import AsyncWebsocketConsumer
from django.http import Http404

from chatapp import broadcast
from chatapp.access import Access, conversation_for
from chatapp.consumers.frames import LiveView, encode
from chatapp.consumers.pages import render_turn, stored_text
from chatapp.runtime import runtime as runtimes
from chatapp.runtime.hub import LiveStream
from chatapp.runtime.pool import in_pool
from chatapp.selectors.conversations import main_branch
from chatapp.selectors.turns import running_turns, turn_owner
from chatapp.web.language import language_of

logger = logging.getLogger(__name__)

ANONYMOUS = 4401
HIDDEN = 4404
ANSWER_LIMIT_S = 1.0
"""An owner that has not answered by then is bridged by the text in the database."""
RENEW_S = 10.0
# AttributeError: an id that is no text; OverflowError: a number that is infinite; RecursionError:
# nested too deeply for the JSON parser.
_UNREADABLE = (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError)


class ChatConsumer(AsyncWebsocketConsumer):
    """Serves one socket."""

    access: Access
    _tasks: tuple[asyncio.Task[None], ...] = ()
    """Empty until the owner was let in."""
    _gone = False
    """Set when the conversation was deleted: nothing more is sent."""

    async def connect(self) -> None:
        """Let the owner in, and send what the page may have missed."""
        self._queue: asyncio.Queue[tuple[str, Any]] = asyncio.Queue()
        user: Any = self.scope["user"]
        if not user.is_authenticated:
            await self._refuse(ANONYMOUS)
            return
        conversation_id = self.scope["url_route"]["kwargs"]["conversation_id"]
        try:
            self.access = await in_pool(conversation_for, user, conversation_id)
        except Http404:
            await self._refuse(HIDDEN)
            return
        await runtimes.current().ensure_started()
        self._language = language_of(self.scope)
        self._views: dict[UUID, LiveView] = {}
        self._owners: dict[UUID, UUID] = {}
        self._bridges: dict[UUID, asyncio.TimerHandle] = {}
        runtimes.current().hub.watch(conversation_id, self)
        await self.channel_layer.group_add(self._group(), self.channel_name)
        await self.accept()
        self._tasks = (asyncio.create_task(self._pump()), asyncio.create_task(self._renew()))
        self._queue.put_nowait(("hello", None))

    async def _refuse(self, code: int) -> None:
        # A socket that is closed before it is accepted shows the browser no code.
        await self.accept()
        await self.close(code)

    def _group(self) -> str:
        return broadcast.conversation_group(self.access.conversation.id)

    async def disconnect(self, code: int) -> None:  # noqa: ARG002  # the name is Channels'
        """Stop following; a running turn goes on: disconnecting is not stopping."""
        if not self._tasks:
            return
        await self.channel_layer.group_discard(self._group(), self.channel_name)
        runtimes.current().hub.unwatch(self.access.conversation.id, self)
        for timer in self._bridges.values():
            timer.cancel()
        for task in self._tasks:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:  # noqa: ARG002  # the names are Channels'
        """Take a frame of the client; one that makes no sense is answered with an error."""
        try:
            wanted = _wanted(text_data or "")
        except _UNREADABLE:
            wanted = ("frame", {"kind": "error", "code": "bad_frame"})
        if wanted is not None:
            self._queue.put_nowait(wanted)

    # What the channel layer brings.

    async def turn_changed(self, message: dict[str, Any]) -> None:
        """Take notice that a turn has a new state."""
        kind = "started" if message["started"] else "changed"
        self._queue.put_nowait((kind, UUID(message["turn"])))

    async def conversation_changed(self, message: dict[str, Any]) -> None:
        """Take notice that title or model changed, or that the conversation is gone."""
        what = message["what"]
        wanted = ("gone", None) if what == "gone" else ("frame", _refresh(what))
        self._queue.put_nowait(wanted)

    async def live_remote(self, message: dict[str, Any]) -> None:
        """Take chunks of a stream that runs in another process."""
        self._queue.put_nowait(("remote", message))

    # What this process's hub brings.

    def live_text(self, stream: LiveStream, seq: int, text: str) -> None:
        """Take a chunk of a stream that runs in this process."""
        self._queue.put_nowait(("chunk", (stream.turn_id, str(stream.attempt_id), seq, text)))

    def live_restart(self, stream: LiveStream) -> None:
        """Take notice of a new attempt."""
        self._queue.put_nowait(("restart", (stream.turn_id, str(stream.attempt_id))))

    def turn_opened(self, stream: LiveStream, frame: dict[str, Any]) -> None:
        """Take notice of a turn that begins in this process."""
        stream.listeners.add(self)
        self._queue.put_nowait(("opened", (stream.turn_id, frame)))

    # The pump.

    async def _pump(self) -> None:
        while not self._gone:
            kind, body = await self._queue.get()
            try:
                await getattr(self, f"_do_{kind}")(body)
            except Exception:
                # One turn that cannot be shown must not end the socket of all others.
                logger.exception("A socket could not handle %r", kind)

    async def _send(self, frame: dict[str, Any]) -> None:
        await self.send(text_data=encode(frame))

    async def _do_frame(self, frame: dict[str, Any]) -> None:
        await self._send(frame)

    async def _do_gone(self, _: None) -> None:
        """Send the page away; what is still on its way is about an erased conversation."""
        self._gone = True
        await self._send({"kind": "gone"})
        await self.close(HIDDEN)

    async def _do_hello(self, _: None) -> None:
        """Say where the conversation stands; the page then asks for what it lacks."""
        branch = await in_pool(main_branch, self.access)
        running = await in_pool(running_turns, self.access)
        await self._send(
            {
                "kind": "hello",
                "process": str(runtimes.current().process_id),
                "running": [str(turn_id) for turn_id, _ in running],
                "branch": str(branch.id),
                "version": branch.version,
            }
        )

    async def _do_opened(self, body: tuple[UUID, dict[str, Any]]) -> None:
        turn_id, frame = body
        self._views[turn_id] = LiveView(turn_id)
        self._owners[turn_id] = runtimes.current().process_id
        await self._send(frame)

    async def _do_started(self, turn_id: UUID) -> None:
        if turn_id not in self._views:
            await self._do_changed(turn_id)

    async def _do_changed(self, turn_id: UUID) -> None:
        shown = await in_pool(render_turn, self.access, turn_id, self._language)
        if shown is None:
            return
        await self._send(shown.frame)
        if shown.owner is None:
            self._unfollow(turn_id)
        else:
            await self._follow(turn_id, shown.owner, "", 0)
        await self._send(_refresh("sent"))

    async def _follow(self, turn_id: UUID, owner: UUID, attempt: str, after: int) -> None:
        """Send what a running turn has streamed after a chunk, and what comes from now on."""
        view = self._views[turn_id] = LiveView(turn_id)
        self._owners[turn_id] = owner
        stream = runtimes.current().hub.get(turn_id)
        if stream is None:
            await self._ask(view, owner)
            return
        stream.listeners.add(self)
        if stream.attempt_id is None:
            return
        await self._show_from(view, str(stream.attempt_id), stream.chunks, attempt, after)

    async def _show_from(
        self, view: LiveView, current: str, chunks: list[str], attempt: str, after: int
    ) -> None:
        """Send the chunks after one that the client has, or the whole state where it has none."""
        view.restart(current)
        frames = [view.take(seq, text) for seq, text in enumerate(chunks, start=1)]
        if attempt == current and 0 < after <= len(chunks):
            for frame in frames[after:]:
                if frame is not None:
                    await self._send(frame)
        else:
            await self._send(view.start_frame())

    def _unfollow(self, turn_id: UUID) -> None:
        self._views.pop(turn_id, None)
        self._owners.pop(turn_id, None)
        if timer := self._bridges.pop(turn_id, None):
            timer.cancel()

    async def _ask(self, view: LiveView, owner: UUID) -> None:
        await broadcast.ask_owner(owner, view.turn_id, view.attempt, view.seq, self.channel_name)
        if view.turn_id not in self._bridges:
            loop = asyncio.get_running_loop()
            self._bridges[view.turn_id] = loop.call_later(
                ANSWER_LIMIT_S, self._queue.put_nowait, ("bridge", view.turn_id)
            )

    async def _do_bridge(self, turn_id: UUID) -> None:
        """Show what the database has while the owner does not answer."""
        view = self._views.get(turn_id)
        self._bridges.pop(turn_id, None)
        if view is None:
            return
        if await in_pool(turn_owner, self.access, turn_id) is None:
            # It has ended, and the message that said so was lost.
            await self._do_changed(turn_id)
            return
        attempt, text, seq = await in_pool(stored_text, self.access, turn_id)
        if seq > view.seq or attempt != view.attempt:
            view.restart(attempt)
            view.take(seq, text)
            await self._send(view.start_frame())

    async def _do_chunk(self, body: tuple[UUID, str, int, str]) -> None:
        turn_id, attempt, seq, text = body
        await self._show(turn_id, attempt, seq, [text])

    async def _do_restart(self, body: tuple[UUID, str]) -> None:
        turn_id, attempt = body
        view = self._views.get(turn_id)
        if view is not None and view.attempt != attempt:
            view.restart(attempt)
            await self._send(view.start_frame())

    async def _do_remote(self, message: dict[str, Any]) -> None:
        turn_id = UUID(message["turn"])
        if timer := self._bridges.pop(turn_id, None):
            timer.cancel()
        await self._show(turn_id, message["attempt"], message["first"], message["texts"])

    async def _show(self, turn_id: UUID, attempt: str, first: int, texts: list[str]) -> None:
        view = self._views.get(turn_id)
        if view is None:
            return
        if view.has_gap_before(attempt, first):
            await self._ask(view, self._owners[turn_id])
            return
        fresh = view.attempt != attempt
        if fresh:
            view.restart(attempt)
        frames = [view.take(seq, text) for seq, text in enumerate(texts, start=first)]
        if fresh:
            frames = [view.start_frame()]
        for frame in frames:
            if frame is not None:
                await self._send(frame)

    async def _do_resume(self, body: tuple[UUID, dict[str, Any]]) -> None:
        """Send what follows a chunk that the client has, or everything."""
        turn_id, frame = body
        owner = await in_pool(turn_owner, self.access, turn_id)
        if owner is None:
            await self._do_changed(turn_id)
            return
        await self._follow(turn_id, owner, str(frame["attempt"]), int(frame["after"]))

    async def _renew(self) -> None:
        """Ask the owners in other processes again: proves interest and heals lost chunks."""
        while True:
            await asyncio.sleep(RENEW_S)
            for turn_id, view in list(self._views.items()):
                if runtimes.current().hub.get(turn_id) is None:
                    await self._ask(view, self._owners[turn_id])


def _wanted(text: str) -> tuple[str, Any] | None:
    """Return what a frame of the client asks for: resume or ping; None for anything else."""
    frame = json.loads(text)
    kind, turn = frame["kind"], frame.get("turn")
    if kind == "resume":
        have = {"attempt": str(frame.get("attempt")), "after": int(frame.get("after", 0))}
        return "resume", (UUID(turn), have)
    return ("frame", {"kind": "pong"}) if kind == "ping" else None


def _refresh(panel: str) -> dict[str, Any]:
    return {"kind": "refresh", "targets": [panel]}
