"""Prepares an attempt: loads the state, plans the request, stores both before anything is sent."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from chatapp.clock import now_ms
from chatapp.ids import new_id
from chatapp.keyring import keys_of
from chatapp.services.outcomes import Fenced, TextNeeded
from chatapp.services.planning import Planned, is_stored, missing_of, planned
from chatapp.store import attempts, turns
from chatapp.store.contexts import PathContext, read_context
from chatapp.wiring import chat_template
from statecore.context.plan import DoesNotFit
from statecore.models import ModelSpec
from statecore.requests import Request
from statecore.tokens import Count, CountKey


@dataclass(frozen=True, slots=True)
class Prepared:
    """An attempt that is stored and ready to be sent."""

    attempt_id: UUID
    request: Request
    prompt_tokens: int


def attempt_prepare(
    turn_id: UUID, *, owner: UUID, model: ModelSpec, fresh: Mapping[CountKey, Count]
) -> Prepared | TextNeeded | DoesNotFit | Fenced:
    """Plan the next attempt of a running turn and store it with its inputs.

    Args:
        turn_id: the turn.
        owner: the process that runs it.
        model: whom to ask.
        fresh: counts that an earlier TextNeeded asked for; they are kept.
    """
    context = read_context(turn_id, owner, model=model, keys_of=keys_of)
    if context is None:
        return Fenced()
    now = now_ms()
    outcome = planned(context, model, fresh)
    return (
        _store(turn_id, context, outcome, model, now) if isinstance(outcome, Planned) else outcome
    )


def _store(
    turn_id: UUID, context: PathContext, found: Planned, model: ModelSpec, now: int
) -> Prepared:
    attempt = attempts.PlannedAttempt(
        attempt_id=new_id(),
        turn_id=turn_id,
        ordinal=context.attempts + 1,
        conversation_id=context.conversation_id,
        parent_id=context.parent_id,
        as_of_seq=context.as_of_seq,
        model=model,
        template=chat_template(),
        previous=context.previous,
        plan=found.plan,
        now_ms=now,
        before=context.before,
        missing=missing_of(found.plan, context.state.memory),
        calibration=found.calibration,
    )
    with transaction.atomic():
        turns.insert_counts({key: made for key, made in found.fresh.items() if is_stored(key)})
        attempts.insert_attempt(attempt, context.keys)
    return Prepared(attempt.attempt_id, found.plan.request, found.plan.prompt_tokens)
