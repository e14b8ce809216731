"""A request in the form of the OpenAI chat API: what is sent, and what is shown as sent."""

import json
from typing import Any

from statecore.models import ModelSpec
from statecore.requests import Request, RequestMessage, ToolDefinition


def wire_request(request: Request, model: ModelSpec) -> dict[str, Any]:
    """Return the body of a request; its answer is streamed."""
    body: dict[str, Any] = {
        "model": model.remote_name,
        "messages": [wire_message(message, model) for message in request.messages],
        "stream": True,
        limit_name(model): request.max_output_tokens,
    }
    if request.tools:
        body["tools"] = [_wire_tool(tool) for tool in request.tools]
    if "stream_usage" in model.abilities:
        body["stream_options"] = {"include_usage": True}
    return body


def wire_message(message: RequestMessage, model: ModelSpec) -> dict[str, Any]:
    """Return a message in the provider's field names."""
    is_renamed = message.role == "system" and model.role_style == "developer"
    wire: dict[str, Any] = {
        "role": "developer" if is_renamed else message.role,
        "content": message.text,
    }
    if message.tool_calls:
        wire["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for call in message.tool_calls
        ]
    if message.tool_call_id is not None:
        wire["tool_call_id"] = message.tool_call_id
    return wire


def limit_name(model: ModelSpec) -> str:
    """Return what the model calls the limit of its answer, in tokens."""
    return "max_completion_tokens" if model.role_style == "developer" else "max_tokens"


def _wire_tool(tool: ToolDefinition) -> dict[str, Any]:
    function: dict[str, Any] = {"name": tool.name, "parameters": json.loads(tool.parameters)}
    if tool.description:
        function["description"] = tool.description
    return {"type": "function", "function": function}
