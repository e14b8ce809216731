"""Runs the synchronous parts of requests in a few lasting threads.

Django's ASGI handler makes a thread, and with it a database connection, for every request. Here
requests share a small number of threads whose connections last.
"""

from itertools import cycle
from typing import Any

from asgiref.sync import SyncToAsync, ThreadSensitiveContext
from django.core.handlers.asgi import ASGIHandler

THREADS = 4


class SharedThreadsHandler(ASGIHandler):
    """Django's handler without a thread of its own for each request."""

    def __init__(self) -> None:
        super().__init__()
        self._contexts = cycle([ThreadSensitiveContext() for _ in range(THREADS)])

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Handle one request in the next of the shared threads."""
        if scope["type"] != "http":
            msg = f"Django handles HTTP only, not {scope['type']}."
            raise ValueError(msg)
        token = SyncToAsync.thread_sensitive_context.set(next(self._contexts))
        try:
            await self.handle(scope, receive, send)
        finally:
            SyncToAsync.thread_sensitive_context.reset(token)
