"""Sockets on the real application, as open pages of the cast."""

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress

import pytest
import pytest_asyncio
from channels.testing import WebsocketCommunicator
from django.conf import settings

from chatapp.asgi import application
from tests.support.live import LiveView, resume

ORIGIN = "http://localhost:8000"
DEADLINE_S = 60.0
SILENCE_S = 0.15
"""How long nothing must come before a test believes that nothing comes."""


class Tab:
    """One open page: its socket, and what the page knows from it."""

    def __init__(self, client, path: str, origin: str | None = ORIGIN) -> None:
        headers = [(b"host", b"localhost:8000")]
        if origin is not None:
            headers.append((b"origin", origin.encode()))
        if session := client.cookies.get(settings.SESSION_COOKIE_NAME):
            headers.append((b"cookie", f"{session.key}={session.value}".encode()))
        self._communicator = WebsocketCommunicator(application, path, headers)
        self.view = LiveView()
        self.frames: list[dict] = []

    async def connect(self) -> bool:
        """Open the socket; return whether it was accepted."""
        accepted, _ = await self._communicator.connect(timeout=DEADLINE_S)
        return accepted

    async def close_code(self) -> int:
        """Return the code that the server closes the socket with."""
        answer = await self._communicator.receive_output(DEADLINE_S)
        assert answer["type"] == "websocket.close", answer
        return answer["code"]

    async def frame(self) -> dict:
        """Return the next frame, after the page has taken it."""
        frame = await self._communicator.receive_json_from(DEADLINE_S)
        self.frames.append(frame)
        assert self.view.apply(frame) is None, "a frame that the page cannot use"
        return frame

    async def until(self, kind: str, **fields) -> dict:
        """Return the next frame of a kind with these fields; others are taken on the way."""
        while True:
            frame = await self.frame()
            if frame["kind"] == kind and fields.items() <= frame.items():
                return frame

    async def until_text(self, text: str) -> None:
        """Take frames until a running answer has a text in it."""
        while not any(text in answer.text for answer in self.view.answers.values()):
            await self.frame()

    async def is_silent(self) -> bool:
        """Return whether nothing comes for a while."""
        return await self._communicator.receive_nothing(SILENCE_S)

    async def send(self, frame: object) -> None:
        """Send a frame, or text as it is."""
        text = frame if isinstance(frame, str) else json.dumps(frame)
        await self._communicator.send_to(text_data=text)

    async def send_bytes(self, data: bytes) -> None:
        """Send bytes."""
        await self._communicator.send_to(bytes_data=data)

    async def resume(self, turn: object, attempt: object = None, after: int = 0) -> None:
        """Ask for what follows a sequence number."""
        await self.send(resume(str(turn), attempt and str(attempt), after))

    async def close(self) -> None:
        """Leave, as a closed tab does."""
        with suppress(asyncio.CancelledError):
            await self._communicator.disconnect(timeout=DEADLINE_S)


@pytest.fixture
def address(visitors) -> str:
    """The socket of alice's conversation."""
    return f"/ws/c/{visitors.conversation_id}/"


@pytest_asyncio.fixture
async def tab(visitors):
    """Return a function that makes tabs; they are closed in the end."""
    made: list[Tab] = []

    def make(client, path: str, **more) -> Tab:
        made.append(Tab(client, path, **more))
        return made[-1]

    yield make
    for each in made:
        await each.close()


@pytest.fixture
def open_page(visitors, address, tab) -> Callable:
    """Return a function that opens alice's page and takes its hello."""

    async def open_one() -> Tab:
        page = tab(visitors.alice, address)
        assert await page.connect()
        assert (await page.frame())["kind"] == "hello"
        return page

    return open_one
