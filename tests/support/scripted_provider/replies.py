"""Replies: whole answers and faults, named after what a provider does."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.support.scripted_provider.steps import (
    Done,
    Finish,
    Hold,
    PacedTokens,
    Raw,
    Reasoning,
    Reset,
    Silence,
    Step,
    StreamError,
    Text,
    ToolCall,
    Wait,
)


@dataclass(frozen=True, slots=True)
class Reply:
    """What one request gets."""

    steps: tuple[Step, ...] = ()
    """Played in order when the status is 200."""
    status: int = 200
    body: bytes = b""
    """The whole body when the status is not 200."""
    headers: Mapping[str, str] = field(default_factory=dict)
    reports_usage: bool = True
    """False for a provider that ignores `stream_options`."""
    cached_tokens: int = 0
    """Prompt tokens said to come from a cache."""
    piece_bytes: int | None = None
    """Cuts the stream into writes of this size, in the middle of characters too."""
    head_gate: str | None = None
    """Holds back even the status line until this gate opens."""


def answer(text: str, *, words_a_chunk: int = 1, delay_s: float = 0.0, **more: Any) -> Reply:
    """Return an answer cut after every few words, with a pause before each chunk but the first."""
    words = text.split(" ")
    chunks = [
        " ".join(words[start : start + words_a_chunk])
        for start in range(0, len(words), words_a_chunk)
    ]
    spaced = [chunk + " " for chunk in chunks[:-1]] + chunks[-1:]
    return answer_chunks(spaced, delay_s=delay_s, **more)


def answer_chunks(
    chunks: Iterable[str], *, delay_s: float = 0.0, finish: str = "stop", **more: Any
) -> Reply:
    """Return an answer of just these chunks."""
    steps: list[Step] = []
    for chunk in chunks:
        if steps and delay_s:
            steps.append(Wait(delay_s))
        steps.append(Text(chunk))
    return Reply((*steps, Finish(finish), Done()), **more)


def held(before: str, after: str = "", *, gate: str = "gate") -> Reply:
    """Return an answer that stands still between two texts until the gate opens."""
    start = (Text(before),) if before else ()
    end = (Text(after),) if after else ()
    return Reply((*start, Hold(gate), *end, Finish(), Done()))


def paced(count: int, *, per_second: float) -> Reply:
    """Return tokens at a steady rate, each carrying the time it was sent at."""
    return Reply((PacedTokens(count, per_second), Finish(), Done()))


def tool_call(name: str, arguments: Mapping[str, Any], *, id: str = "call_1") -> Reply:  # noqa: A002  # the API's own word
    """Return a call of one tool, its arguments in two deltas."""
    text = json.dumps(arguments, ensure_ascii=False)
    middle = len(text) // 2
    return Reply(
        (
            ToolCall(0, id, name),
            ToolCall(0, arguments=text[:middle]),
            ToolCall(0, arguments=text[middle:]),
            Finish("tool_calls"),
            Done(),
        )
    )


def half_tool_call(name: str = "lookup", arguments: str = '{"order": 48') -> Reply:
    """Return a tool call whose arguments break off, though the stream ends properly."""
    return Reply((ToolCall(0, "call_1", name), ToolCall(0, arguments=arguments), Finish(), Done()))


def only_reasoning(text: str = "Let me think about it.") -> Reply:
    """Return an answer that thinks and says nothing."""
    return Reply((Reasoning(text), Finish(), Done()))


def empty() -> Reply:
    """Return an answer without any text."""
    return Reply((Finish(), Done()))


def without_done(text: str) -> Reply:
    """Return an answer whose stream ends without its end mark and without a finish reason."""
    return Reply((Text(text),))


def malformed(before: str = "") -> Reply:
    """Return a stream with a line that is not JSON."""
    return Reply((Text(before), Raw(b'data: {"choices": [{"delta"\n\n'), Done()))


def error_in_stream(before: str = "", message: str = "The server had an error.") -> Reply:
    """Return an error object in the middle of a stream of status 200."""
    body = {"error": {"message": message, "type": "server_error", "code": 500}}
    return Reply((Text(before), StreamError(body)))


def reset(before: str = "") -> Reply:
    """Return a connection that breaks after some text."""
    return Reply((Text(before), Reset()) if before else (Reset(),))


def silence(before: str = "") -> Reply:
    """Return nothing more after some text, or nothing at all, not even a status line."""
    if before:
        return Reply((Text(before), Silence()))
    return Reply((), head_gate="never opened")


def http_error(status: int, body: Any, **headers: str) -> Reply:
    """Return an error status; a body that is not bytes is sent as JSON."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status=status, body=data, headers={"content-type": "application/json", **named})


def openai_error(status: int, message: str, code: str | None, **headers: str) -> Reply:
    """Return an error in the shape that OpenAI's API has."""
    error = {"message": message, "type": "invalid_request_error", "param": None, "code": code}
    return http_error(status, {"error": error}, **headers)


def rate_limited(*, retry_after_s: float = 1) -> Reply:
    """Return status 429 with its Retry-After header."""
    return openai_error(
        429, "Rate limit reached.", "rate_limit_exceeded", retry_after=f"{retry_after_s:g}"
    )


def server_error() -> Reply:
    """Return status 500."""
    return openai_error(500, "The server had an error.", None)


def unauthorized() -> Reply:
    """Return status 401."""
    return openai_error(401, "Incorrect API key provided.", "invalid_api_key")


def unknown_model(model: str = "nobody") -> Reply:
    """Return status 404 for a model that is not there."""
    return openai_error(404, f"The model `{model}` does not exist.", "model_not_found")


def overflow(shape: str = "openai") -> Reply:
    """Return status 400 for a prompt over the window, in the shape of one kind of server.

    Args:
        shape: openai, llama.cpp, or vllm.
    """
    return http_error(400, OVERFLOW_BODIES[shape])


OVERFLOW_BODIES: dict[str, dict[str, Any]] = {
    "openai": {
        "error": {
            "message": "This model's maximum context length is 16384 tokens. However, your "
            "messages resulted in 40030 tokens.",
            "type": "invalid_request_error",
            "param": "messages",
            "code": "context_length_exceeded",
        }
    },
    "llama.cpp": {
        "error": {
            "code": 400,
            "message": "request (40030 tokens) exceeds the available context size (16384 tokens)"
            ", try increasing it",
            "type": "exceed_context_size_error",
            "n_prompt_tokens": 40030,
            "n_ctx": 16384,
        }
    },
    "vllm": {
        "object": "error",
        "message": "This model's maximum context length is 16384 tokens. However, you requested "
        "40030 tokens.",
        "type": "BadRequestError",
        "param": None,
        "code": 400,
    },
}
