"""A request has the form in which the OpenAI chat API takes it."""

import json

from statecore.explain.wire import wire
from statecore.formats.openai_list import transcript_of
from statecore.messages import ToolCall
from statecore.requests import Request, RequestMessage, ToolDefinition
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
    body = wire(REQUEST, spec())

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
    body = wire(REQUEST, spec(role_style="developer"))

    assert body["messages"][0]["role"] == "developer"
    assert (body["max_completion_tokens"], "max_tokens" in body) == (100, False)
    assert wire(REQUEST, spec())["max_tokens"] == 100


def test_it_reads_back_as_what_it_was():
    found = transcript_of(json.loads(json.dumps(wire(REQUEST, spec()))))

    sent = tuple(
        RequestMessage(m.role, m.text, m.tool_calls, m.tool_call_id) for m in found.messages
    )
    assert (sent, found.tools, found.reply_tokens) == (REQUEST.messages, REQUEST.tools, 100)
