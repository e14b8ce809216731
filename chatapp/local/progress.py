"""A progress bar of one line on a terminal; a few plain lines where there is none."""

import time
from typing import TextIO

from chatapp.local.catalogue import MIB

BAR_CELLS = 30
STEP_S = 0.1
PLAIN_STEPS = 10


class ProgressBar:
    """Shows how much of one download is here."""

    def __init__(self, label: str, stream: TextIO) -> None:
        self._label = label
        self._stream = stream
        self._live = stream.isatty()
        self._next_s = 0.0
        self._shown_step = -1
        self._open = False

    def show(self, done_bytes: int, total_bytes: int) -> None:
        """Draw the bar, at most ten times a second."""
        if self._live:
            self._show_live(done_bytes, total_bytes)
        else:
            self._show_plain(done_bytes, total_bytes)

    def close(self) -> None:
        """End the line of the bar, so that the next sentence stands on its own."""
        if self._open:
            self._stream.write("\n")
            self._stream.flush()
            self._open = False

    def _show_live(self, done_bytes: int, total_bytes: int) -> None:
        now_s = time.monotonic()
        if now_s < self._next_s and done_bytes < total_bytes:
            return
        self._next_s = now_s + STEP_S
        filled = BAR_CELLS * done_bytes // total_bytes
        bar = "#" * filled + "." * (BAR_CELLS - filled)
        self._stream.write(f"\r{self._label} [{bar}] {_amount(done_bytes, total_bytes)}")
        self._stream.flush()
        self._open = True

    def _show_plain(self, done_bytes: int, total_bytes: int) -> None:
        step = PLAIN_STEPS * done_bytes // total_bytes
        if step > self._shown_step:
            self._shown_step = step
            self._stream.write(f"{self._label} {_amount(done_bytes, total_bytes)}\n")
            self._stream.flush()


class SharedBar:
    """One progress bar for all downloads of a run."""

    def __init__(self, stream: TextIO) -> None:
        self._bar = ProgressBar("Local models", stream)
        self._amounts: dict[str, tuple[int, int]] = {}

    def put(self, name: str, done_bytes: int, total_bytes: int) -> None:
        """Show the sum of all downloads."""
        self._amounts[name] = (done_bytes, total_bytes)
        done = sum(amount for amount, _ in self._amounts.values())
        total = sum(amount for _, amount in self._amounts.values())
        self._bar.show(done, total)
        if done == total:
            self._bar.close()


def _amount(done_bytes: int, total_bytes: int) -> str:
    share = 100 * done_bytes // total_bytes
    return f"{share:3}% {done_bytes // MIB:,} of {total_bytes // MIB:,} MB"
