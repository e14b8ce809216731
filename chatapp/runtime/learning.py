"""Learns turns: the oldest that waits first, by rules and the labels of a memory model."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

from django.db import DatabaseError

from chatapp import broadcast
from chatapp.runtime.giving_way import giving_way
from chatapp.runtime.pool import in_pool
from chatapp.services.learning import (
    TRIES,
    Piece,
    Verdict,
    learning_due,
    learning_keep,
    learning_next,
    learning_put_off,
    learning_renew,
    learning_write,
)
from chatapp.services.memory_models import is_answering_here
from chatapp.wiring import AttemptFailed, LabelAnswer, ask_labels
from statecore.memory.labels import LabelQuestion
from statecore.models import ModelSpec
from statecore.routing.failures import FailureReason

logger = logging.getLogger(__name__)

RENEW_S = 5.0
ASKS = 2
"""How often a model is asked that answers what cannot be read."""
HOPELESS = frozenset({FailureReason.CONTENT_FILTER, FailureReason.CONTEXT_OVERFLOW})
"""The same question would fail again, however long one waits."""


async def learn(turn_id: UUID) -> int:
    """Learn what waits on the path of a turn, oldest first, and return how many turns it was."""
    learned = 0
    while (piece := await in_pool(learning_next, turn_id)) is not None:
        try:
            verdict = await verdict_on(piece)
            written = verdict is not None and await _written(piece, verdict)
        except Exception:
            await in_pool(learning_put_off, piece)
            raise
        if verdict is None:
            break
        if written:
            learned += 1
            await broadcast.memory_changed(piece.conversation_id)
    return learned


async def _written(piece: Piece, verdict: Verdict) -> bool:
    """Write what a turn taught; labels that fail for ever stop no later turn."""
    try:
        return await in_pool(learning_write, piece, verdict)
    except Exception:
        if verdict.labels is None or piece.tries < TRIES:
            raise
        logger.exception("Turn %s is learned by rules alone", piece.turn_id)
        return await in_pool(learning_write, piece, Verdict(None, note="unreadable"))


async def learn_waiting() -> int:
    """Learn what the outbox has, and return how many turns it was; one fault stops no other."""
    learned = 0
    for turn_id in await in_pool(learning_due):
        try:
            learned += await learn(turn_id)
        except Exception:
            logger.exception("Turn %s could not be learned", turn_id)
    return learned


async def verdict_on(piece: Piece) -> Verdict | None:
    """Return what memory of a turn is made from; None when it was put off."""
    question, model = piece.question, piece.chosen.model
    if question is None:
        return Verdict(None, note="settled")
    if model is None:
        return Verdict(None, note="no_model")
    if piece.kept is not None:
        return Verdict(piece.kept, model.name)
    if not piece.chosen.is_ready:
        return await _later(piece)
    async with _held(piece):
        return await _asked(piece, question, model)


async def _asked(piece: Piece, question: LabelQuestion, model: ModelSpec) -> Verdict | None:
    for _ in range(ASKS):
        try:
            answer = await _ask(question, model)
        except AttemptFailed as error:
            logger.warning("Turn %s was not labelled: %s", piece.turn_id, error.reason)
            if error.reason in HOPELESS:
                return Verdict(None, note="model_unavailable")
            return await _later(piece, error.retry_after_s or 0.0)
        labels = await in_pool(learning_keep, piece, question, model, answer)
        if labels is not None:
            return Verdict(labels, model.name)
    return Verdict(None, note="unreadable")


async def _ask(question: LabelQuestion, model: ModelSpec) -> LabelAnswer:
    if not model.local:
        return await ask_labels(question, model)
    return await giving_way(lambda: ask_labels(question, model), lambda: in_pool(is_answering_here))


async def _later(piece: Piece, at_least_s: float = 0.0) -> Verdict | None:
    """Put a turn off, or let rules decide alone where that was done often enough."""
    if piece.tries >= TRIES:
        return Verdict(None, note="model_unavailable")
    await in_pool(learning_put_off, piece, int(at_least_s * 1000))
    return None


@asynccontextmanager
async def _held(piece: Piece) -> AsyncIterator[None]:
    """Keep the claim of a piece while a model works at it."""
    renewing = asyncio.create_task(_keep_renewing(piece))
    try:
        yield
    finally:
        renewing.cancel()
        await asyncio.wait({renewing})


async def _keep_renewing(piece: Piece) -> None:
    held_ms: int | None = piece.held_ms
    while held_ms is not None:
        await asyncio.sleep(RENEW_S)
        try:
            held_ms = await in_pool(learning_renew, piece, held_ms)
        except DatabaseError:
            # Whoever takes the piece over pays a second time, and only one of both can write.
            logger.exception("The claim of turn %s could not be renewed", piece.turn_id)
