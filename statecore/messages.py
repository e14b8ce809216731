"""M: what was said. Messages are immutable and never cut."""

import json
from dataclasses import dataclass
from typing import Literal

_DECODER = json.JSONDecoder()

Role = Literal["system", "user", "assistant", "tool"]

Finish = Literal["complete", "stopped", "length"]
"""complete: the model ended by itself; stopped: the user pressed Stop; length: the reply limit."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call that an assistant message asks for."""

    id: str
    name: str
    arguments: str
    """JSON text, exactly as the model wrote it."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation."""

    id: str
    role: Role
    text: str
    created_ms: int
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    """For role tool: the call that this result answers."""
    finish: Finish = "complete"


def counted_text(text: str, tool_calls: tuple[ToolCall, ...] = ()) -> str:
    """Return what a tokenizer counts for a message: its text and what it asks of tools."""
    if not tool_calls:
        return text
    return "\n".join((text, *(f"{call.name}\n{call.arguments}" for call in tool_calls)))


def encode_body(message: Message) -> bytes:
    """Return the sealed part of a message as canonical JSON bytes."""
    body: dict[str, object] = {"text": message.text}
    if message.tool_calls:
        body["tool_calls"] = [[c.id, c.name, c.arguments] for c in message.tool_calls]
    if message.tool_call_id is not None:
        body["tool_call_id"] = message.tool_call_id
    return json.dumps(body, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def decode_body(
    body: bytes, *, message_id: str, role: Role, created_ms: int, finish: Finish = "complete"
) -> Message:
    """Return the message whose sealed part is `body`."""
    # `json.loads` would look twice for blanks around each of hundreds of bodies.
    data, _ = _DECODER.raw_decode(body.decode())
    calls = tuple(ToolCall(*call) for call in data.get("tool_calls", ()))
    return Message(
        id=message_id,
        role=role,
        text=data["text"],
        created_ms=created_ms,
        tool_calls=calls,
        tool_call_id=data.get("tool_call_id"),
        finish=finish,
    )
