"""The provider-neutral request: what one model call is told."""

import json
from dataclasses import dataclass

from statecore.messages import Role, ToolCall


@dataclass(frozen=True, slots=True)
class RequestMessage:
    """One message as sent."""

    role: Role
    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None


@dataclass(frozen=True, slots=True)
class ToolDefinition:
    """A tool that a model may call."""

    name: str
    description: str
    parameters: str
    """JSON schema of its arguments, as JSON text."""


@dataclass(frozen=True, slots=True)
class Request:
    """One model call, before an adapter translates it for its provider."""

    model: str
    """Registry name of the model that it was planned for."""
    messages: tuple[RequestMessage, ...]
    max_output_tokens: int
    tools: tuple[ToolDefinition, ...] = ()


def _document(message: RequestMessage) -> dict[str, object]:
    document: dict[str, object] = {"role": message.role, "text": message.text}
    if message.tool_calls:
        document["tool_calls"] = [[c.id, c.name, c.arguments] for c in message.tool_calls]
    if message.tool_call_id is not None:
        document["tool_call_id"] = message.tool_call_id
    return document


def canonical_bytes(request: Request) -> bytes:
    """Return the canonical JSON of a request: equal requests give equal bytes."""
    document: dict[str, object] = {
        "model": request.model,
        "max_output_tokens": request.max_output_tokens,
        "messages": [_document(message) for message in request.messages],
    }
    if request.tools:
        document["tools"] = [[t.name, t.description, t.parameters] for t in request.tools]
    return json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
