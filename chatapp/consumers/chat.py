"""The socket of one open conversation: live text, changed turns, resume.

Everything that is to be sent goes through one queue and one pump, so that a turn is on the page
before its text, and chunks arrive in their order.
"""

import asyncio
import contextlib
import json
import logging
from functools import partial
from typing import Any
from uuid import UUID

from channels.generic.websocket import AsyncWebsocketConsumer
from django.http import Http404

from chatapp import broadcast
from chatapp.access import Access
from chatapp.consumers.following import Following, Job, Socket
from chatapp.consumers.frames import encode
from chatapp.consumers.pages import branch_of, let_in, render_elsewhere, render_turn
from chatapp.runtime.hub import LiveStream
from chatapp.runtime.pool import in_pool
from chatapp.runtime.runtime import current
from chatapp.selectors.accounts import session_stands
from chatapp.selectors.branches import shown_branch
from chatapp.selectors.turns import running_turns, turn_owner
from chatapp.web.language import language_of

logger = logging.getLogger(__name__)

ANONYMOUS = 4401
HIDDEN = 4404
SESSION_CHECK_S = 30.0
"""How often a socket looks for its session by itself: news of its end can be lost on the way."""
TURN_PANELS = ("context", "summary", "session", "selected", "branches", "attempts", "log")
"""Panels that speak of turns: all."""
MEMORY_PANELS = ("context", "summary", "session", "selected", "log")
"""Panels that show memory, or what it has become."""
# AttributeError: an id that is no text; OverflowError: a number that is infinite; RecursionError:
# nested too deeply for the JSON parser.
_UNREADABLE = (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError)


class ChatConsumer(AsyncWebsocketConsumer):
    """Serves one socket."""

    access: Access
    _following: Following | None = None
    """None until the owner was let in."""
    _gone = False
    """Set when the conversation was deleted or the session ended: nothing more is sent."""

    async def connect(self) -> None:
        """Let the owner in, and say where the conversation stands."""
        self._queue: asyncio.Queue[Job] = asyncio.Queue()
        user: Any = self.scope["user"]
        if not user.is_authenticated:
            await self._refuse(ANONYMOUS)
            return
        conversation_id = self.scope["url_route"]["kwargs"]["conversation_id"]
        try:
            branch_id = branch_of(self.scope)
            self.access = await in_pool(let_in, user, conversation_id, branch_id)
        except Http404:
            await self._refuse(HIDDEN)
            return
        await current().ensure_started()
        self._language = language_of(self.scope)
        for group in self._groups():
            await self.channel_layer.group_add(group, self.channel_name)
        await self.accept()
        self._following = self._followed()
        current().hub.watch(conversation_id, self)
        jobs = (self._pump(), self._following.renew_for_ever(), self._check_for_ever())
        self._tasks = [asyncio.create_task(job) for job in jobs]
        # The session may have ended before this socket was in the group that is told of it.
        self._queue.put_nowait(self._check_session)
        self._queue.put_nowait(self._hello)

    async def _refuse(self, code: int) -> None:
        # A socket that is closed before it is accepted shows the browser no code.
        await self.accept()
        await self.close(code)

    def _groups(self) -> tuple[str, str]:
        return (
            broadcast.conversation_group(self.access.conversation.id),
            broadcast.user_group(self.access.owner.user_id),
        )

    def _followed(self) -> Following:
        return Following(
            Socket(
                access=self.access,
                channel=self.channel_name,
                listener=self,
                send=self._send,
                enqueue=self._queue.put_nowait,
                show_turn=self._show_turn,
            )
        )

    async def disconnect(self, code: int) -> None:  # noqa: ARG002  # the name is Channels'
        """Stop following; a running turn goes on: disconnecting is not stopping."""
        if self._following is None:
            return
        for group in self._groups():
            await self.channel_layer.group_discard(group, self.channel_name)
        current().hub.unwatch(self.access.conversation.id, self)
        self._following.close()
        for task in self._tasks:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:  # noqa: ARG002  # the names are Channels'
        """Take a frame of the client; one that makes no sense is answered with an error."""
        try:
            job = self._wanted(json.loads(text_data or ""))
        except _UNREADABLE:
            job = partial(self._send, {"kind": "error", "code": "bad_frame"})
        if job is not None:
            self._queue.put_nowait(job)

    def _wanted(self, frame: dict[str, Any]) -> Job | None:
        """Return what a frame of the client asks for: resume or ping; None for anything else."""
        kind = frame["kind"]
        if kind == "resume":
            attempt, after = str(frame.get("attempt")), int(frame.get("after", 0))
            return partial(self._resume, UUID(frame["turn"]), attempt, after)
        return partial(self._send, {"kind": "pong"}) if kind == "ping" else None

    # What the channel layer brings.

    async def turn_changed(self, message: dict[str, Any]) -> None:
        """Take notice that a turn has begun or has a new state."""
        show = self._show_begun if message["started"] else self._show_changed
        self._queue.put_nowait(partial(show, UUID(message["turn"])))

    async def conversation_changed(self, message: dict[str, Any]) -> None:
        """Take notice that title, model or branches changed, or that the conversation is gone."""
        what = message["what"]
        jobs: dict[str, Job] = {"gone": self._leave, "branches": self._tell_of_tree}
        self._queue.put_nowait(jobs.get(what, partial(self._refresh, what)))

    async def branch_selected(self, message: dict[str, Any]) -> None:
        """Take notice that another page of this reader has gone to a branch."""
        if message["conversation"] == str(self.access.conversation.id):
            job = partial(self._tell_where, UUID(message["branch"]), message["page"])
            self._queue.put_nowait(job)

    async def memory_changed(self, _: dict[str, Any]) -> None:
        """Take notice that a turn was learned, or that a person changed memory."""
        self._queue.put_nowait(partial(self._refresh, *MEMORY_PANELS))

    async def session_ended(self, message: dict[str, Any]) -> None:  # noqa: ARG002  # the layer's shape
        """Take notice that sessions of this account have ended, perhaps this socket's."""
        self._queue.put_nowait(self._check_session)

    async def live_remote(self, message: dict[str, Any]) -> None:
        """Take chunks of a stream that runs in another process."""
        self._take(UUID(message["turn"]), message["attempt"], message["first"], message["texts"])

    # What this process's hub brings.

    def live_text(self, stream: LiveStream, seq: int, text: str) -> None:
        """Take a chunk of a stream that runs in this process."""
        self._take(stream.turn_id, str(stream.attempt_id), seq, [text])

    def live_restart(self, stream: LiveStream) -> None:
        """Take notice of a new attempt."""
        if self._following is not None:
            restart = self._following.restart
            self._queue.put_nowait(partial(restart, stream.turn_id, str(stream.attempt_id)))

    def turn_opened(self, stream: LiveStream, frame: dict[str, Any]) -> None:
        """Take notice of a turn that begins in this process, perhaps on another branch."""
        if frame["branch"] != str(self.access.branch_id):
            return
        stream.listeners.add(self)
        self._queue.put_nowait(partial(self._open, stream.turn_id, frame))

    def _take(self, turn_id: UUID, attempt: str, first: int, texts: list[str]) -> None:
        if self._following is not None:
            take = self._following.take
            self._queue.put_nowait(partial(take, turn_id, attempt, first, texts))

    # What is done in turn.

    async def _pump(self) -> None:
        while not self._gone:
            job = await self._queue.get()
            try:
                await job()
            except Exception:
                # One turn that cannot be shown must not end the socket of all others.
                logger.exception("A socket could not do its job")

    async def _send(self, frame: dict[str, Any]) -> None:
        await self.send(text_data=encode(frame))

    async def _refresh(self, *panels: str) -> None:
        await self._send({"kind": "refresh", "targets": panels})

    async def _tell_of_tree(self) -> None:
        """Let the page look again at where it stands among the branches, and on which turn."""
        await self._send({"kind": "tree"})
        await self._refresh("branches")

    async def _tell_where(self, branch_id: UUID, page: str) -> None:
        access, language = self.access, self._language
        frame = await in_pool(render_elsewhere, access, branch_id, page, language)
        if frame is not None:
            await self._send(frame)

    async def _leave(self) -> None:
        """Send the page away; what is still on its way is about an erased conversation."""
        self._gone = True
        await self._send({"kind": "gone"})
        await self.close(HIDDEN)

    async def _check_for_ever(self) -> None:
        while True:
            await asyncio.sleep(SESSION_CHECK_S)
            self._queue.put_nowait(self._check_session)

    async def _check_session(self) -> None:
        """Close when the session that opened this socket has ended; the page then signs in."""
        key, user_id = self.scope["session"].session_key, self.access.owner.user_id
        if not await in_pool(session_stands, key, user_id):
            self._gone = True
            await self.close(ANONYMOUS)

    async def _hello(self) -> None:
        """Say where the conversation stands; the page then asks for what it lacks."""
        branch = await in_pool(shown_branch, self.access)
        running = await in_pool(running_turns, self.access)
        await self._send(
            {
                "kind": "hello",
                "process": str(current().process_id),
                "running": [str(turn_id) for turn_id, _ in running],
                "branch": str(branch.id),
                "version": branch.version,
            }
        )

    async def _open(self, turn_id: UUID, frame: dict[str, Any]) -> None:
        await self._send(frame)
        if self._following is not None:
            await self._following.follow(turn_id, current().process_id)

    async def _show_begun(self, turn_id: UUID) -> None:
        if self._following is not None and turn_id not in self._following:
            await self._show_changed(turn_id)

    async def _show_changed(self, turn_id: UUID) -> None:
        """Show a turn that nobody has asked for: one of another branch is none of this page."""
        await self._show_turn(turn_id, of_branch=True)

    async def _show_turn(self, turn_id: UUID, *, of_branch: bool = False) -> None:
        access, language = self.access, self._language
        shown = await in_pool(render_turn, access, turn_id, language, of_branch=of_branch)
        if shown is None or self._following is None:
            return
        await self._send(shown.frame)
        if shown.owner is None:
            self._following.drop(turn_id)
        else:
            await self._following.follow(turn_id, shown.owner)
        await self._refresh(*TURN_PANELS)

    async def _resume(self, turn_id: UUID, attempt: str, after: int) -> None:
        """Send what follows a chunk that the client has, or everything."""
        owner = await in_pool(turn_owner, self.access, turn_id)
        if owner is None or self._following is None:
            await self._show_turn(turn_id)
        else:
            await self._following.follow(turn_id, owner, attempt, after)
