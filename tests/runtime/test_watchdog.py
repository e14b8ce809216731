"""Time limits of a stream: until the first token, then between tokens."""

import asyncio
from uuid import uuid4

import pytest

from chatapp.runtime.hub import LiveStream
from chatapp.runtime.jobs import Job, timeout_reason
from chatapp.runtime.watchdog import Watchdog
from statecore.routing.failures import FailureReason
from tests.support.people import MODEL

FOREVER_S = 1_000.0


class Clock:
    """Stands in for the loop's clock and its timers; moves only when told."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.timers = []

    def time(self):
        return self.now_s

    def call_later(self, delay_s, callback):
        timer = Timer(self.now_s + delay_s, callback)
        self.timers.append(timer)
        return timer

    def move_to(self, now_s):
        """Let time pass, and every timer ring at its time."""
        while due := [timer for timer in self.timers if timer.at_s <= now_s]:
            timer = min(due, key=lambda each: each.at_s)
            self.timers.remove(timer)
            self.now_s = timer.at_s
            if not timer.cancelled:
                timer.callback()
        self.now_s = now_s


class Timer:
    def __init__(self, at_s, callback) -> None:
        self.at_s = at_s
        self.callback = callback
        self.cancelled = False

    def cancel(self):
        self.cancelled = True


@pytest.fixture
def clock(monkeypatch):
    found = Clock()
    monkeypatch.setattr(asyncio, "get_running_loop", lambda: found)
    return found


@pytest.fixture
def job():
    stream = LiveStream(uuid4(), uuid4())
    return Job(stream.turn_id, stream.conversation_id, None, MODEL, stream)


def test_a_first_token_that_does_not_come_in_time_cuts_the_attempt_off(clock, job):
    Watchdog(job, first_token_s=30, silence_s=10)

    clock.move_to(29.9)
    assert job.cause is None
    clock.move_to(30)
    assert job.cause == "first_token_timeout"


def test_after_the_first_token_the_limit_is_the_silence(clock, job):
    watchdog = Watchdog(job, first_token_s=30, silence_s=10)

    clock.move_to(29)
    watchdog.feed()
    clock.move_to(38.9)
    assert job.cause is None
    clock.move_to(39)
    assert job.cause == "stalled_stream"


def test_a_stream_that_goes_on_is_left_alone(clock, job):
    watchdog = Watchdog(job, first_token_s=30, silence_s=10)

    for now_s in range(0, 200, 9):
        clock.move_to(now_s)
        watchdog.feed()

    assert job.cause is None
    clock.move_to(clock.now_s + 10)
    assert job.cause == "stalled_stream"


def test_a_stopped_watchdog_does_nothing(clock, job):
    watchdog = Watchdog(job, first_token_s=30, silence_s=10)
    watchdog.feed()

    watchdog.stop()
    clock.move_to(FOREVER_S)

    assert job.cause is None


def test_the_first_cause_counts(clock, job):
    Watchdog(job, first_token_s=30, silence_s=10)
    job.cut("stop")

    clock.move_to(FOREVER_S)

    assert job.cause == "stop"


@pytest.mark.parametrize(
    ("cause", "reason"),
    [
        ("first_token_timeout", FailureReason.FIRST_TOKEN_TIMEOUT),
        ("stalled_stream", FailureReason.STALLED_STREAM),
        ("stop", None),
        ("drain", None),
        ("fenced", None),
    ],
)
def test_only_a_time_limit_is_a_failure(cause, reason):
    assert timeout_reason(cause) == reason
