"""Manifests: a request as a list of blocks, which consecutive requests share all but the last of.

A block holds the messages of sixteen turns by their depth; what is sent word for word is a
reference to its message, so that a stored block does not repeat the conversation.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from statecore.context.outcomes import ContextPlan
from statecore.context.repairs import verbatim
from statecore.context.segments import Sent
from statecore.errors import InvalidInput
from statecore.messages import Message, ToolCall
from statecore.requests import Request, RequestMessage, ToolDefinition

TURNS_A_BLOCK = 16

_TOOLS = "tools"


@dataclass(frozen=True, slots=True)
class Block:
    """A run of messages as sent."""

    body: bytes
    """Canonical JSON: a list of [role, kind, message id, text, tool calls, tool call id].

    A message sent word for word has its id and no text; any other has its text and no id. The
    definitions of tools are a block of their own: lists of "tools", name, description, parameters.
    """


def blocks_of(plan: ContextPlan) -> tuple[Block, ...]:
    """Return the blocks of a planned request, in order."""
    pairs = zip(plan.sent, plan.request.messages, strict=True)
    runs = groupby(pairs, key=lambda pair: _run(pair[0]))
    tools = [[_TOOLS, t.name, t.description, t.parameters] for t in plan.request.tools]
    bodies = (_body([_entry(*pair) for pair in run]) for _, run in runs)
    return tuple(Block(body) for body in (*([_body(tools)] if tools else ()), *bodies))


def _run(sent: Sent) -> int:
    # The system prompt has depth 0 and a run of its own: it outlives every window. So have the
    # settled notes, which outlive every turn of theirs.
    if sent.depth == 0:
        return -2 if sent.kind == "state_block" else -1
    return (sent.depth - 1) // TURNS_A_BLOCK


def _body(entries: Sequence[Sequence[object]]) -> bytes:
    return json.dumps(entries, ensure_ascii=False, separators=(",", ":")).encode()


def _entry(sent: Sent, message: RequestMessage) -> list[object]:
    if sent.message_id is not None:
        return [message.role, sent.kind, sent.message_id, None, None, None]
    calls = [[call.id, call.name, call.arguments] for call in message.tool_calls]
    return [message.role, sent.kind, None, message.text, calls, message.tool_call_id]


def message_ids(blocks: Iterable[Block]) -> tuple[str, ...]:
    """Return the ids of the messages that blocks refer to, in order."""
    entries = (entry for block in blocks for entry in json.loads(block.body))
    return tuple(entry[2] for entry in entries if entry[0] != _TOOLS and entry[2] is not None)


def request_of(
    blocks: Iterable[Block],
    messages_by_id: Mapping[str, Message],
    model: str,
    max_output_tokens: int,
) -> Request:
    """Return the request that was stored as blocks.

    Args:
        blocks: all its blocks, in order.
        messages_by_id: at least the messages that the blocks refer to.
        model: registry name of the model that it was sent to.
        max_output_tokens: its limit of the reply.

    Raises:
        InvalidInput: when a message that a block refers to is not among those given.
    """
    entries = [entry for block in blocks for entry in json.loads(block.body)]
    tools = tuple(ToolDefinition(*entry[1:]) for entry in entries if entry[0] == _TOOLS)
    sent = (entry for entry in entries if entry[0] != _TOOLS)
    return Request(model, tuple(_messages(sent, messages_by_id)), max_output_tokens, tools)


def _messages(
    entries: Iterable[Sequence[Any]], messages_by_id: Mapping[str, Message]
) -> Iterator[RequestMessage]:
    for role, _, message_id, text, calls, tool_call_id in entries:
        if message_id is None:
            tool_calls = tuple(ToolCall(*call) for call in calls)
            yield RequestMessage(role, text, tool_calls, tool_call_id)
        elif message_id in messages_by_id:
            yield verbatim(messages_by_id[message_id])
        else:
            raise InvalidInput(f"message {message_id} of a stored request is not there")
