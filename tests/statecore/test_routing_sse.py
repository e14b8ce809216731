"""Server-sent events come out the same however the bytes are cut."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecore.routing.sse import SseEvent, SseParser

GREETING = 'data: {"t":"Grüße 👋 你好"}\n\n'.encode()


def parsed(*chunks: bytes) -> list[SseEvent]:
    parser = SseParser()
    events = [event for chunk in chunks for event in parser.feed(chunk)]
    return events + parser.close()


def one(data: str, name: str = "") -> list[SseEvent]:
    return [SseEvent(name, data)]


@pytest.mark.parametrize("cut", range(len(GREETING) + 1))
def test_a_cut_inside_a_character_changes_nothing(cut):
    assert parsed(GREETING[:cut], GREETING[cut:]) == one('{"t":"Grüße 👋 你好"}')


def test_the_three_chunks_from_the_field_give_the_text():
    chunks = (
        "64 61 74 61 3a 20 7b 22 74 22 3a 22 47 72 c3 bc c3 9f 65 20 f0 9f",
        "91 8b 20 e4 bd",
        "a0 e5 a5 bd 22 7d 0a 0a",
    )

    assert parsed(*map(bytes.fromhex, chunks)) == one('{"t":"Grüße 👋 你好"}')


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_every_line_ending_is_understood(end):
    stream = b"event: error" + end + b"data: a" + end + end + b"data: b" + end + end

    whole = parsed(stream)

    assert whole == [SseEvent("error", "a"), SseEvent("", "b")]
    assert parsed(*(bytes([byte]) for byte in stream)) == whole


def test_an_event_comes_out_with_the_bytes_that_complete_it():
    parser = SseParser()

    assert parser.feed(b"data: a\n") == []
    assert parser.feed(b"\n") == one("a")
    assert parser.feed(b"data: b\r\n\r") == one("b")
    assert parser.feed(b"\ndata: c\n\n") == one("c")


def test_comments_and_unknown_fields_say_nothing():
    assert parsed(b": ping\n\nid: 7\nretry: 100\nnonsense\ndata: a\n: ping\n\n") == one("a")


def test_two_events_in_one_chunk_come_out_in_order():
    assert parsed(b"data: a\n\ndata: b\n\n") == [SseEvent("", "a"), SseEvent("", "b")]


def test_data_lines_of_one_event_are_joined_by_newlines():
    assert parsed(b"data: a\ndata:b\ndata\ndata:  c\n\n") == one("a\nb\n\n c")


def test_a_byte_order_mark_is_no_part_of_the_first_field():
    stream = b"\xef\xbb\xbfdata: a\n\n"

    assert parsed(stream) == one("a")
    assert parsed(*(bytes([byte]) for byte in stream)) == one("a")


def test_the_end_of_the_stream_completes_the_last_event():
    assert parsed(b"data: a\n\ndata: b") == [SseEvent("", "a"), SseEvent("", "b")]
    assert parsed(b"data: a\n") == one("a")


def test_a_name_without_data_is_forgotten():
    assert parsed(b"event: error\n\ndata: a\n\n") == one("a")


def test_an_error_field_is_an_event_of_that_name():
    assert parsed(b'error: {"code":500}\n\n') == one('{"code":500}', "error")


def test_a_line_in_many_small_chunks_costs_linear_time():
    parser = SseParser()
    for _ in range(200_000):
        parser.feed(b"data: xxxxx")

    assert len(parser.feed(b"\n\n")[0].data) == 200_000 * 11 - 6


pieces = st.sampled_from(
    [
        b"data: ",
        b"data",
        b"event: error",
        b": c",
        b"\n",
        b"\r",
        b"\r\n",
        b"\n\n",
        "é👋".encode(),
        b"x",
    ]
)


@given(st.lists(pieces, max_size=30).map(b"".join), st.data())
def test_any_split_gives_the_same_events(stream, data):
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=8)))
    chunks = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]

    assert parsed(*chunks) == parsed(stream)


def test_an_object_instead_of_a_stream_is_one_event_at_the_end():
    parser = SseParser()

    assert parser.feed(b'{\n "error": {\n\n  "message": "no"') == []
    assert parser.feed(b"}}\n") == []
    (event,) = parser.close()
    assert json.loads(event.data) == {"error": {"message": "no"}}


def test_of_an_endless_object_no_more_is_kept_than_an_error_has():
    parser = SseParser()

    parser.feed(b"{" + b"\n1" * 100_000)

    (event,) = parser.close()
    assert len(event.data) < 10_000
