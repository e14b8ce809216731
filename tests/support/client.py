"""A real client without a browser: HTTP with a session cookie, and the conversation's socket."""

import asyncio
import json
import re
import time
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, Self

import httpx2
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from tests.support.live import LiveView, resume

CSRF_COOKIE = "glassbox_csrf"
DEADLINE_S = 60.0
ENDED = frozenset({"committed", "failed", "interrupted"})
INPUT = re.compile(r"<input[^>]*>")
ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')


class ChatClient:
    """One user at one web process, signed in by the first page."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._http = httpx2.AsyncClient(base_url=url, timeout=DEADLINE_S, follow_redirects=True)

    async def __aenter__(self) -> Self:
        """Open the first page, which signs the local user in."""
        answer = await self._http.get("/")
        answer.raise_for_status()
        return self

    async def __aexit__(self, *error: object) -> None:
        """Close the connections."""
        await self._http.aclose()

    @property
    def headers(self) -> dict[str, str]:
        """Headers of a request that changes something."""
        return {"x-csrftoken": self._http.cookies.get(CSRF_COOKIE) or "", "origin": self.url}

    @property
    def cookie(self) -> str:
        """The cookies as one header."""
        return "; ".join(f"{name}={value}" for name, value in self._http.cookies.items())

    async def get(self, path: str) -> httpx2.Response:
        """Fetch a page."""
        return await self._http.get(path)

    async def post(self, path: str, **fields: str) -> httpx2.Response:
        """Send a form."""
        return await self._http.post(path, data=fields, headers=self.headers)

    async def create(self) -> str:
        """Make a conversation and return its id."""
        answer = await self.post("/c/")
        answer.raise_for_status()
        return answer.url.path.strip("/").split("/")[-1]

    async def state(self, conversation: str) -> dict[str, Any]:
        """Return the conversation as JSON."""
        answer = await self.get(f"/c/{conversation}/page.json")
        answer.raise_for_status()
        state: dict[str, Any] = answer.json()
        return state

    async def draft(self, conversation: str, text: str, *, key: str = "") -> "Draft":
        """Return a message typed on the page as it is now, not posted yet."""
        page = await self.get(f"/c/{conversation}/")
        fields = hidden_fields(page.text)
        typed_on = {name: fields[name] for name in ("branch", "version")}
        fields = {"text": text, "key": key or uuid.uuid4().hex, **typed_on}
        return Draft(self, f"/c/{conversation}/turns", fields)

    async def send(self, conversation: str, text: str, *, key: str = "") -> httpx2.Response:
        """Post a message typed on the page as it is now."""
        return await (await self.draft(conversation, text, key=key)).post()

    async def stop(self, conversation: str, turn: str) -> httpx2.Response:
        """Press Stop."""
        return await self.post(f"/c/{conversation}/turns/{turn}/stop")

    async def retry(self, conversation: str, turn: str) -> httpx2.Response:
        """Press Retry."""
        return await self.post(f"/c/{conversation}/turns/{turn}/retry")

    @asynccontextmanager
    async def watch(self, conversation: str) -> AsyncIterator["Watcher"]:
        """Open the conversation's socket and follow its frames until the block is left."""
        address = f"{self.url.replace('http', 'ws', 1)}/ws/c/{conversation}/"
        headers = {"cookie": self.cookie}
        async with connect(
            address, origin=Origin(self.url), additional_headers=headers, max_size=None
        ) as socket:
            watcher = Watcher(socket)
            following = asyncio.create_task(watcher.follow())
            try:
                yield watcher
            finally:
                following.cancel()
                with suppress(asyncio.CancelledError):
                    await following


@dataclass(frozen=True, slots=True)
class Draft:
    """A message in the composer; posting it twice is what an impatient person does."""

    client: ChatClient
    path: str
    fields: dict[str, str]

    async def post(self) -> httpx2.Response:
        """Send it."""
        return await self.client.post(self.path, **self.fields)


class Watcher:
    """Follows one socket; a test waits for what the view shows."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._changed = asyncio.Condition()
        self.view = LiveView()
        self.frames: list[dict[str, Any]] = []
        self.arrivals_ns: list[int] = []
        """When each frame came, by the machine's monotonic clock."""
        self.closed = False

    async def follow(self) -> None:
        """Apply frames until the socket closes."""
        with suppress(ConnectionClosed):
            async for message in self._socket:
                await self._take(json.loads(message))
        async with self._changed:
            self.closed = True
            self._changed.notify_all()

    async def wait(self, predicate: Callable[[LiveView], bool], what: str) -> None:
        """Wait until the view shows something.

        Raises:
            AssertionError: when it does not in time.
        """
        try:
            async with asyncio.timeout(DEADLINE_S), self._changed:
                await self._changed.wait_for(lambda: predicate(self.view))
        except TimeoutError:
            kinds = [frame["kind"] for frame in self.frames]
            raise AssertionError(f"Waited {DEADLINE_S:g} s for {what}; frames: {kinds}") from None

    async def wait_status(self, *wanted: str) -> str:
        """Wait until a turn has one of these statuses; return the turn."""
        await self.wait(
            lambda view: any(status in wanted for status in view.status.values()),
            f"a turn that is {' or '.join(wanted)}",
        )
        return next(turn for turn, status in self.view.status.items() if status in wanted)

    async def wait_text(self, text: str) -> None:
        """Wait until a running answer has this text in it."""
        await self.wait(
            lambda view: any(text in answer.text for answer in view.answers.values()),
            f"the text {text!r}",
        )

    async def _take(self, frame: dict[str, Any]) -> None:
        async with self._changed:
            self.arrivals_ns.append(time.monotonic_ns())
            self.frames.append(frame)
            reply = self.view.apply(frame)
            self._changed.notify_all()
        asked = [reply] if reply else []
        if frame["kind"] == "hello":
            asked = [resume(turn, None, 0) for turn in frame["running"]]
        for question in asked:
            await self._socket.send(json.dumps(question))


def hidden_fields(page: str) -> dict[str, str]:
    """Return name and value of every input of a page."""
    inputs = (dict(ATTRIBUTE.findall(tag)) for tag in INPUT.findall(page))
    return {tag["name"]: tag.get("value", "") for tag in inputs if "name" in tag}
