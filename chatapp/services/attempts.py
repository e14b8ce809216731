"""Prepares an attempt: loads the state, plans the request, stores both before anything is sent."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from uuid import UUID

from django.db import transaction

from chatapp.clock import now_ms
from chatapp.ids import new_id
from chatapp.keyring import keys_of
from chatapp.services import windows
from chatapp.services.fitting import Fitted, fitted
from chatapp.services.outcomes import Fenced, TextNeeded
from chatapp.services.planning import Planned, is_stored, missing_of
from chatapp.store import attempts, turns
from chatapp.store.contexts import PathContext, read_context
from chatapp.wiring import chat_template
from statecore.context.plan import DoesNotFit
from statecore.models import ModelSpec
from statecore.requests import Request
from statecore.routing.windows import LearnedWindow
from statecore.tokens import Count, CountKey, Quality


@dataclass(frozen=True, slots=True)
class Prepared:
    """An attempt that is stored and ready to be sent."""

    attempt_id: UUID
    request: Request
    prompt_tokens: int
    quality: Quality
    model: ModelSpec
    """As it is planned for: with the window that its provider takes."""


def attempt_prepare(
    turn_id: UUID,
    *,
    owner: UUID,
    model: ModelSpec,
    fresh: Mapping[CountKey, Count],
    window: LearnedWindow | None = None,
) -> Prepared | TextNeeded | DoesNotFit | Fenced:
    """Plan the next attempt of a running turn and store it with its inputs.

    Args:
        turn_id: the turn.
        owner: the process that runs it.
        model: whom to ask, as its entry says.
        fresh: counts that an earlier TextNeeded asked for; they are kept.
        window: to plan for; None for the one that the model's provider is known to take.
    """

    def read(spec: ModelSpec) -> PathContext | None:
        return read_context(turn_id, owner, model=spec, keys_of=keys_of)

    found = fitted(model, read, fresh, window)
    if found is None:
        return Fenced()
    outcome = found.outcome
    return _store(turn_id, found, outcome, model) if isinstance(outcome, Planned) else outcome


def _store(turn_id: UUID, found: Fitted, outcome: Planned, model: ModelSpec) -> Prepared:
    context, plan = found.context, outcome.plan
    calibration = replace(
        outcome.calibration,
        windows=windows.kept(model, found.window, context.windows),
        window=None if found.model == model else found.window,
    )
    attempt = attempts.PlannedAttempt(
        attempt_id=new_id(),
        turn_id=turn_id,
        ordinal=context.attempts + 1,
        conversation_id=context.conversation_id,
        parent_id=context.parent_id,
        as_of_seq=context.as_of_seq,
        model=found.model,
        template=chat_template(),
        previous=context.previous,
        plan=plan,
        now_ms=now_ms(),
        before=context.before,
        missing=missing_of(plan, context),
        calibration=calibration,
    )
    with transaction.atomic():
        turns.insert_counts({key: made for key, made in outcome.fresh.items() if is_stored(key)})
        attempts.insert_attempt(attempt, context.keys)
    return Prepared(attempt.attempt_id, plan.request, plan.prompt_tokens, plan.quality, found.model)
