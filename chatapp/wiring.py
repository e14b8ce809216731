"""Which adapter serves which port; the only place that names adapters, overridden in tests."""

from collections.abc import AsyncGenerator, Sequence

from chatapp.llm import labelling, openai_chat
from chatapp.llm.labelling import LabelAnswer
from chatapp.llm.openai_chat import (
    AttemptFailed,
    Endpoint,
    close_clients,
    warm_client,
)
from chatapp.llm.registry import ModelState, Registry, default_registry
from chatapp.llm.templates import chat_template, label_prompt, template_of
from chatapp.llm.tokenizers import count_here, count_reference
from statecore.memory.labels import LabelQuestion
from statecore.models import ModelSpec
from statecore.requests import Request
from statecore.routing.stream import Event
from statecore.tokens import Count

__all__ = [
    "AttemptFailed",
    "LabelAnswer",
    "ask_labels",
    "chat_template",
    "close_clients",
    "count_here",
    "count_reference",
    "count_tokens",
    "label_prompt",
    "model_status",
    "registry",
    "stream_chat",
    "template_of",
    "warm_client",
]


def registry() -> Registry:
    """Return the models of this installation."""
    return default_registry()


def model_status(spec: ModelSpec) -> ModelState:
    """Return whether the server of a model can be asked now."""
    return registry().state_of(spec)


def endpoint_of(spec: ModelSpec) -> Endpoint:
    """Return where a model answers now."""
    base_url, api_key = registry().endpoint_of(spec)
    return Endpoint(base_url, api_key)


def stream_chat(request: Request, spec: ModelSpec) -> AsyncGenerator[Sequence[Event]]:
    """Return the events of one streamed answer."""
    return openai_chat.stream_chat(request, spec, endpoint_of(spec))


async def ask_labels(question: LabelQuestion, spec: ModelSpec) -> LabelAnswer:
    """Return what a memory model answers to one question."""
    return await labelling.ask_labels(question, spec, endpoint_of(spec))


async def count_tokens(spec: ModelSpec, texts: Sequence[str]) -> list[Count]:
    """Return token counts: by the model's own server where it can count, else an estimate."""
    counts = await openai_chat.count_at_server(spec, endpoint_of(spec), texts)
    return counts if counts is not None else count_here(texts, spec.tokenizer)
