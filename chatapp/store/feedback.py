"""Reads what people thought of answers."""

from typing import Literal
from uuid import UUID

from chatapp.models import Feedback

Opinion = Literal["up", "down", "replaced", "none"]
"""up, down: the thumb that stands; replaced: without a thumb, and edited or regenerated since."""


def opinions_of(conversation_id: UUID) -> dict[UUID, Opinion]:
    """Return what is thought of each turn of a conversation on which there is an opinion."""
    rows = Feedback.objects.filter(conversation_id=conversation_id).order_by("seq")
    thumbs: dict[UUID, int] = {}
    replaced: set[UUID] = set()
    for turn_id, kind, thumb in rows.values_list("turn_id", "kind", "thumb"):
        if kind == Feedback.Kind.THUMB:
            thumbs[turn_id] = thumb
        else:
            replaced.add(turn_id)
    found: dict[UUID, Opinion] = dict.fromkeys(replaced, "replaced")
    for turn_id, thumb in thumbs.items():
        if thumb:
            found[turn_id] = "up" if thumb > 0 else "down"
    return found
