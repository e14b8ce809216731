"""Reads which other versions there are of the inputs and answers of a page of turns."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Q

from chatapp.access import Access
from chatapp.models import Turn


@dataclass(frozen=True, slots=True)
class Step:
    """Where one version stands among all that follow the same turn."""

    number: int
    """Counts from 1, the oldest first."""
    count: int
    previous: UUID | None
    """A turn that shows the version before; None at the first."""
    next: UUID | None
    """A turn that shows the version after; None at the last."""


@dataclass(frozen=True, slots=True)
class Siblings:
    """The other versions beside a turn."""

    inputs: Step | None = None
    """Other things that were said there; None where nothing else was."""
    answers: Step | None = None
    """Other answers to the same input; None where there is no other."""


ALONE = Siblings()


@dataclass(frozen=True, slots=True)
class _Row:
    id: UUID
    input_id: UUID | None


def siblings_of(access: Access, turns: Sequence[Turn]) -> dict[UUID, Siblings]:
    """Return for each turn what stands beside it; one query for all of them.

    Siblings are committed or running; what broke off counts on its own line only.
    """
    parents = {turn.parent_id for turn in turns}
    after = Q(parent__in=[parent for parent in parents if parent])
    if None in parents:
        after |= Q(parent=None, depth=1)
    own = Q(pk__in=[turn.id for turn in turns])
    rows = (
        Turn.objects.filter(after, conversation=access.conversation)
        .filter(Q(status__in=("committed", "running")) | own)
        .order_by("accepted_seq", "id")
        .values_list("id", "parent_id", "input_message_id", "status")
    )
    by_parent: defaultdict[UUID | None, list[tuple[Any, ...]]] = defaultdict(list)
    for row in rows:
        by_parent[row[1]].append(row)
    return {turn.id: _beside(turn, by_parent[turn.parent_id]) for turn in turns}


def _beside(turn: Turn, rows: Sequence[tuple[Any, ...]]) -> Siblings:
    family = [
        _Row(row[0], row[2])
        for row in rows
        if row[3] in {"committed", "running"} or row[0] == turn.id
    ]
    if len(family) < 2:  # noqa: PLR2004  # the turn itself is one of them
        return ALONE
    answers = [row.id for row in family if row.input_id == turn.input_message_id]
    # Of each input the newest answer stands for it.
    newest = {row.input_id: row.id for row in family}
    inputs = list(newest)
    return Siblings(
        inputs=_step(list(newest.values()), inputs.index(turn.input_message_id)),
        answers=_step(answers, answers.index(turn.id)),
    )


def _step(turn_ids: Sequence[UUID], at: int) -> Step | None:
    if len(turn_ids) < 2:  # noqa: PLR2004  # a version alone is no version
        return None
    return Step(
        number=at + 1,
        count=len(turn_ids),
        previous=turn_ids[at - 1] if at else None,
        next=turn_ids[at + 1] if at + 1 < len(turn_ids) else None,
    )
