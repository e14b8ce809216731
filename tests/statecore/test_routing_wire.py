"""A request has the form in which the OpenAI chat API takes it."""

import json
from dataclasses import replace

from statecore.formats.openai_list import transcript_of
from statecore.messages import ToolCall
from statecore.requests import Request, RequestMessage, ToolDefinition
from statecore.routing.wire import wire_message, wire_request
from tests.statecore.builders import spec

CALL = ToolCall("c1", "weather", '{"city":"Осло"}')
REQUEST = Request(
    "small",
    (
        RequestMessage("system", "Be brief."),
        RequestMessage("user", "Oslo?"),
        RequestMessage("assistant", "", (CALL,)),
        RequestMessage("tool", "4 degrees", tool_call_id="c1"),
        RequestMessage("user", "Thanks."),
    ),
    100,
    (ToolDefinition("weather", "Tells it.", '{"type":"object"}'), ToolDefinition("time", "", "{}")),
)


def test_calls_and_tools_lie_under_function():
    body = wire_request(REQUEST, spec())

    assert body["messages"][2]["tool_calls"] == [
        {
            "id": "c1",
            "type": "function",
            "function": {"name": "weather", "arguments": '{"city":"Осло"}'},
        }
    ]
    assert body["messages"][3] == {"role": "tool", "content": "4 degrees", "tool_call_id": "c1"}
    assert body["tools"] == [
        {
            "type": "function",
            "function": {
                "name": "weather",
                "description": "Tells it.",
                "parameters": {"type": "object"},
            },
        },
        {"type": "function", "function": {"name": "time", "parameters": {}}},
    ]


def test_a_developer_model_has_its_own_names():
    body = wire_request(REQUEST, spec(role_style="developer"))

    assert [message["role"] for message in body["messages"][:2]] == ["developer", "user"]
    assert (body["max_completion_tokens"], "max_tokens" in body) == (100, False)
    assert wire_request(REQUEST, spec())["max_tokens"] == 100


def test_usage_is_asked_for_where_the_model_reports_it():
    reports = spec(abilities=frozenset({"stream_usage"}))

    assert wire_request(REQUEST, reports)["stream_options"] == {"include_usage": True}
    assert "stream_options" not in wire_request(REQUEST, spec())


def test_the_server_is_told_its_own_name_of_the_model_and_to_stream():
    body = wire_request(REQUEST, spec(remote_name="org/model"))

    assert (body["model"], body["stream"]) == ("org/model", True)


def test_a_request_without_tools_names_none():
    assert "tools" not in wire_request(replace(REQUEST, tools=()), spec())


def test_a_message_of_nobody_s_call_has_role_and_content_only():
    assert wire_message(REQUEST.messages[1], spec()) == {"role": "user", "content": "Oslo?"}


def test_it_reads_back_as_what_it_was():
    found = transcript_of(json.loads(json.dumps(wire_request(REQUEST, spec()))))

    sent = tuple(
        RequestMessage(m.role, m.text, m.tool_calls, m.tool_call_id) for m in found.messages
    )
    assert (sent, found.tools, found.reply_tokens) == (REQUEST.messages, REQUEST.tools, 100)
