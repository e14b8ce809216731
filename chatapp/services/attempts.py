"""Prepares an attempt: loads the state, plans the request, stores both before anything is sent."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from chatapp.clock import now_ms
from chatapp.ids import new_id
from chatapp.keyring import keys_of
from chatapp.services.outcomes import Fenced, TextNeeded
from chatapp.store import attempts, turns
from chatapp.store.contexts import TurnContext, read_context
from chatapp.wiring import chat_template, count_here
from statecore.context.plan import ContextPlan, DoesNotFit, NeedCounts, Planner
from statecore.models import ModelSpec
from statecore.requests import Request
from statecore.tokens import Count, CountKey

LOAD_FACTOR = 1.5
"""How many reference tokens to read for a window: other tokenizers may need fewer for a text."""


KNOWN_COUNTS = 1_000
"""How many counts of texts that are no messages a process keeps."""

_known: dict[CountKey, Count] = {}


@dataclass(frozen=True, slots=True)
class Prepared:
    """An attempt that is stored and ready to be sent."""

    attempt_id: UUID
    request: Request
    prompt_tokens: int


def attempt_prepare(
    turn_id: UUID, *, owner: UUID, model: ModelSpec, fresh: dict[str, Count]
) -> Prepared | TextNeeded | DoesNotFit | Fenced:
    """Plan the next attempt of a running turn and store it with its inputs.

    Args:
        turn_id: the turn.
        owner: the process that runs it.
        model: whom to ask.
        fresh: counts by message id that an earlier TextNeeded asked for; they are kept.
    """
    context = read_context(
        turn_id,
        owner,
        tokenizer=model.tokenizer,
        budget_tokens=int(model.window_tokens * LOAD_FACTOR),
        keys_of=keys_of,
    )
    if context is None:
        return Fenced()
    now = now_ms()
    fresh = dict(fresh)
    planner = Planner(context.state, model, chat_template(), context.previous)
    while True:
        counts = _known | context.counts | _keyed(fresh, model)
        planned = planner.plan(counts)
        if not isinstance(planned, NeedCounts):
            break
        texts = dict(zip((key.message_id for key in planned.keys), planned.texts, strict=True))
        if model.tokenizer.startswith("server"):
            return TextNeeded(texts)
        fresh |= dict(zip(texts, count_here(list(texts.values()), model.tokenizer), strict=True))
    if isinstance(planned, DoesNotFit):
        return planned
    _remember(fresh, model)
    return _store(context, planned, model, fresh, now)


def _keyed(fresh: Mapping[str, Count], model: ModelSpec) -> dict[CountKey, Count]:
    return {CountKey(text_id, model.tokenizer): count for text_id, count in fresh.items()}


def _remember(fresh: Mapping[str, Count], model: ModelSpec) -> None:
    """Keep the counts of texts that are no messages; their ids say what the text is."""
    if len(_known) > KNOWN_COUNTS:
        _known.clear()
    _known.update(
        _keyed({id_: count for id_, count in fresh.items() if not _is_stored(id_)}, model)
    )


def _store(
    context: TurnContext, planned: ContextPlan, model: ModelSpec, fresh: dict[str, Count], now: int
) -> Prepared:
    attempt = attempts.PlannedAttempt(
        attempt_id=new_id(),
        turn_id=context.turn_id,
        ordinal=context.attempts + 1,
        conversation_id=context.conversation_id,
        parent_id=context.parent_id,
        as_of_seq=context.as_of_seq,
        model=model,
        template=chat_template(),
        previous=context.previous,
        plan=planned,
        now_ms=now,
    )
    with transaction.atomic():
        for message_id, count in fresh.items():
            if _is_stored(message_id):
                turns.insert_counts(UUID(message_id), {model.tokenizer: count})
        attempts.insert_attempt(attempt, context.keys)
    return Prepared(attempt.attempt_id, planned.request, planned.prompt_tokens)


def _is_stored(message_id: str) -> bool:
    """Return whether an id is that of a message; the template's texts have others."""
    try:
        UUID(message_id)
    except ValueError:
        return False
    return True
