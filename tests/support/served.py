"""Pages by the real ASGI handler: with any host, any client address, and cookies kept by hand."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from http.cookies import SimpleCookie

import pytest_asyncio
from asgiref.sync import SyncToAsync, sync_to_async
from channels.testing import HttpCommunicator
from django.db import connections

from chatapp.web.threads import THREADS, SharedThreadsHandler

DEADLINE_S = 60.0


@dataclass(frozen=True, slots=True)
class Answer:
    """What a browser would get."""

    status: int
    headers: dict[str, str]
    """The last of each name."""
    cookies: dict[str, str]
    text: str


@pytest_asyncio.fixture
async def served(runtime) -> AsyncIterator[Callable]:
    """Return a function that fetches one page; the handler's threads end with the test."""
    handler = SharedThreadsHandler()

    async def get(
        path: str, *, host: str = "localhost", address: str = "127.0.0.1", **headers: str
    ) -> Answer:
        lines = {"host": host, **{name.replace("_", "-"): text for name, text in headers.items()}}
        wire = [(name.encode(), text.encode()) for name, text in lines.items()]
        communicator = HttpCommunicator(handler, "GET", path, headers=wire)
        communicator.scope["client"] = [address, 1]
        response = await communicator.get_response(timeout=DEADLINE_S)
        await communicator.wait(DEADLINE_S)
        return _answer(response)

    yield get
    for _ in range(THREADS):
        await _end_thread(handler)


def _answer(response: dict) -> Answer:
    named = [(name.decode().lower(), text.decode()) for name, text in response["headers"]]
    cookies = SimpleCookie()
    for name, text in named:
        if name == "set-cookie":
            cookies.load(text)
    kept = {name: morsel.value for name, morsel in cookies.items()}
    return Answer(response["status"], dict(named), kept, response["body"].decode())


async def _end_thread(handler: SharedThreadsHandler) -> None:
    context = next(handler._contexts)
    token = SyncToAsync.thread_sensitive_context.set(context)
    try:
        await sync_to_async(connections.close_all)()
    finally:
        SyncToAsync.thread_sensitive_context.reset(token)
        SyncToAsync.context_to_thread_executor.pop(context).shutdown()
