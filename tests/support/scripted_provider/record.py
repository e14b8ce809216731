"""What the provider was asked: every request, when it came and when its client left."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.support.scripted_provider.tokenizer import text_of

DEADLINE_S = 30.0
"""How long a test waits for an event before it fails."""


@dataclass(slots=True)
class Recorded:
    """One request."""

    number: int
    method: str
    path: str
    headers: dict[str, str]
    body: Any
    """The decoded JSON; None when there was none."""
    received_at: float = field(default_factory=time.monotonic)
    """Seconds of the monotonic clock."""
    finished_at: float | None = None
    """When the last byte of the answer was written; None when it never was."""
    disconnected_at: float | None = None
    """When the client left before its answer was complete; None when it stayed."""

    @property
    def is_chat(self) -> bool:
        """Whether it asks for an answer of a model."""
        return self.path.endswith("/chat/completions")

    @property
    def model(self) -> str:
        """The model it names."""
        return str(self.body.get("model", ""))

    @property
    def streams(self) -> bool:
        """Whether the answer is to come in pieces, as a chat's does."""
        return bool(self.body.get("stream"))

    @property
    def last_user_text(self) -> str:
        """The text of the newest user message, or nothing."""
        texts = [text_of(m) for m in self.body.get("messages", ()) if m.get("role") == "user"]
        return texts[-1] if texts else ""


class RequestLog:
    """All requests in the order in which they came; safe to read from any thread."""

    def __init__(self) -> None:
        self._changed = threading.Condition(threading.RLock())
        self._requests: list[Recorded] = []

    def add(self, method: str, path: str, headers: dict[str, str], body: Any) -> Recorded:
        """Keep a request that has just come."""
        with self._changed:
            request = Recorded(len(self._requests) + 1, method, path, headers, body)
            self._requests.append(request)
            self._changed.notify_all()
            return request

    def mark_finished(self, request: Recorded) -> None:
        """Note that the answer is complete."""
        with self._changed:
            request.finished_at = time.monotonic()
            self._changed.notify_all()

    def mark_disconnected(self, request: Recorded) -> None:
        """Note that the client left in the middle."""
        with self._changed:
            request.disconnected_at = time.monotonic()
            self._changed.notify_all()

    def all(self) -> list[Recorded]:
        """Return every request so far."""
        with self._changed:
            return list(self._requests)

    def chats(self) -> list[Recorded]:
        """Return the requests that asked for an answer of a model."""
        return [request for request in self.all() if request.is_chat]

    def clear(self) -> None:
        """Forget everything."""
        with self._changed:
            self._requests.clear()

    def wait_for_chats(self, count: int, *, deadline_s: float = DEADLINE_S) -> list[Recorded]:
        """Wait until so many chat requests have come.

        Raises:
            AssertionError: when they do not come in time.
        """
        self._wait(lambda: len(self.chats()) >= count, f"{count} chat requests", deadline_s)
        return self.chats()

    def wait_disconnected(self, request: Recorded, *, deadline_s: float = DEADLINE_S) -> None:
        """Wait until the client of this request has left.

        Raises:
            AssertionError: when it stays.
        """
        self._wait(lambda: request.disconnected_at is not None, "the client to leave", deadline_s)

    def wait_finished(self, request: Recorded, *, deadline_s: float = DEADLINE_S) -> None:
        """Wait until the answer is complete.

        Raises:
            AssertionError: when it is not in time.
        """
        self._wait(lambda: request.finished_at is not None, "the answer to end", deadline_s)

    def _wait(self, predicate: Callable[[], bool], what: str, deadline_s: float) -> None:
        with self._changed:
            if not self._changed.wait_for(predicate, deadline_s):
                message = f"Waited {deadline_s:g} s for {what}; requests: {self._requests}"
                raise AssertionError(message)
