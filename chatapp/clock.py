"""Reads the clock: the one place where wall time enters."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_set_ms: ContextVar[int | None] = ContextVar("set_ms", default=None)


def now_ms() -> int:
    """Return the wall time in integer milliseconds since the epoch."""
    set_ms = _set_ms.get()
    return time.time_ns() // 1_000_000 if set_ms is None else set_ms


@contextmanager
def clock_set_to(milliseconds: int) -> Iterator[None]:
    """Let a recorded time be now, in this context only: what is played happens when it happened."""
    before = _set_ms.set(milliseconds)
    try:
        yield
    finally:
        _set_ms.reset(before)
