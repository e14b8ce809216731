"""The stream of a chat completion becomes a handful of events, whatever a server sends."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecore.routing.stream import (
    ChatReader,
    Done,
    FinishSeen,
    ReasoningDelta,
    StreamError,
    TextDelta,
    ToolCallDelta,
    UsageSeen,
)


def sse(*chunks: object, name: str = "") -> bytes:
    head = f"event: {name}\n" if name else ""
    return "".join(
        f"{head}data: {chunk if isinstance(chunk, str) else json.dumps(chunk)}\n\n"
        for chunk in chunks
    ).encode()


def choice(delta=None, **more):
    return {"choices": [{"index": 0, "delta": delta or {}, "finish_reason": None} | more]}


def read(*chunks: bytes) -> list:
    reader = ChatReader()
    events = [event for chunk in chunks for event in reader.feed(chunk)]
    return events + reader.close()


def texts(events) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))


def test_a_usual_stream_gives_text_finish_usage_and_the_end_mark():
    stream = sse(
        choice({"role": "assistant", "content": ""}),
        choice({"content": "Hel"}),
        choice({"content": "lo"}),
        choice(finish_reason="stop"),
        {
            "choices": [],
            "usage": {
                "prompt_tokens": 30,
                "completion_tokens": 2,
                "prompt_tokens_details": {"cached_tokens": 28},
            },
        },
        "[DONE]",
    )

    assert read(stream) == [
        TextDelta("Hel"),
        TextDelta("lo"),
        FinishSeen("stop"),
        UsageSeen(30, 2, 28),
        Done(),
    ]


def test_usage_beside_the_last_choice_is_seen_and_unknown_cache_is_none():
    chunk = choice(finish_reason="length") | {"usage": {"prompt_tokens": 5, "completion_tokens": 1}}

    assert read(sse(chunk)) == [FinishSeen("length"), UsageSeen(5, 1, None)]


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_reasoning_is_kept_apart_from_text(field):
    assert read(sse(choice({field: "hm", "content": None}))) == [ReasoningDelta("hm")]


def test_a_tool_call_comes_in_parts():
    opening = {"index": 1, "id": "c1", "type": "function", "function": {"name": "weather"}}
    more = {"index": 1, "function": {"arguments": '{"city":"Por'}}

    assert read(sse(choice({"tool_calls": [opening]}), choice({"tool_calls": [more]}))) == [
        ToolCallDelta(1, "c1", "weather", ""),
        ToolCallDelta(1, "", "", '{"city":"Por'),
    ]


def test_a_tool_call_without_index_stands_at_its_place_and_arguments_may_be_an_object():
    call = {"id": "c1", "function": {"name": "weather", "arguments": {"city": "Осло"}}}

    assert read(sse(choice({"tool_calls": [call]}))) == [
        ToolCallDelta(0, "c1", "weather", '{"city": "Осло"}')
    ]


def test_content_in_parts_is_read_as_text():
    parts = [{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}]

    assert read(sse(choice({"content": parts}))) == [TextDelta("ab")]


def test_an_error_event_after_text_is_an_error():
    stream = sse(choice({"content": "The first step is "})) + sse(
        {"type": "overloaded"}, name="error"
    )

    assert read(stream) == [TextDelta("The first step is "), StreamError("overloaded", "")]


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (
            {"code": "context_length_exceeded", "type": "invalid_request_error", "message": "m"},
            StreamError("context_length_exceeded", "m"),
        ),
        (
            {"code": 400, "type": "exceed_context_size_error", "message": "m"},
            StreamError("exceed_context_size_error", "m"),
        ),
        ({"code": 503, "message": "busy"}, StreamError("503", "busy")),
        ({"code": "", "type": "overloaded_error"}, StreamError("overloaded_error", "")),
        ("boom", StreamError("stream_error", "boom")),
    ],
)
def test_an_error_object_is_named_by_its_most_telling_word(error, expected):
    assert read(sse({"error": error})) == [expected]
    assert read(sse({"error": error}, name="error")) == [expected]


def test_an_error_event_of_plain_text_keeps_the_text():
    assert read(sse("overloaded", name="error")) == [StreamError("stream_error", "overloaded")]


@pytest.mark.parametrize(
    "data",
    [
        "{",
        "[1]",
        "7",
        '"x"',
        '{"choices": 5}',
        '{"choices": [7]}',
        '{"choices": {"a": 1}}',
        '{"choices": [{"delta": {"content": 7}}]}',
        '{"choices": [{"delta": "x"}]}',
        '{"usage": 7}',
        '{"usage": {"prompt_tokens": 1e999}}',
        pytest.param("[" * 100_000, id="nested too deeply"),
    ],
)
def test_a_chunk_that_cannot_be_read_is_an_error_and_the_rest_is_read_on(data):
    events = read(sse(data, choice({"content": "on"})))

    assert [type(event) for event in events] == [StreamError, TextDelta]
    assert events[0].code == "bad_chunk"


@pytest.mark.parametrize(
    "data", ["{}", '{"choices": []}', '{"choices": [{}]}', '{"choices": null}']
)
def test_a_chunk_that_says_nothing_gives_nothing(data):
    assert read(sse(data)) == []


def test_what_follows_the_end_mark_is_not_read():
    assert read(sse("[DONE]", choice({"content": "late"})), b"data: {\n\n") == [Done()]


def test_a_stream_that_just_ends_has_no_end_mark():
    assert read(sse(choice({"content": "a"}))) == [TextDelta("a")]


def test_half_a_character_waits_for_its_other_half():
    stream = (
        b'data: {"choices":[{"delta":{"content":"a\\ud83d"}}]}\n\n'
        b'data: {"choices":[{"delta":{"content":"\\udc4b b"}}]}\n\n'
    )

    assert read(stream) == [TextDelta("a"), TextDelta("👋 b")]


def test_half_a_character_that_stays_alone_is_marked():
    stream = b'data: {"choices":[{"delta":{"content":"a\\ud83d"}}]}\n\n'
    alone = b'data: {"choices":[{"delta":{"content":"a\\udc4bb"}}]}\n\n'

    assert texts(read(stream)) == "a\ufffd"
    assert texts(read(alone)) == "a\ufffdb"


def test_a_finish_is_a_short_printable_word():
    lone = r'data: {"choices":[{"finish_reason":"st\ud83dop\u0000"}]}'

    assert read(lone.encode()) == [FinishSeen("stop")]
    assert read(sse(choice(finish_reason="x" * 50))) == [FinishSeen("x" * 32)]


@given(st.text(max_size=60), st.data())
def test_any_split_of_the_bytes_gives_the_same_text(text, data):
    middle = len(text) // 2
    parts = [part for part in (text[:middle], text[middle:]) if part]
    ascii_only = data.draw(st.booleans())
    stream = "".join(
        f"data: {json.dumps(choice({'content': part}), ensure_ascii=ascii_only)}\r\n\r\n"
        for part in parts
    ).encode() + sse("[DONE]")
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=10)))
    chunks = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]

    events = read(*chunks)

    assert events == [*(TextDelta(part) for part in parts), Done()]
    assert read(*(bytes([byte]) for byte in stream)) == events


names = st.sampled_from(
    [
        "choices",
        "delta",
        "content",
        "reasoning",
        "tool_calls",
        "function",
        "arguments",
        "index",
        "id",
        "usage",
        "prompt_tokens",
        "prompt_tokens_details",
        "cached_tokens",
        "error",
        "code",
        "message",
        "finish_reason",
        "type",
        "text",
    ]
)
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=4),
    max_leaves=12,
)


@given(anything, st.sampled_from(["", "error"]))
def test_no_chunk_raises(chunk, name):
    for event in read(sse(json.dumps(chunk), name=name)):
        words = [v for v in vars_of(event) if isinstance(v, str)]
        assert all(word.encode() is not None for word in words)


def vars_of(event) -> list:
    return [getattr(event, name) for name in event.__slots__]


@given(st.binary(max_size=80))
def test_no_bytes_raise(data):
    assert len(read(b"data: " + data, data)) <= 2 * len(data) + 2
