"""The adapter of OpenAI's chat API, against a provider over real HTTP."""

import asyncio
import gzip
import json
import logging
import socket
from contextlib import aclosing
from dataclasses import replace

import pytest
import pytest_asyncio

from chatapp.llm.openai_chat import (
    AttemptFailed,
    Endpoint,
    client_of,
    close_clients,
    count_at_server,
    stream_chat,
    wire_request,
)
from statecore.models import ModelLimits
from statecore.requests import Request, RequestMessage
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
from statecore.tokens import Count
from tests.support.people import MODEL
from tests.support.raw_server import raw_server
from tests.support.scripted_provider import replies
from tests.support.scripted_provider.replies import Reply
from tests.support.scripted_provider.steps import Done as EndMark
from tests.support.scripted_provider.steps import Raw, Text
from tests.support.scripted_provider.tokenizer import pieces
from tests.support.scripted_provider.wire import event

TEXT = "Grüße 👋 你好, שלום"
PLANTED = "xylophonewombat"
SPEC = replace(MODEL, abilities=frozenset({"stream_usage"}))
REQUEST = Request(
    "scripted",
    (RequestMessage("system", "Be brief."), RequestMessage("user", f"Say {PLANTED}.")),
    max_output_tokens=500,
)


@pytest_asyncio.fixture(autouse=True)
async def connections_closed():
    """No connection outlives its event loop."""
    yield
    await close_clients()


@pytest.fixture
def endpoint(provider):
    return Endpoint(provider.base_url, "sk-test")


async def events_of(endpoint, spec=SPEC, request=REQUEST):
    found = []
    async with aclosing(stream_chat(request, spec, endpoint)) as groups:
        async for events in groups:
            found += events
    return found


async def failure_of(endpoint, spec=SPEC):
    with pytest.raises(AttemptFailed) as caught:
        await events_of(endpoint, spec)
    return caught.value


def text_of(events):
    return "".join(event.text for event in events if isinstance(event, TextDelta))


# Reading.


async def test_an_answer_comes_as_text_finish_usage_and_end(provider, endpoint):
    provider.enqueue(replies.answer("The Volga.", cached_tokens=8))

    events = await events_of(endpoint)

    assert text_of(events) == "The Volga."
    prompt = sum(4 + len(pieces(message.text)) for message in REQUEST.messages)
    assert [event for event in events if not isinstance(event, TextDelta)] == [
        FinishSeen("stop"),
        UsageSeen(prompt=prompt, completion=len(pieces("The Volga.")), cached=8),
        Done(),
    ]


@pytest.mark.parametrize(
    ("usage", "spec"),
    [
        ({"prompt_tokens": 100, "prompt_cache_hit_tokens": 64}, SPEC),
        ({"input_tokens": 36, "cache_read_input_tokens": 64}, SPEC),
        (
            {"prompt_tokens": 36, "prompt_tokens_details": {"cached_tokens": 64}},
            replace(SPEC, cached_tokens="apart"),
        ),
    ],
)
async def test_cached_tokens_are_read_in_every_style(provider, endpoint, usage, spec):
    told = Raw(event({"choices": [], "usage": usage | {"completion_tokens": 7}}))
    provider.enqueue(Reply((Text("The Volga."), told, EndMark())))

    events = await events_of(endpoint, spec)

    assert UsageSeen(prompt=100, completion=7, cached=64) in events


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 16, 64])
async def test_bytes_cut_inside_characters_make_the_same_text(provider, endpoint, size):
    provider.enqueue(replies.answer(TEXT, piece_bytes=size))

    text = text_of(await events_of(endpoint))

    assert text == TEXT
    assert "\ufffd" not in text


async def test_thinking_aloud_and_tool_calls_are_told_apart_from_text(provider, endpoint):
    provider.enqueue(replies.only_reasoning("Hm."), replies.tool_call("look", {"город": "Пермь"}))

    thinking = await events_of(endpoint)
    calling = await events_of(endpoint)

    assert thinking[0] == ReasoningDelta("Hm.")
    assert text_of(thinking) == text_of(calling) == ""
    calls = [event for event in calling if isinstance(event, ToolCallDelta)]
    assert (calls[0].id, calls[0].name) == ("call_1", "look")
    assert json.loads("".join(call.arguments for call in calls)) == {"город": "Пермь"}


async def test_an_error_inside_the_stream_is_an_event(provider, endpoint):
    provider.enqueue(replies.error_in_stream("The first ", "The server had an error."))

    events = await events_of(endpoint)

    assert events == [
        TextDelta("The first "),
        StreamError("server_error", "The server had an error."),
    ]


async def test_a_part_that_cannot_be_read_is_an_event(provider, endpoint):
    provider.enqueue(replies.malformed("The first "))

    events = await events_of(endpoint)

    assert [type(event) for event in events] == [TextDelta, StreamError, Done]


async def test_a_stream_without_end_mark_ends(provider, endpoint):
    provider.enqueue(replies.without_done("The first "))

    assert await events_of(endpoint) == [TextDelta("The first ")]


async def test_a_compressed_stream_is_read_as_well():
    chunk = {"choices": [{"index": 0, "delta": {"content": TEXT}, "finish_reason": "stop"}]}
    body = gzip.compress(f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n".encode())
    head = (
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-encoding: gzip\r\n"
        f"content-length: {len(body)}\r\n\r\n"
    )
    async with raw_server(head.encode() + body) as base_url:
        events = await events_of(Endpoint(base_url, ""))

    assert events == [TextDelta(TEXT), FinishSeen("stop"), Done()]


async def test_text_comes_as_soon_as_its_bytes_do(provider, endpoint):
    provider.enqueue(replies.held("The first ", "step."))
    async with aclosing(stream_chat(REQUEST, SPEC, endpoint)) as groups:
        first = await anext(groups)
        provider.release()
        rest = [event async for events in groups for event in events]

    assert first == [TextDelta("The first ")]
    assert text_of(rest) == "step."


async def test_closing_the_iterator_closes_the_connection(provider, endpoint):
    provider.enqueue(replies.held("The first ", "never"))
    groups = stream_chat(REQUEST, SPEC, endpoint)
    await anext(groups)

    await groups.aclose()

    await asyncio.to_thread(provider.log.wait_disconnected, provider.chats[0])
    assert provider.chats[0].finished_at is None


async def test_cancelling_before_the_first_byte_closes_the_connection(provider, endpoint):
    provider.enqueue(replies.silence())
    reading = asyncio.create_task(events_of(endpoint))
    await asyncio.to_thread(provider.wait_for_chats, 1)

    reading.cancel()

    with pytest.raises(asyncio.CancelledError):
        await reading
    await asyncio.to_thread(provider.log.wait_disconnected, provider.chats[0])
    assert provider.chats[0].finished_at is None


async def test_streams_of_one_endpoint_run_side_by_side(provider, endpoint):
    provider.when(replies.held("a", "b"), times=3)
    streams = [asyncio.create_task(events_of(endpoint)) for _ in range(3)]
    await asyncio.to_thread(provider.wait_held, "gate", 3)

    provider.release()

    assert [text_of(await stream) for stream in streams] == ["ab"] * 3
    assert client_of(endpoint, 2.0) is client_of(endpoint, 2.0)


# Asking.


async def test_the_request_is_sent_as_it_is_shown(provider, endpoint):
    await events_of(endpoint)

    sent = provider.chats[0]
    assert sent.body == wire_request(REQUEST, SPEC)
    assert sent.headers["authorization"] == "Bearer sk-test"
    assert sent.headers["content-type"] == "application/json"


async def test_a_server_without_key_is_sent_no_secret(provider):
    await events_of(Endpoint(provider.base_url, ""))

    assert provider.chats[0].headers["authorization"] == "Bearer none"


async def test_an_account_at_openai_is_named_to_no_other_server(provider, monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, "secret")

    await events_of(Endpoint(provider.base_url, ""))

    assert "secret" not in str(provider.chats[0].headers)


async def test_a_model_of_this_machine_is_not_asked_through_a_proxy(provider, monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)

    assert text_of(await events_of(Endpoint(provider.base_url, "")))


async def test_neither_key_nor_text_follows_a_redirect(provider):
    head = f"HTTP/1.1 307 Temporary Redirect\r\nlocation: {provider.base_url}/chat/completions\r\n"
    async with raw_server(f"{head}content-length: 0\r\n\r\n".encode()) as base_url:
        failed = await failure_of(Endpoint(base_url, "sk-test"))

    assert "307" in failed.detail
    assert not provider.chats


async def test_a_failed_call_is_not_repeated_by_the_client(provider, endpoint):
    provider.enqueue(replies.server_error(), replies.answer("late"))

    await failure_of(endpoint)

    assert len(provider.chats) == 1


# Failing.

REFUSALS = [
    (replies.rate_limited(retry_after_s=7), "rate_limit", "HTTP 429: Rate limit reached.", 7.0),
    (replies.server_error(), "server_error", "HTTP 500: The server had an error.", None),
    (replies.unauthorized(), "auth", "HTTP 401: Incorrect API key provided.", None),
    (
        replies.unknown_model("nobody"),
        "unknown_model",
        "HTTP 404: The model `nobody` does not exist.",
        None,
    ),
    (replies.overflow("openai"), "context_overflow", "16384 tokens", None),
    (replies.overflow("llama.cpp"), "context_overflow", "16384 tokens", None),
    (replies.overflow("vllm"), "context_overflow", "16384 tokens", None),
    (replies.http_error(503, b"upstream is away"), "server_error", "HTTP 503", None),
    (replies.http_error(502, b""), "server_error", "HTTP 502", None),
    (replies.http_error(400, {"detail": "no"}), "bad_format", "HTTP 400", None),
    (replies.http_error(422, ["no"]), "bad_format", "HTTP 422", None),
    (replies.http_error(500, {"error": "plain words"}), "server_error", "HTTP 500", None),
    (replies.http_error(500, {"error": {"message": None}}), "server_error", "HTTP 500", None),
    (
        replies.openai_error(400, "flagged", "content_policy_violation"),
        "content_filter",
        "HTTP 400: flagged",
        None,
    ),
]


@pytest.mark.parametrize(("reply", "reason", "detail", "retry_after_s"), REFUSALS)
async def test_a_refusal_has_its_reason_and_the_provider_s_words(
    provider, endpoint, reply, reason, detail, retry_after_s
):
    provider.enqueue(reply)

    failed = await failure_of(endpoint)

    assert failed.reason == reason
    assert detail in failed.detail
    assert failed.retry_after_s == retry_after_s


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("0.25", 0.25),
        ("-3", 0.0),
        ("Wed, 21 Oct 2026 07:28:00 GMT", None),
        ("soon", None),
        ("inf", None),
        ("nan", None),
    ],
)
async def test_a_wait_is_a_number_of_seconds_or_unknown(provider, endpoint, header, seconds):
    provider.enqueue(replies.openai_error(429, "Slow down.", None, retry_after=header))

    assert (await failure_of(endpoint)).retry_after_s == seconds


async def test_a_server_that_is_not_there_is_a_network_failure():
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        failed = await failure_of(Endpoint(f"http://127.0.0.1:{bound.getsockname()[1]}/v1", ""))

    assert failed.reason == FailureReason.NETWORK
    assert failed.detail.startswith("Connect")


async def test_a_server_that_takes_no_connection_is_given_up_in_time():
    hasty = replace(SPEC, limits=ModelLimits(connect_ms=150))
    with socket.socket() as full, socket.socket() as first, socket.socket() as second:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        for waiting in (first, second):
            waiting.setblocking(False)
            waiting.connect_ex(full.getsockname())
        failed = await failure_of(
            Endpoint(f"http://127.0.0.1:{full.getsockname()[1]}/v1", ""), hasty
        )

    assert failed.reason == FailureReason.CONNECT_TIMEOUT


@pytest.mark.parametrize(
    "answer",
    [b"", b"SSH-2.0-OpenSSH_9.9\r\n", b"HTTP/1.1 200 OK\r\ncontent-length: 90\r\n\r\ndata: {"],
)
async def test_a_server_that_hangs_up_is_a_network_failure(answer):
    async with raw_server(answer) as base_url:
        failed = await failure_of(Endpoint(base_url, ""))

    assert failed.reason == FailureReason.NETWORK
    assert failed.detail


async def test_a_connection_that_breaks_in_mid_stream_is_a_network_failure(provider, endpoint):
    provider.enqueue(replies.reset("The first "))

    failed = await failure_of(endpoint)

    assert failed.reason == FailureReason.NETWORK
    assert failed.detail


async def test_after_a_failure_the_next_call_works(provider, endpoint):
    provider.enqueue(replies.reset("half"), replies.answer("whole"))
    await failure_of(endpoint)

    assert text_of(await events_of(endpoint)) == "whole"


QUOTING = [
    replies.openai_error(400, f"Invalid value: 'Say {PLANTED}.'", None),
    replies.openai_error(400, f"flagged: {PLANTED}", "content_policy_violation"),
    replies.http_error(500, f"trace: {PLANTED}".encode()),
    replies.error_in_stream(f"{PLANTED} ", f"could not go on after {PLANTED}"),
    replies.malformed(f"{PLANTED} "),
    replies.reset(f"{PLANTED} "),
]


@pytest.mark.parametrize("reply", QUOTING)
async def test_no_text_reaches_the_log(provider, endpoint, caplog, reply):
    caplog.set_level(logging.DEBUG)
    provider.enqueue(reply)

    raised = ""
    try:
        await events_of(endpoint)
    except AttemptFailed as failed:
        # Whoever catches it may log it.
        raised = f"{failed!r} {failed}"

    assert PLANTED not in raised
    assert PLANTED not in caplog.text
    assert not [record for record in caplog.records if PLANTED in str(record.__dict__)]


# Counting.


async def test_a_server_with_a_tokenizer_counts_exactly(provider, endpoint):
    counts = await count_at_server(SPEC, endpoint, [TEXT, ""])

    assert counts == [Count(len(pieces(TEXT)), "exact"), Count(0, "exact")]
    asked = [request for request in provider.log.all() if request.path == "/tokenize"]
    assert [request.body["content"] for request in asked] == [TEXT, ""]
    assert asked[0].headers["authorization"] == "Bearer sk-test"


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 404 Not Found\r\ncontent-length: 2\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]",
        b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nwell",
        b"",
    ],
)
async def test_a_server_without_one_counts_nothing(answer):
    async with raw_server(answer) as base_url:
        assert await count_at_server(SPEC, Endpoint(base_url, ""), [TEXT]) is None


async def test_closed_clients_are_made_anew(provider, endpoint):
    await events_of(endpoint)
    before = client_of(endpoint, 2.0)

    await close_clients()

    assert client_of(endpoint, 2.0) is not before
    assert text_of(await events_of(endpoint)).startswith("You said")
