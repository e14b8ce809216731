"""Messages survive being stored, and equal messages give equal bytes."""

from hypothesis import given
from hypothesis import strategies as st

from statecore.messages import Message, ToolCall, counted_text, decode_body, encode_body

calls = st.lists(st.builds(ToolCall, st.text(), st.text(), st.text()), max_size=3).map(tuple)
messages = st.builds(
    Message,
    id=st.just("m"),
    role=st.sampled_from(["user", "assistant", "tool"]),
    text=st.text(),
    created_ms=st.integers(0),
    tool_calls=calls,
    tool_call_id=st.none() | st.text(),
    finish=st.sampled_from(["complete", "stopped", "length"]),
)


@given(messages)
def test_a_stored_message_comes_back_whole(message):
    body = encode_body(message)

    back = decode_body(
        body,
        message_id=message.id,
        role=message.role,
        created_ms=message.created_ms,
        finish=message.finish,
    )

    assert back == message
    assert encode_body(back) == body


def test_a_body_is_canonical_and_keeps_every_script_readable():
    message = Message("m", "assistant", "Привет 你好", 0, (ToolCall("c", "n", "{}"),))

    assert encode_body(message).decode() == ('{"text":"Привет 你好","tool_calls":[["c","n","{}"]]}')


def test_what_is_asked_of_tools_counts_with_the_text():
    assert counted_text("text") == "text"
    assert counted_text("", (ToolCall("c", "weather", '{"city":"Oslo"}'),)) == (
        '\nweather\n{"city":"Oslo"}'
    )
