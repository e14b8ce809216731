import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecore.errors import InvalidInput
from statecore.routing.recording import Recording, decode_recording, encode_recording
from statecore.routing.stream import (
    Done,
    FinishSeen,
    ReasoningDelta,
    StreamError,
    TextDelta,
    ToolCallDelta,
    UsageSeen,
)

FULL = Recording(
    chunks=((40, 2), (81, 3)),
    finish="stop",
    usage=UsageSeen(10, 5, 4),
    error=StreamError("overloaded", "Too much."),
    saw_reasoning=True,
    saw_tool_call=True,
    is_done=True,
)


def test_the_events_of_a_stream_come_again_in_their_order():
    assert list(FULL.events("Привет"[:5])) == [
        [ReasoningDelta("…")],
        [TextDelta("Пр")],
        [TextDelta("иве")],
        [
            ToolCallDelta(0, "", "", ""),
            FinishSeen("stop"),
            UsageSeen(10, 5, 4),
            StreamError("overloaded", "Too much."),
            Done(),
        ],
    ]


def test_a_recording_of_another_text_is_not_played():
    with pytest.raises(InvalidInput, match="of another text"):
        list(FULL.events("more than five"))


def test_what_says_nothing_costs_nothing():
    assert encode_recording(Recording()) == b"{}"
    assert encode_recording(FULL).startswith(b'{"ms":[40,41],"characters":[2,3],"finish":"stop"')


@pytest.mark.parametrize(
    "body", [b"", b"[]", b'{"ms":[1]}', b'{"usage":{"x":1}}', b'{"ms":["a"],"characters":[1]}']
)
def test_what_is_no_recording_is_refused(body):
    with pytest.raises(InvalidInput, match="is no recording"):
        decode_recording(body)


CHUNKS = st.lists(st.tuples(st.integers(0, 10**6), st.integers(1, 500)), max_size=30)


@given(CHUNKS.map(sorted), st.text(max_size=9), st.booleans())
def test_a_recording_comes_back_as_it_was_stored(chunks, finish, is_done):
    recording = Recording(tuple(map(tuple, chunks)), finish, is_done=is_done)
    assert decode_recording(encode_recording(recording)) == recording
