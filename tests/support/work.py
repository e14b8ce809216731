"""How work grows with a text, told without a limit in seconds: a slow machine changes nothing."""

import gc
import sys
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

LENGTH = 4_000
MAX_STEPS_RATIO = 2.6
"""For twice the text: work that grows with the length takes twice the steps, quadratic four."""
MAX_TIME_RATIO = 24.0
"""For eight times the text: 8 where work grows with the length, 64 where it is quadratic."""
ROUNDS = 3
FLOOR_S = 0.02
"""What takes less is measured by the clock's own steps; quadratic work takes far longer."""

Read = Callable[[str], object]


def steps(work: Callable[[], object]) -> int:
    """Return how many lines a piece of work ran and how many C functions it called.

    The number is the same on each machine and under coverage. Work inside one C function counts
    as one step, however long it takes.
    """
    count = 0

    def line(_frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal count
        count += event == "line"
        return line

    def call(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event == "c_call"

    tracer, profiler = sys.gettrace(), sys.getprofile()
    sys.setprofile(call)
    sys.settrace(line)
    try:
        work()
    finally:
        sys.settrace(tracer)
        sys.setprofile(profiler)
    return count


def steps_ratio(read: Read, unit: str, length: int = LENGTH) -> float:
    """Return how many times the steps a text of twice the length takes."""
    short, long = (unit * (times * length // len(unit)) for times in (1, 2))
    read(short)  # what is made once and kept is not counted
    return steps(lambda: read(long)) / steps(lambda: read(short))


def time_ratio(read: Read, unit: str, length: int = LENGTH) -> float:
    """Return how many times the processor's time a text of eight times the length takes.

    For work inside regular expressions, which has no steps to count. The best of three rounds
    each, against a bound three times as wide as what is expected: load cannot reach it.
    """
    short, long = (unit * (times * length // len(unit)) for times in (1, 8))
    return _best_s(read, long) / max(_best_s(read, short), FLOOR_S / 8)


def assert_linear(read: Read, unit: str, length: int = LENGTH) -> None:
    """Fail when reading repetitions of a text is work that grows faster than their length.

    Raises:
        AssertionError: with the ratio that is too large.
    """
    ratio = steps_ratio(read, unit, length)
    assert ratio < MAX_STEPS_RATIO, f"twice of {unit!r} takes {ratio:.1f} times the steps"
    ratio = time_ratio(read, unit, length)
    assert ratio < MAX_TIME_RATIO, f"eight times of {unit!r} takes {ratio:.1f} times as long"


def _best_s(read: Read, text: str) -> float:
    was_enabled = gc.isenabled()
    gc.disable()  # the collector's work depends on all that other tests have left behind
    try:
        return min(_seconds(read, text) for _ in range(ROUNDS))
    finally:
        if was_enabled:
            gc.enable()


def _seconds(read: Read, text: str) -> float:
    begin = time.process_time()
    read(text)
    return time.process_time() - begin
