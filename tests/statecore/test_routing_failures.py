"""Each failure is recognised by several signals, and has one rule."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecore.routing.failures import RULES, Evidence, FailureReason, classify, refusal

R = FailureReason


def refused(status=None, message="", *, code="", kind="", phase="response", **more):
    return classify(
        Evidence(
            phase=phase,
            http_status=status,
            error_code=code,
            error_type=kind,
            message=message,
            **more,
        )
    )


def ended(**seen):
    return classify(Evidence(phase="stream", **seen))


LLAMA = "request (40030 tokens) exceeds the available context size (16384 tokens)"


@pytest.mark.parametrize(
    ("status", "code", "kind", "message"),
    [
        (400, "400", "exceed_context_size_error", LLAMA),
        (400, "400", "", LLAMA),
        (400, "context_length_exceeded", "", ""),
        (400, "", "", "This model's maximum context length is 8192 tokens, you sent 9000."),
        (400, "", "", "prompt is too long: 210000 tokens > 200000 maximum"),
        (400, "", "", "Please reduce the length of the messages."),
        (400, "", "", "The input token count (1048577) exceeds the maximum allowed"),
        (500, "", "", "the request exceeds the context window"),
        (413, "", "", ""),
        (None, "", "", "Input is too long for requested model."),
        (400, "", "", "输入超出模型的上下文长度"),
        (400, "", "", "Запрос превышает размер контекста модели"),
    ],
)
def test_a_request_that_is_too_long_is_recognised(status, code, kind, message):
    assert refused(status, message, code=code, kind=kind) == R.CONTEXT_OVERFLOW
    if code or message:
        assert ended(error_code=kind or code, message=message) == R.CONTEXT_OVERFLOW


@pytest.mark.parametrize(
    ("status", "code", "message", "retry_after_s"),
    [
        (429, "", "", None),
        (429, "", "You exceeded your current quota, check your plan and billing.", 20.0),
        (400, "rate_limit_exceeded", "Request too large: tokens per min", None),
        (403, "", "Rate limit reached for this project", None),
        (409, "", "", 3.0),
    ],
)
def test_a_rate_limit_is_recognised(status, code, message, retry_after_s):
    assert refused(status, message, code=code, retry_after_s=retry_after_s) == R.RATE_LIMIT


@pytest.mark.parametrize(
    ("status", "code", "kind", "message", "expected"),
    [
        (401, "", "", "", R.AUTH),
        (403, "", "", "", R.AUTH),
        (400, "", "", "Incorrect API key provided", R.AUTH),
        (429, "insufficient_quota", "insufficient_quota", "", R.AUTH),
        (404, "", "", "", R.UNKNOWN_MODEL),
        (400, "", "", "The model `gpt-x` does not exist", R.UNKNOWN_MODEL),
        (404, "model_not_found", "", "", R.UNKNOWN_MODEL),
        (400, "content_filter", "", "", R.CONTENT_FILTER),
        (403, "", "", "Your input was flagged by moderation", R.CONTENT_FILTER),
        (500, "", "", "", R.SERVER_ERROR),
        (503, "503", "unavailable_error", "Loading model", R.SERVER_ERROR),
        (503, "", "", "", R.SERVER_ERROR),
        (529, "", "overloaded_error", "", R.SERVER_ERROR),
        (408, "", "", "", R.SERVER_ERROR),
        (400, "", "invalid_request_error", "roles must alternate", R.BAD_FORMAT),
        (418, "", "", "", R.BAD_FORMAT),
    ],
)
def test_a_refusal_has_its_reason(status, code, kind, message, expected):
    assert refused(status, message, code=code, kind=kind) == expected


def test_a_server_that_is_busy_is_no_rate_limit_although_it_says_when_to_come_back():
    assert refused(503, retry_after_s=5.0) == R.SERVER_ERROR


@pytest.mark.parametrize(
    ("phase", "expected"),
    [
        ("connect", R.CONNECT_TIMEOUT),
        ("response", R.FIRST_TOKEN_TIMEOUT),
        ("stream", R.STALLED_STREAM),
    ],
)
def test_a_timeout_is_named_by_its_phase(phase, expected):
    assert refused(phase=phase, kind="ReadTimeout", timed_out=True) == expected


def test_a_connection_that_cannot_be_made_or_breaks_is_the_network():
    assert refused(phase="connect", kind="ConnectError", message="All attempts failed") == R.NETWORK
    assert refused(phase="connect", message="no route") == R.NETWORK
    assert refused(phase="stream", kind="RemoteProtocolError", message="peer closed") == R.NETWORK
    assert refused(phase="response") == R.NETWORK


@pytest.mark.parametrize(
    ("code", "message", "expected"),
    [
        ("overloaded", "", R.SERVER_ERROR),
        ("503", "", R.SERVER_ERROR),
        ("429", "", R.RATE_LIMIT),
        ("stream_error", "boom", R.SERVER_ERROR),
        ("weird", "boom", R.SERVER_ERROR),
        ("bad_chunk", "", R.BAD_FORMAT),
        ("context_length_exceeded", "", R.CONTEXT_OVERFLOW),
        ("400", "prompt is too long", R.CONTEXT_OVERFLOW),
    ],
)
def test_an_error_inside_a_stream_has_its_reason_whatever_came_before(code, message, expected):
    assert ended(error_code=code, message=message, saw_text=True, finish="stop") == expected


def test_an_answer_with_finish_or_end_mark_is_an_answer():
    assert ended(saw_text=True, finish="stop", saw_done=True) is None
    assert ended(saw_text=True, finish="length") is None
    assert ended(saw_text=True, saw_done=True) is None
    assert ended(saw_tool_call=True, finish="tool_calls", saw_done=True) is None


def test_a_stream_that_just_ends_is_no_answer():
    assert ended(saw_text=True) == R.NETWORK
    assert ended() == R.NETWORK


def test_an_answer_without_text_is_empty():
    assert ended(finish="stop", saw_done=True) == R.EMPTY_ANSWER
    assert ended(finish="stop", saw_done=True, saw_reasoning=True) == R.EMPTY_ANSWER


def test_a_filtered_answer_is_none_although_text_came():
    assert ended(saw_text=True, finish="content_filter") == R.CONTENT_FILTER
    assert ended(saw_text=True, finish="error") == R.SERVER_ERROR


def test_every_reason_has_a_rule():
    assert set(RULES) == set(FailureReason)


def test_nobody_else_is_asked_after_a_refusal_of_content_or_budget():
    stopping = {reason for reason, rule in RULES.items() if rule.action == "stop"}

    assert stopping == {R.CONTENT_FILTER, R.BUDGET}
    assert all(RULES[r].retryable for r in RULES if RULES[r].action == "retry_same")


evidence = st.builds(
    Evidence,
    phase=st.sampled_from(["connect", "response", "stream"]),
    http_status=st.none() | st.integers(100, 599),
    error_code=st.text(max_size=10) | st.integers().map(str),
    error_type=st.text(max_size=10),
    message=st.text(max_size=50),
    retry_after_s=st.none() | st.floats(0, 100),
    timed_out=st.booleans(),
    finish=st.text(max_size=5),
    saw_text=st.booleans(),
)


@given(evidence)
def test_every_error_has_a_reason(found):
    assert refusal(found) in RULES
    assert classify(found) is None or classify(found) in RULES


def test_a_long_message_is_searched_in_linear_time():
    assert refused(400, "context " * 200_000) == R.BAD_FORMAT
