"""Lists of messages in all the forms that the OpenAI chat API has taken."""

import pytest

from statecore.errors import InvalidInput
from statecore.formats.openai_list import messages_of, tools_of, transcript_of
from statecore.messages import ToolCall
from statecore.requests import ToolDefinition

CALL = {
    "id": "c1",
    "type": "function",
    "function": {"name": "weather", "arguments": '{"c":"Oslo"}'},
}


def test_messages_are_numbered():
    found = messages_of([{"role": "user", "content": "Hi"}, {"role": "assistant", "content": None}])

    assert [(m.id, m.role, m.text) for m in found] == [
        ("m1", "user", "Hi"),
        ("m2", "assistant", ""),
    ]


def test_a_developer_is_a_system():
    (message,) = messages_of([{"role": "developer", "content": "Be brief."}])

    assert message.role == "system"


def test_a_refusal_stands_where_there_is_no_content():
    (message,) = messages_of([{"role": "assistant", "content": None, "refusal": "I cannot."}])

    assert message.text == "I cannot."


def test_calls_and_their_results_are_kept():
    asked, answered = messages_of(
        [
            {"role": "assistant", "content": None, "tool_calls": [CALL]},
            {"role": "tool", "tool_call_id": "c1", "content": "4 degrees"},
        ]
    )

    assert asked.tool_calls == (ToolCall("c1", "weather", '{"c":"Oslo"}'),)
    assert (answered.role, answered.tool_call_id, answered.text) == ("tool", "c1", "4 degrees")


@pytest.mark.parametrize("arguments", [{"c": "Oslo"}, '{"c": "Oslo"}'])
def test_a_flat_call_and_arguments_as_an_object_are_the_same(arguments):
    call = {"id": "c1", "name": "weather", "arguments": arguments}

    (message,) = messages_of([{"role": "assistant", "tool_calls": [call]}])

    assert message.tool_calls == (ToolCall("c1", "weather", '{"c": "Oslo"}'),)


def test_the_older_form_of_calls_gets_ids():
    first, second, of_second, of_first, stray = messages_of(
        [
            {"role": "assistant", "function_call": {"name": "weather", "arguments": "{}"}},
            {"role": "assistant", "function_call": {"name": "time", "arguments": "{}"}},
            {"role": "function", "name": "time", "content": "noon"},
            {"role": "function", "name": "weather", "content": "4 degrees"},
            {"role": "function", "name": "weather", "content": "5 degrees"},
        ]
    )

    assert of_second.tool_call_id == second.tool_calls[0].id
    assert of_first.tool_call_id == first.tool_calls[0].id
    assert first.tool_calls[0].id != second.tool_calls[0].id
    assert (stray.role, stray.tool_call_id) == ("tool", None)


def test_tools_come_in_three_forms():
    schema = {"type": "object", "properties": {"город": {"type": "string"}}}
    tool = {"name": "weather", "description": "Tells it.", "parameters": schema}
    wanted = ToolDefinition(
        "weather", "Tells it.", '{"type":"object","properties":{"город":{"type":"string"}}}'
    )

    assert tools_of([{"type": "function", "function": tool}]) == (wanted,)
    assert tools_of([{"type": "function", **tool}]) == (wanted,)
    assert transcript_of({"messages": [], "functions": [tool]}).tools == (wanted,)


def test_the_body_of_a_request_says_how_long_the_answer_may_be():
    assert transcript_of({"messages": [], "max_tokens": 300, "model": "x"}).reply_tokens == 300
    assert transcript_of({"messages": [], "max_completion_tokens": 5}).reply_tokens == 5
    assert transcript_of({"messages": [], "max_tokens": None}).reply_tokens is None


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        ({}, "messages: input should be a valid list"),
        ({"messages": {}}, "messages: input should be a valid list"),
        ({"messages": ["hi"]}, "messages 1: input should be a valid dictionary"),
        ({"messages": [{"content": "x"}]}, "messages 1 → role: field required"),
        ({"messages": [{"role": "king"}]}, "messages 1 → role: input should be 'system'"),
        ({"messages": [{"role": "user", "content": 5}]}, "messages 1 → content: should be a text"),
        (
            {"messages": [{"role": "user"}, {"role": "user", "content": [{"type": "text"}]}]},
            "messages 2 → content: part 1 has no text",
        ),
        (
            {"messages": [{"role": "assistant", "tool_calls": [{"id": "c1", "function": {}}]}]},
            "messages 1 → tool_calls 1 → name: field required",
        ),
        ({"messages": [], "tools": [{"type": "function"}]}, "tools 1 → name: field required"),
        ({"messages": [], "max_tokens": 0}, "max_tokens: input should be greater than 0"),
        ({"messages": [], "max_tokens": "many"}, "max_tokens: input should be a valid integer"),
    ],
)
def test_what_is_wrong_is_named_by_its_place(document, sentence):
    with pytest.raises(InvalidInput) as raised:
        transcript_of(document)

    assert str(raised.value).startswith(sentence)
