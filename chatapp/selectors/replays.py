"""Reads what can be replayed, and what replays have found."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count, Q

from chatapp.access import Access, Owner
from chatapp.models import Branch, Conversation, ReplayRun
from chatapp.selectors.turns import turn_row
from chatapp.store import conversations, paths, replays
from chatapp.store.branches import viewed_branch

RUNS_SHOWN = 50
MOST_SHOWN = 500

EVER = 1 << 30
"""No path has so many turns."""


def path_tip(access: Access) -> UUID | None:
    """Return the newest turn of the branch that is looked at; None for an empty one."""
    return viewed_branch(access).tip_id


def has_branch(access: Access) -> bool:
    """Return whether the branch that an access names is one of its conversation."""
    rows = Branch.objects.filter(
        conversation=access.conversation, pk=access.branch_id or UUID(int=0)
    )
    return rows.exists()


def has_turn(access: Access, turn_id: UUID) -> bool:
    """Return whether a turn lies on the path of the branch that is looked at."""
    tip = path_tip(access)
    return any(
        node.id == turn_id for node in paths.walk(tip, budget_tokens=1 << 60, max_turns=EVER)
    )


def recorded_answer(access: Access, turn_id: UUID) -> str | None:
    """Return what the assistant answered in a turn; None where it has not."""
    row = turn_row(access, turn_id)
    return None if row is None else row.answer_text


def replayable(user_id: int | None = None) -> list[UUID]:
    """Return the conversations in which something was said, of one user or of all."""
    rows = Conversation.objects.filter(deleted_ms=None, temporary=False)
    rows = rows.filter(turns__status="committed").distinct()
    if user_id is not None:
        rows = rows.filter(key_space__owner_id=user_id)
    return list(rows.order_by("updated_ms", "id").values_list("id", flat=True))


@dataclass(frozen=True, slots=True)
class ReplayRow:
    """One replay of many conversations."""

    id: UUID
    name: str
    status: str
    done: int
    total: int
    is_cancelling: bool
    created_ms: int
    ended_ms: int | None
    detail: str
    template: str
    """Text of the template that was tried; empty for that of each turn."""
    strategy: str
    model: str
    tuning: tuple[str, ...]
    """Bounds of the planner that were tried, as in `tier1=0.6`."""
    report: tuple[dict[str, Any], ...]
    """What was found, a conversation after another; empty in a list."""


@dataclass(frozen=True, slots=True)
class Replayable:
    """A conversation that can be replayed."""

    id: UUID
    title: str
    turns: int


def replay_rows(owner: Owner) -> tuple[ReplayRow, ...]:
    """Return the newest replays of a person, without what they found."""
    runs = ReplayRun.objects.filter(key_space_id=owner.keys.id).order_by("-created_ms", "-id")
    return tuple(_row(run, owner) for run in runs.defer("report")[:RUNS_SHOWN])


def replay_row(owner: Owner, run_id: UUID) -> ReplayRow | None:
    """Return one replay with what it found so far; None when the person has no such."""
    run = ReplayRun.objects.filter(pk=run_id, key_space_id=owner.keys.id).first()
    return None if run is None else _row(run, owner, replays.report_of(run, owner.keys))


def _row(run: ReplayRun, owner: Owner, report: Sequence[dict[str, Any]] = ()) -> ReplayRow:
    order = replays.order_of(run, owner.keys)
    return ReplayRow(
        id=run.id,
        name=order["name"],
        status=run.status,
        done=run.done,
        total=run.total,
        is_cancelling=run.cancel_requested and run.ended_ms is None,
        created_ms=run.created_ms,
        ended_ms=run.ended_ms,
        detail=run.detail,
        template=order["template"],
        strategy=order["strategy"],
        model=order["model"],
        tuning=tuple(order.get("tuning", ())),
        report=tuple(report),
    )


def replayable_rows(owner: Owner) -> tuple[Replayable, ...]:
    """Return the newest conversations of a person in which something was said."""
    rows = Conversation.objects.filter(key_space_id=owner.keys.id, deleted_ms=None, temporary=False)
    counted = rows.annotate(
        committed=Count("turns", filter=Q(turns__status="committed")),
    ).filter(committed__gt=0)
    return tuple(
        Replayable(row.id, conversations.title_of(row, owner.keys) or "", row.committed)
        for row in counted.order_by("-updated_ms", "-id")[:MOST_SHOWN]
    )


def titles(owner: Owner, names: Iterable[str]) -> dict[str, str]:
    """Return the titles of conversations of a person, by id; what is gone is left out."""
    ids = [UUID(name) for name in names]
    rows = Conversation.objects.filter(key_space_id=owner.keys.id, pk__in=ids, deleted_ms=None)
    return {str(row.id): conversations.title_of(row, owner.keys) or "" for row in rows}
