"""What a stream has brought so far, and what its end means."""

import pytest

from chatapp.runtime.reading import Reading
from statecore.routing.failures import FailureReason
from statecore.routing.stream import (
    Done,
    FinishSeen,
    ReasoningDelta,
    StreamError,
    TextDelta,
    ToolCallDelta,
    UsageSeen,
)

USAGE = UsageSeen(prompt=40, completion=7, cached=8)
STOP = (FinishSeen("stop"), Done())


def read(*events):
    reading = Reading()
    text = reading.take(events)
    return reading, text


def test_text_is_handed_out_and_other_events_are_kept():
    reading, text = read(TextDelta("The "), USAGE, TextDelta("Volga."), *STOP)

    assert text == "The Volga."
    assert (reading.usage, reading.finish, reading.done) == (USAGE, "stop", True)
    assert reading.failure(text) is None
    assert reading.answer_finish() == "complete"


def test_the_first_token_is_timed_once():
    reading = Reading()
    reading.take([ReasoningDelta("Hm.")])
    assert reading.first_token_ms is None

    reading.take([TextDelta("a")])
    first = reading.first_token_ms
    reading.take([TextDelta("b")])

    assert first is not None
    assert first >= 0
    assert reading.first_token_ms == first


def test_an_answer_that_met_its_limit_says_so():
    reading, text = read(TextDelta("The"), FinishSeen("length"), Done())

    assert reading.failure(text) is None
    assert reading.answer_finish() == "length"


FAILURES = [
    ((), FailureReason.NETWORK),
    ((TextDelta("The "),), FailureReason.NETWORK),
    (STOP, FailureReason.EMPTY_ANSWER),
    ((TextDelta(" \n "), *STOP), FailureReason.EMPTY_ANSWER),
    ((ReasoningDelta("Hm."), *STOP), FailureReason.EMPTY_ANSWER),
    ((ToolCallDelta(0, "c1", "look", "{}"), FinishSeen("tool_calls")), FailureReason.BAD_FORMAT),
    ((TextDelta("The "), FinishSeen("content_filter")), FailureReason.CONTENT_FILTER),
    ((TextDelta("The "), StreamError("overloaded", "busy")), FailureReason.SERVER_ERROR),
    ((StreamError("stream_error", "prompt is too long"),), FailureReason.CONTEXT_OVERFLOW),
    ((StreamError("stream_error", "boom"),), FailureReason.SERVER_ERROR),
    ((StreamError("stream_error", ""),), FailureReason.SERVER_ERROR),
    ((TextDelta("The "), StreamError("bad_chunk", "unreadable"), *STOP), FailureReason.BAD_FORMAT),
]


@pytest.mark.parametrize(("events", "reason"), FAILURES)
def test_a_stream_that_is_no_answer_has_a_reason(events, reason):
    reading, text = read(*events)

    assert reading.failure(text) == reason


def test_the_first_error_of_a_stream_counts():
    reading, _ = read(StreamError("rate_limit", "first"), StreamError("server_error", "second"))

    assert reading.error == StreamError("rate_limit", "first")


def test_the_provider_s_figures_come_before_an_estimate():
    reported, _ = read(TextDelta("The Volga."), USAGE, *STOP)
    silent, _ = read(TextDelta("The Volga."), *STOP)

    said, guessed = reported.measured(99), silent.measured(4)
    assert (said.prompt_tokens, said.cached_tokens, said.completion_tokens) == (40, 8, 7)
    assert (guessed.prompt_tokens, guessed.completion_tokens) == (None, 4)
    assert (said.quality, guessed.quality) == ("reported", "estimated")
