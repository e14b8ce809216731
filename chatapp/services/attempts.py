"""Prepares an attempt: loads the state, plans the request, stores both before anything is sent."""

from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from chatapp.clock import now_ms
from chatapp.ids import new_id
from chatapp.keyring import SpaceKeys, keys_of
from chatapp.models import Turn
from chatapp.services.outcomes import Fenced, TextNeeded
from chatapp.store import attempts, paths, turns
from chatapp.wiring import chat_template, count_here
from statecore.context.plan import (
    ContextPlan,
    DoesNotFit,
    NeedCounts,
    PathTurn,
    Previous,
    State,
    plan,
)
from statecore.models import ModelSpec
from statecore.requests import Request
from statecore.tokens import Count, CountKey

LOAD_FACTOR = 1.5
"""How many reference tokens to read for a window: other tokenizers may need fewer for a text."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """An attempt that is stored and ready to be sent."""

    attempt_id: UUID
    request: Request
    prompt_tokens: int


@dataclass(frozen=True, slots=True)
class _Loaded:
    turn: Turn
    keys: SpaceKeys
    state: State
    counts: dict[CountKey, Count]
    previous: Previous | None


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
    loaded = _load(turn_id, owner, model)
    if loaded is None:
        return Fenced()
    now = now_ms()
    counts = loaded.counts | {
        CountKey(message_id, model.tokenizer): count for message_id, count in fresh.items()
    }
    planned = plan(loaded.state, model, chat_template(), counts, now, loaded.previous)
    if isinstance(planned, NeedCounts):
        texts = dict(zip((key.message_id for key in planned.keys), planned.texts, strict=True))
        if model.tokenizer.startswith("server"):
            return TextNeeded(texts)
        here = dict(zip(texts, count_here(list(texts.values()), model.tokenizer), strict=True))
        return attempt_prepare(turn_id, owner=owner, model=model, fresh=fresh | here)
    if isinstance(planned, DoesNotFit):
        return planned
    return _store(loaded, planned, model, fresh, now)


def _load(turn_id: UUID, owner: UUID, model: ModelSpec) -> _Loaded | None:
    turn = (
        Turn.objects.select_related("conversation", "parent")
        .filter(pk=turn_id, owner_id=owner, status="running")
        .first()
    )
    if turn is None or turn.input_message_id is None:
        return None
    keys = keys_of(turn.conversation.key_space_id)
    nodes = paths.walk(turn.parent_id, budget_tokens=int(model.window_tokens * LOAD_FACTOR))
    nodes.reverse()
    by_turn = paths.messages_of(nodes, keys)
    first = nodes[0] if nodes else None
    state = State(
        system=paths.system_message(turn.conversation_id, turn.accepted_seq, keys),
        turns=tuple(PathTurn(str(node.id), node.depth, by_turn[node.id]) for node in nodes),
        input=paths.message_by_id(turn.input_message_id, keys),
        earlier_turns=first.depth - 1 if first else 0,
        earlier_tokens=_tokens_before(first) if first else 0,
    )
    ids = [message.id for each in state.turns for message in each.messages] + [state.input.id]
    if state.system:
        ids.append(state.system.id)
    return _Loaded(
        turn=turn,
        keys=keys,
        state=state,
        counts=paths.counts_of(ids, model.tokenizer),
        previous=attempts.previous_of(turn.parent_id),
    )


def _tokens_before(first: paths.TurnNode) -> int:
    # The running sum of the first loaded turn includes the turn itself; an upper bound is enough.
    return first.total_reference_tokens if first.parent_id else 0


def _store(
    loaded: _Loaded,
    planned: ContextPlan,
    model: ModelSpec,
    fresh: dict[str, Count],
    now: int,
) -> Prepared:
    attempt_id = new_id()
    turn = loaded.turn
    attempt = attempts.PlannedAttempt(
        attempt_id=attempt_id,
        turn_id=turn.id,
        conversation_id=turn.conversation_id,
        parent_id=turn.parent_id,
        as_of_seq=turn.accepted_seq,
        model=model,
        template=chat_template(),
        previous=loaded.previous,
        plan=planned,
        now_ms=now,
    )
    with transaction.atomic():
        for message_id, count in fresh.items():
            if _is_stored(message_id):
                turns.insert_counts(UUID(message_id), {model.tokenizer: count})
        attempts.insert_attempt(attempt, loaded.keys)
    return Prepared(attempt_id, planned.request, planned.prompt_tokens)


def _is_stored(message_id: str) -> bool:
    try:
        UUID(message_id)
    except ValueError:
        return False
    return True
