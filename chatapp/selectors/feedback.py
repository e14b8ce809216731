"""Reads what people thought of answers: thumbs, and what was edited or regenerated."""

from collections.abc import Iterable
from uuid import UUID

from chatapp.access import Access
from chatapp.models import Turn
from chatapp.store.feedback import Opinion, newest_thumb, opinions_of


def feedback_of(conversation_ids: Iterable[UUID]) -> dict[UUID, Opinion]:
    """Return what is thought of every turn of conversations, by turn id; two queries for each.

    A thumb counts more than what was done instead of the answer: its newest one, unless it was
    taken back.
    """
    found: dict[UUID, Opinion] = {}
    for conversation_id in conversation_ids:
        turns = Turn.objects.filter(conversation_id=conversation_id).values_list("id", flat=True)
        found |= dict.fromkeys(turns, "none")
        found |= opinions_of(conversation_id)
    return found


def thumb_of(access: Access, turn_id: UUID) -> int | None:
    """Return the thumb of this person on a turn: 1, -1 or 0; None when there is no such turn."""
    turns = Turn.objects.filter(pk=turn_id, conversation=access.conversation)
    rows = turns.values_list(newest_thumb(access.owner.user_id))
    return next((thumb or 0 for (thumb,) in rows), None)
