"""Reads the clock: the one place where wall time enters."""

import time


def now_ms() -> int:
    """Return the wall time in integer milliseconds since the epoch."""
    return time.time_ns() // 1_000_000
