"""Asks a memory model to label sentences: one call that does not stream, with a client of its own.

A worker gives every task an event loop of its own, and a connection must not outlive its loop.
"""

import json
from dataclasses import dataclass
from typing import Any, TypeGuard

from chatapp.llm.openai_chat import (
    AttemptFailed,
    Endpoint,
    failures_named,
    new_client,
)
from statecore.memory.labels import LabelQuestion
from statecore.models import ModelSpec
from statecore.requests import RequestMessage
from statecore.routing.failures import FailureReason
from statecore.routing.stream import UsageSeen
from statecore.routing.surrogates import whole_characters
from statecore.routing.wire import limit_name, wire_message

OUTPUT_TOKEN_S = 0.2
"""How long one token of the answer may take; the slowest processor that is any use."""

MAX_TOKENS = 10_000_000
"""A provider that says more has miscounted."""


@dataclass(frozen=True, slots=True)
class LabelAnswer:
    """What a memory model answered."""

    text: str
    """As it came; nobody has checked it."""
    usage: UsageSeen | None
    """None when the provider did not say."""


async def ask_labels(question: LabelQuestion, model: ModelSpec, endpoint: Endpoint) -> LabelAnswer:
    """Return the answer to one question.

    Cancelling closes the connection, which cancels the call at the provider.

    Raises:
        AttemptFailed: when the provider refuses, breaks off, is too slow or cannot be reached.
    """
    client = new_client(endpoint, model.limits.connect_ms / 1000, limit_s(question, model))
    async with client:
        with failures_named():
            response = await client.chat.completions.with_raw_response.create(
                model=model.remote_name, messages=(), extra_body=label_request(question, model)
            )
            return _answer(response.http_response.content)


def label_request(question: LabelQuestion, model: ModelSpec) -> dict[str, Any]:
    """Return the body that is sent; a schema only where the model keeps to one."""
    messages = (RequestMessage("system", question.system), RequestMessage("user", question.user))
    body: dict[str, Any] = {
        "model": model.remote_name,
        "messages": [wire_message(message, model) for message in messages],
        "temperature": 0,
        limit_name(model): question.max_output_tokens,
    }
    if "json_schema" in model.abilities:
        schema = {"name": "labels", "strict": True, "schema": question.schema}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    return body


def limit_s(question: LabelQuestion, model: ModelSpec) -> float:
    """Return how long the whole answer may take: it comes in one piece, after a silence."""
    limits = model.limits
    rate = limits.prefill_tokens_per_s
    # No text has more tokens than bytes, and few have more than half of its characters.
    prefill_s = (len(question.system) + len(question.user)) / 2 / rate if rate else 0.0
    return (
        limits.first_token_base_ms / 1000 + prefill_s + question.max_output_tokens * OUTPUT_TOKEN_S
    )


def _answer(body: bytes) -> LabelAnswer:
    try:
        document = json.loads(body)
        text = document["choices"][0]["message"]["content"] or ""
        usage = _usage(document.get("usage"))
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        detail = "The answer is no chat completion."
        raise AttemptFailed(FailureReason.BAD_FORMAT, detail, None) from None
    return LabelAnswer(whole_characters(str(text)), usage)


def _usage(found: Any) -> UsageSeen | None:  # noqa: ANN401  # JSON is what it is
    """Return the usage, or None for what cannot be one: it must not cost the answer."""
    if not isinstance(found, dict):
        return None
    prompt, completion = found.get("prompt_tokens"), found.get("completion_tokens")
    if not (_is_count(prompt) and _is_count(completion)):
        return None
    details = found.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else None
    return UsageSeen(prompt, completion, cached if _is_count(cached) else None)


def _is_count(found: object) -> TypeGuard[int]:
    return isinstance(found, int) and 0 <= found <= MAX_TOKENS
