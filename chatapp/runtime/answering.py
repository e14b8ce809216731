"""Asks models outside any turn: a planned request once more, or for token counts."""

from collections.abc import Sequence
from contextlib import aclosing

from asgiref.sync import async_to_sync

from chatapp.runtime.reading import Reading
from chatapp.wiring import count_tokens, stream_chat
from statecore.models import ModelSpec
from statecore.requests import Request
from statecore.tokens import Count


async def answered(request: Request, model: ModelSpec) -> str:
    """Return the answer of a model to a request; nothing of it is stored.

    Raises:
        AttemptFailed: when it gives none.
    """
    reading = Reading()
    async with aclosing(stream_chat(request, model)) as groups:
        texts = [reading.take(events) async for events in groups]
    return "".join(text for text in texts if text)


def counted(model: ModelSpec, texts: Sequence[str]) -> Sequence[Count]:
    """Return token counts, for callers outside an event loop; see `wiring.count_tokens`."""
    return async_to_sync(count_tokens)(model, texts)
