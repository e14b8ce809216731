"""The script: which request gets which reply."""

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from tests.support.scripted_provider.record import Recorded
from tests.support.scripted_provider.replies import Reply, answer

Answerer = Callable[[Recorded], Reply]


@dataclass(slots=True)
class Rule:
    """A reply for the requests that fit."""

    reply: Reply | Answerer
    model: str | None = None
    """Only requests for this model; None fits any."""
    contains: str | None = None
    """Only requests whose newest user message has this in it; None fits any."""
    times: int | None = None
    """How often it is still used; None has no end."""
    streams: bool | None = None
    """Only requests that stream, as those of a chat do, or only others; None fits any."""

    def fits(self, request: Recorded) -> bool:
        """Return whether the request is meant."""
        return (
            self.times != 0
            and self.model in {None, request.model}
            and self.streams in {None, request.streams}
            and (self.contains is None or self.contains in request.last_user_text)
        )


def echo(request: Recorded) -> Reply:
    """Say back what the user said: the reply when nothing else is scripted."""
    return answer(f"You said: {request.last_user_text}")


class Script:
    """Rules first, in the order they were added; then the queue; then the fallback."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rules: list[Rule] = []
        self._queue: deque[Reply] = deque()
        self.fallback: Answerer = echo

    def add(self, rule: Rule) -> None:
        """Add a rule after the others."""
        with self._lock:
            self._rules.append(rule)

    def enqueue(self, *replies: Reply) -> None:
        """Give the next requests that no rule fits these replies, one each."""
        with self._lock:
            self._queue.extend(replies)

    def clear(self) -> None:
        """Forget rules, queue and fallback."""
        with self._lock:
            self._rules.clear()
            self._queue.clear()
            self.fallback = echo

    def choose(self, request: Recorded) -> Reply:
        """Return the reply for a request, and count it."""
        with self._lock:
            rule = next((rule for rule in self._rules if rule.fits(request)), None)
            if rule is not None and rule.times is not None:
                rule.times -= 1
            queued = self._queue.popleft() if rule is None and self._queue else None
        if rule is not None:
            return rule.reply if isinstance(rule.reply, Reply) else rule.reply(request)
        return queued or self.fallback(request)
