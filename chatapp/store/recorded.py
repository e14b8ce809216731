"""Reads the plans of a path as they were stored: what each saw, and what it sent."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final
from uuid import UUID

from chatapp.keyring import SpaceKeys
from chatapp.models import Attempt, Message, Turn
from chatapp.store import attempts, paths
from chatapp.store.contexts import Moment, previous_of
from statecore.context.manifest import message_ids
from statecore.models import ModelSpec, spec_from_document
from statecore.requests import Request
from statecore.templates import Template, template_from_document

TURNS_AT_ONCE: Final = 64

_OF_HISTORY: Final = frozenset({"kept", "digested"})


@dataclass(frozen=True, slots=True)
class StoredPlan:
    """One plan, and the request that came of it."""

    attempt_id: UUID
    ordinal: int
    moment: Moment
    model: ModelSpec
    template: Template
    strategy: str
    planner_version: int
    tier: int
    prompt_tokens: int
    """As planned, in the tokens of its model."""
    message_ids: tuple[str, ...]
    """Messages of the history in it, word for word or shortened."""
    request: Request
    is_proven: bool
    """Whether the commitment made before it was sent is that of `request`."""
    has_erased: bool
    """Whether a message in it was redacted since."""


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """One turn of a path with its plans."""

    turn_id: UUID
    parent_id: UUID | None
    depth: int
    plans: tuple[StoredPlan, ...]
    """In the order in which they were made; none where no request was made."""


def stored_turns(tip: UUID | None, keys: SpaceKeys) -> Iterator[StoredTurn]:
    """Yield the turns of a path with their plans, the first one first; three queries for many.

    Args:
        tip: the newest turn; None for an empty path.
        keys: of the owner.
    """
    walked = paths.walk(tip, budget_tokens=1 << 60, max_turns=1 << 30)
    yield from _with_plans(((node.id, node.parent_id, node.depth) for node in walked[::-1]), keys)


def stored_tree(conversation_id: UUID, keys: SpaceKeys) -> Iterator[StoredTurn]:
    """Yield the turns of all branches with their plans, each once and after its parent.

    Args:
        conversation_id: the conversation.
        keys: of the owner.
    """
    turns = Turn.objects.filter(conversation=conversation_id, status="committed")
    ordered = turns.order_by("depth", "accepted_seq").values_list("id", "parent_id", "depth")
    yield from _with_plans(ordered.iterator(), keys)


def _with_plans(
    turns: Iterable[tuple[UUID, UUID | None, int]], keys: SpaceKeys
) -> Iterator[StoredTurn]:
    waiting = iter(turns)
    while some := list(islice(waiting, TURNS_AT_ONCE)):
        rows = Attempt.objects.filter(turn__in=[turn[0] for turn in some]).order_by("ordinal")
        by_turn: dict[UUID, list[Attempt]] = {}
        for row in rows.select_related("plan_input__model", "plan_input__template"):
            by_turn.setdefault(row.turn_id, []).append(row)
        for turn_id, parent_id, depth in some:
            plans = tuple(_plan(row, keys) for row in by_turn.get(turn_id, ()))
            yield StoredTurn(turn_id, parent_id, depth, plans)


def _plan(row: Attempt, keys: SpaceKeys) -> StoredPlan:
    inputs = row.plan_input
    result: dict[str, Any] = inputs.result or {}
    request, is_proven, has_erased = _request(row, keys)
    return StoredPlan(
        attempt_id=row.id,
        ordinal=row.ordinal,
        moment=Moment(inputs.as_of_seq, previous_of(inputs.previous)),
        model=spec_from_document(inputs.model.body),
        template=template_from_document(inputs.template.body),
        strategy=result.get("strategy", "elastic"),
        planner_version=inputs.planner_version,
        tier=result["tier"],
        prompt_tokens=result["planned_tokens"],
        message_ids=tuple(history_ids(row.segments)),
        request=request,
        is_proven=is_proven,
        has_erased=has_erased,
    )


def _request(row: Attempt, keys: SpaceKeys) -> tuple[Request, bool, bool]:
    blocks = attempts.stored_blocks(row, keys)
    wanted = [UUID(name) for name in message_ids(blocks)]
    columns = ("id", "turn_id", "role", "body", "created_ms", "redacted_ms")
    found = list(Message.objects.filter(pk__in=wanted).values_list(*columns))
    messages = {str(one[0]): paths.decode_row(one, "", keys) for one in found}
    request, is_proven = attempts.stored_request(row, blocks, messages, keys)
    return request, is_proven, any(one[5] is not None for one in found)


def history_ids(segments: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield the ids of the messages that segments say were sent, word for word or shortened."""
    for segment in segments:
        if segment["kind"] == "message" and segment["decision"] in _OF_HISTORY:
            yield from segment["source_ids"]
