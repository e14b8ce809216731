"""The outbox: work that follows a commit, written in the same transaction."""

from uuid import UUID

from django.db.models import F

from chatapp.models import Outbox

TOKEN_COUNTS = "token_counts"  # noqa: S105  # tokens of a language model
"""Count the messages of a turn under every tokenizer of the registry."""


def put(conversation_id: UUID, turn_id: UUID, kind: str, now_ms: int) -> None:
    """Insert one piece of work; must run inside the transaction that it follows."""
    Outbox.objects.get_or_create(
        turn_id=turn_id,
        kind=kind,
        defaults={"conversation_id": conversation_id, "created_ms": now_ms},
    )


def waiting(kind: str, now_ms: int, limit: int) -> list[UUID]:
    """Return the turns that wait for a kind of work, oldest first."""
    rows = Outbox.objects.filter(kind=kind, done_ms=None, not_before_ms__lte=now_ms)
    return [
        turn_id
        for turn_id in rows.order_by("created_ms", "id").values_list("turn_id", flat=True)[:limit]
        if turn_id is not None
    ]


def done(turn_id: UUID, kind: str, now_ms: int) -> None:
    """Mark a piece of work as done."""
    Outbox.objects.filter(turn_id=turn_id, kind=kind, done_ms=None).update(done_ms=now_ms)


def postpone(turn_id: UUID, kind: str, not_before_ms: int) -> None:
    """Put a piece of work that failed off until a time."""
    Outbox.objects.filter(turn_id=turn_id, kind=kind, done_ms=None).update(
        not_before_ms=not_before_ms, tries=F("tries") + 1
    )
