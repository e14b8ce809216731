"""Reads what people thought of answers, and writes a judgement as the log keeps it."""

import json
from typing import Final, Literal, NamedTuple
from uuid import UUID

from django.db.models import OuterRef, Subquery

from chatapp.models import Feedback

Opinion = Literal["up", "down", "replaced", "none"]
"""up, down: the thumb that stands; replaced: without a thumb, and edited or regenerated since."""

GIVEN: Final = "feedback_given"
"""Kind of the transition of a thumb."""


class Judgement(NamedTuple):
    """A thumb as the log keeps it."""

    turn_id: UUID
    message_id: UUID
    user_id: int
    thumb: int
    """1 up, -1 down, 0 taken back."""


def encode_judgement(judgement: Judgement) -> bytes:
    """Return a thumb as canonical JSON bytes."""
    told = {
        "message": str(judgement.message_id),
        "thumb": judgement.thumb,
        "turn": str(judgement.turn_id),
        "user": str(judgement.user_id),
    }
    return json.dumps(told, sort_keys=True, separators=(",", ":")).encode()


def newest_thumb(user_id: int) -> Subquery:
    """Return the expression of a query on turns for the thumb that a person gave last, or null."""
    rows = Feedback.objects.filter(turn=OuterRef("pk"), kind=Feedback.Kind.THUMB, user_id=user_id)
    return Subquery(rows.order_by("-seq").values("thumb")[:1])


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
