"""Reads what the inspector looks at: one turn beside the one before, and where messages stand."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q, QuerySet

from chatapp.access import Access
from chatapp.models import Conversation, Message, Turn
from chatapp.selectors.rows import TurnRow
from chatapp.selectors.turns import turn_rows
from chatapp.store.branches import viewed_branch


@dataclass(frozen=True, slots=True)
class LookedAt:
    """The turn that panels speak of."""

    turn: TurnRow
    before: TurnRow | None
    """The turn that it follows; None for the first."""
    is_newest: bool


@dataclass(frozen=True, slots=True)
class Place:
    """Where a message stands in the chat."""

    turn_id: UUID
    depth: int
    role: str


Places = dict[str, Place]
"""By message id; a turn stands under its own id where its first message is."""


def looked_at(access: Access, turn_id: UUID | None = None) -> LookedAt | None:
    """Return a turn with the one before it, or None when there is no such turn.

    Args:
        access: the conversation.
        turn_id: the turn; None for the newest of the branch that a model was asked about.
    """
    turns = Turn.objects.filter(conversation=access.conversation)
    branch = viewed_branch(access)
    # What runs or broke off after the tip is newer than the tip; what was rolled back is not.
    own = Q(pk=branch.tip_id) | Q(branch=branch, parent=branch.tip_id) & ~Q(status="committed")
    newest = (
        turns.filter(own).order_by("-depth", "-accepted_seq").values_list("id", "parent_id").first()
    )
    found = newest
    if turn_id is not None:
        found = turns.filter(pk=turn_id).values_list("id", "parent_id").first()
    if found is None:
        return None
    wanted, parent = found
    rows = turn_rows(access, [wanted, *([] if parent is None else [parent])], tip=None)
    by_id = {row.id: row for row in rows}
    before = None if parent is None else by_id.get(parent)
    return LookedAt(by_id[wanted], before, is_newest=newest is not None and wanted == newest[0])


def places(access: Access, names: Iterable[str]) -> Places:
    """Return where messages and turns stand, by id; what is not of the conversation is left out."""
    wanted = {UUID(name) for name in names}
    messages = Message.objects.filter(
        conversation=access.conversation, pk__in=wanted, turn__isnull=False
    ).values_list("id", "turn_id", "turn__depth", "role")
    turns = Turn.objects.filter(conversation=access.conversation, pk__in=wanted)
    found = {str(turn_id): Place(turn_id, depth, "user") for turn_id, depth in _depths(turns)}
    for message_id, turn_id, depth, role in messages:
        if turn_id is not None:
            found[str(message_id)] = Place(turn_id, depth, role)
    return found


def _depths(turns: QuerySet[Turn]) -> Iterable[tuple[UUID, int]]:
    return turns.values_list("id", "depth")


def last_seq(access: Access) -> int:
    """Return the number of the newest transition."""
    rows = Conversation.objects.filter(pk=access.conversation.id)
    return rows.values_list("last_seq", flat=True).get()
