"""A request in the form of the OpenAI chat API, as an adapter would send it."""

import json
from typing import Any

from statecore.models import ModelSpec
from statecore.requests import Request, RequestMessage, ToolDefinition


def wire(request: Request, model: ModelSpec) -> dict[str, Any]:
    """Return the body of a request; names of tools and ids of calls stay as they were."""
    limit = "max_completion_tokens" if model.role_style == "developer" else "max_tokens"
    body: dict[str, Any] = {
        "model": request.model,
        "messages": [_message(message, model) for message in request.messages],
        limit: request.max_output_tokens,
    }
    if request.tools:
        body["tools"] = [_tool(tool) for tool in request.tools]
    return body


def _message(message: RequestMessage, model: ModelSpec) -> dict[str, Any]:
    is_renamed = message.role == "system" and model.role_style == "developer"
    sent: dict[str, Any] = {
        "role": "developer" if is_renamed else message.role,
        "content": message.text,
    }
    if message.tool_calls:
        sent["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for call in message.tool_calls
        ]
    if message.tool_call_id is not None:
        sent["tool_call_id"] = message.tool_call_id
    return sent


def _tool(tool: ToolDefinition) -> dict[str, Any]:
    function: dict[str, Any] = {"name": tool.name, "parameters": json.loads(tool.parameters)}
    if tool.description:
        function["description"] = tool.description
    return {"type": "function", "function": function}
