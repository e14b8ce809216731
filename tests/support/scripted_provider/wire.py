"""The bytes of the OpenAI chat API: chunks of a stream, and the whole object."""

import json
import time
from collections.abc import Iterable
from typing import Any

from tests.support.scripted_provider.record import Recorded
from tests.support.scripted_provider.replies import Reply
from tests.support.scripted_provider.steps import Finish, Reasoning, Step, Text, ToolCall
from tests.support.scripted_provider.tokenizer import message_tokens, pieces

DONE = b"data: [DONE]\n\n"


def event(data: Any) -> bytes:
    """Return one event of a stream; text is not escaped, so that characters take many bytes."""
    return b"data: " + json.dumps(data, ensure_ascii=False).encode() + b"\n\n"


class ChunkMaker:
    """Makes the chunks of one stream; what all of them share is encoded once."""

    def __init__(self, request: Recorded) -> None:
        self._shared = {
            "id": f"chatcmpl-{request.number}",
            "object": "chat.completion.chunk",
            "created": int(time.time()),
            "model": request.model,
        }
        head = json.dumps(self._shared, ensure_ascii=False).removesuffix("}").encode()
        self._before = b"data: " + head + b', "choices": [{"index": 0, "delta": {"content": '
        self._after = b'}, "finish_reason": null}]}\n\n'

    def text(self, text: str) -> bytes:
        """Return a chunk of answer text; the fast one."""
        return self._before + json.dumps(text, ensure_ascii=False).encode() + self._after

    def opening(self) -> bytes:
        """Return the first chunk, which only names the role."""
        return self.delta({"role": "assistant", "content": ""})

    def delta(self, delta: dict[str, Any], finish: str | None = None) -> bytes:
        """Return a chunk with any delta."""
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return event({**self._shared, "choices": [choice]})

    def usage(self, usage: dict[str, Any]) -> bytes:
        """Return the chunk after the last, which carries usage and no choice."""
        return event({**self._shared, "choices": [], "usage": usage})


def tool_delta(step: ToolCall) -> dict[str, Any]:
    """Return the delta of one piece of a tool call."""
    function: dict[str, Any] = {"arguments": step.arguments}
    call: dict[str, Any] = {"index": step.index, "function": function}
    if step.id is not None:
        call |= {"id": step.id, "type": "function"}
        function["name"] = step.name
    return {"tool_calls": [call]}


def usage_of(request: Recorded, reply: Reply, completion: str) -> dict[str, Any]:
    """Return what the provider says it used."""
    prompt_tokens = message_tokens(request.body.get("messages", ()))
    completion_tokens = len(pieces(completion))
    return {
        "prompt_tokens": prompt_tokens,
        "completion_tokens": completion_tokens,
        "total_tokens": prompt_tokens + completion_tokens,
        "prompt_tokens_details": {"cached_tokens": reply.cached_tokens},
    }


def completion_object(request: Recorded, reply: Reply) -> dict[str, Any]:
    """Return the whole answer as one object, for a request that does not stream."""
    text = joined(step.text for step in reply.steps if isinstance(step, Text))
    reasoning = joined(step.text for step in reply.steps if isinstance(step, Reasoning))
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if reasoning:
        message["reasoning_content"] = reasoning
    if calls := merged_calls(reply.steps):
        message["tool_calls"] = calls
    finish = next((step.reason for step in reply.steps if isinstance(step, Finish)), None)
    return {
        "id": f"chatcmpl-{request.number}",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": request.model,
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": usage_of(request, reply, text),
    }


def joined(texts: Iterable[str]) -> str:
    """Return texts as one."""
    return "".join(texts)


def merged_calls(steps: Iterable[Step]) -> list[dict[str, Any]]:
    """Return whole tool calls from their pieces."""
    calls: dict[int, dict[str, Any]] = {}
    for step in steps:
        if not isinstance(step, ToolCall):
            continue
        empty = {
            "id": step.id,
            "type": "function",
            "function": {"name": step.name, "arguments": ""},
        }
        calls.setdefault(step.index, empty)["function"]["arguments"] += step.arguments
    return list(calls.values())
