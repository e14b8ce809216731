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


def calls(*ids):
    return [{"id": id_, "function": {"name": "w", "arguments": "{}"}} for id_ in ids]


def test_calls_of_one_message_that_share_an_id_get_ids_and_results_of_their_own():
    talk = messages_of(
        [
            {"role": "user", "content": "Weather?"},
            {"role": "assistant", "tool_calls": calls("c1", "c1", "c1_2")},
            {"role": "tool", "tool_call_id": "c1", "content": "4 degrees"},
            {"role": "tool", "tool_call_id": "c1", "content": "7 degrees"},
            {"role": "tool", "tool_call_id": "c1_2", "content": "9 degrees"},
        ]
    )

    assert [call.id for call in talk[1].tool_calls] == ["c1", "c1_3", "c1_2"]
    assert [message.tool_call_id for message in talk[2:]] == ["c1", "c1_3", "c1_2"]


def test_an_id_that_a_later_message_uses_again_stays():
    talk = messages_of(
        [
            {"role": "assistant", "tool_calls": calls("c1")},
            {"role": "assistant", "tool_calls": calls("c1")},
            {"role": "tool", "tool_call_id": "c1", "content": "x"},
        ]
    )

    assert [call.id for message in talk for call in message.tool_calls] == ["c1", "c1"]
    assert talk[2].tool_call_id == "c1"


@pytest.mark.parametrize("role", ["user", "system", "developer", "tool", "function"])
@pytest.mark.parametrize(
    "asked", [{"tool_calls": calls("c1")}, {"function_call": {"name": "w", "arguments": "{}"}}]
)
def test_only_the_model_calls_tools(role, asked):
    with pytest.raises(InvalidInput, match=f"messages 2 → .*: a {role} message calls no tools"):
        messages_of([{"role": "user", "content": "Hi"}, {"role": role, "content": "x", **asked}])


def test_an_empty_list_of_calls_is_none_and_only_results_answer_one():
    (message,) = messages_of(
        [{"role": "user", "content": "Hi", "tool_calls": [], "tool_call_id": "c1"}]
    )

    assert (message.tool_calls, message.tool_call_id) == ((), None)
