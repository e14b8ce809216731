"""The outbox: work that follows a commit, written in the same transaction."""

from collections.abc import Sequence
from uuid import UUID

from django.db.models import F

from chatapp.ids import new_id
from chatapp.models import Outbox
from chatapp.store.raw import insert

TOKEN_COUNTS = "token_counts"  # noqa: S105  # tokens of a language model
"""Count the messages of a turn under every tokenizer of the registry."""

MEMORY_DELTA = "memory_delta"
"""Learn what a turn taught."""

MEMORY_AGAIN = "memory_again"
"""Read a turn that is learned once more, because a person wants it."""

KINDS = (TOKEN_COUNTS, MEMORY_DELTA)
"""All that follows the commit of a turn."""

GIVEN_UP = -1
"""Tries of work that has ended without what it needed."""

NEVER_MS = 2**62
"""When work is due that follows what is not written yet."""

CLAIM_MS = 15_000
"""How long a claim holds: a piece whose worker was killed is free again after that."""


def put(conversation_id: UUID, turn_id: UUID, now_ms: int, kinds: tuple[str, ...] = KINDS) -> None:
    """Insert work for a turn, each kind once; must run inside the transaction that it follows."""
    rows = [_row(conversation_id, turn_id, kind, now_ms) for kind in kinds]
    insert(rows, ignore_conflicts=True)


def rows_to_come(
    conversation_id: UUID, turn_ids: Sequence[UUID], kind: str, now_ms: int
) -> list[Outbox]:
    """Return one kind of work for many turns as it is inserted; it waits to be released."""
    rows = [_row(conversation_id, turn_id, kind, now_ms) for turn_id in turn_ids]
    for row in rows:
        row.not_before_ms = NEVER_MS
    return rows


def release(conversation_id: UUID) -> None:
    """Make the work of a conversation due that waits to be released; one query."""
    Outbox.objects.filter(conversation_id=conversation_id, not_before_ms=NEVER_MS).update(
        not_before_ms=0
    )


def put_again(conversation_id: UUID, turn_ids: Sequence[UUID], kind: str, now_ms: int) -> int:
    """Insert one kind of work for turns, or open it again where it was done.

    Returns:
        For how many turns it is new; what waits already stays as it is.
    """
    found = Outbox.objects.filter(turn_id__in=turn_ids, kind=kind)
    known = set(found.values_list("turn_id", flat=True))
    opened = found.filter(done_ms__isnull=False).update(
        done_ms=None, tries=0, not_before_ms=0, created_ms=now_ms
    )
    rows = [
        _row(conversation_id, turn_id, kind, now_ms) for turn_id in turn_ids if turn_id not in known
    ]
    insert(rows, ignore_conflicts=True)
    return opened + len(rows)


def _row(conversation_id: UUID, turn_id: UUID, kind: str, now_ms: int) -> Outbox:
    return Outbox(
        id=new_id(),
        conversation_id=conversation_id,
        turn_id=turn_id,
        kind=kind,
        created_ms=now_ms,
    )


def waiting(kind: str, now_ms: int, limit: int) -> list[UUID]:
    """Return the turns that wait for a kind of work, oldest first."""
    rows = Outbox.objects.filter(kind=kind, done_ms=None, not_before_ms__lte=now_ms)
    return [
        turn_id
        for turn_id in rows.order_by("created_ms", "id").values_list("turn_id", flat=True)[:limit]
        if turn_id is not None
    ]


def idle(kind: str, now_ms: int, limit: int, *, conversation_id: UUID | None = None) -> list[UUID]:
    """Return the turns that wait, oldest first, where nobody does such work in their conversation.

    Args:
        kind: of the work.
        now_ms: milliseconds since the epoch.
        limit: how many turns at most.
        conversation_id: the only conversation that is looked at; None for all.
    """
    rows = Outbox.objects.filter(kind=kind, done_ms=None)
    if conversation_id is not None:
        rows = rows.filter(conversation_id=conversation_id)
    # What was put off has tries; what is not due and has none is held by a claim.
    busy = rows.filter(tries=0, not_before_ms__gt=now_ms).values("conversation_id")
    due = rows.filter(not_before_ms__lte=now_ms).exclude(conversation_id__in=busy)
    found = due.order_by("created_ms", "id").values_list("turn_id", flat=True)[:limit]
    return [turn_id for turn_id in found if turn_id is not None]


def claim(turn_id: UUID, kind: str, now_ms: int) -> int | None:
    """Take a piece of work that is due, so that nobody else does it at the same time.

    Returns:
        Until when the claim holds; None when there is no such work, when it is not due, or when
        somebody else was first.
    """
    until_ms = now_ms + CLAIM_MS
    due = Outbox.objects.filter(turn_id=turn_id, kind=kind, done_ms=None, not_before_ms__lte=now_ms)
    return until_ms if due.update(not_before_ms=until_ms) == 1 else None


def renew(turn_id: UUID, kind: str, held_ms: int, now_ms: int) -> int | None:
    """Hold a claim for longer; None when it was lost, and somebody else may have the work.

    Args:
        held_ms: until when it holds now, as `claim` or the renewal before said.
    """
    until_ms = max(now_ms + CLAIM_MS, held_ms)
    held = Outbox.objects.filter(turn_id=turn_id, kind=kind, done_ms=None, not_before_ms=held_ms)
    return until_ms if held.update(not_before_ms=until_ms) == 1 else None


def tries(turn_id: UUID, kind: str) -> int:
    """Return how often a piece of work was put off."""
    found = Outbox.objects.filter(turn_id=turn_id, kind=kind)
    return found.values_list("tries", flat=True).first() or 0


def done(turn_id: UUID, kind: str, now_ms: int) -> None:
    """Mark a piece of work as done."""
    Outbox.objects.filter(turn_id=turn_id, kind=kind, done_ms=None).update(done_ms=now_ms)


def give_up(turn_id: UUID, kind: str, now_ms: int) -> None:
    """Mark a piece of work as ended, though what it needed was not there."""
    Outbox.objects.filter(turn_id=turn_id, kind=kind, done_ms=None).update(
        done_ms=now_ms, tries=GIVEN_UP
    )


def postpone(turn_id: UUID, kind: str, not_before_ms: int) -> None:
    """Put a piece of work that failed off until a time."""
    Outbox.objects.filter(turn_id=turn_id, kind=kind, done_ms=None).update(
        not_before_ms=not_before_ms, tries=F("tries") + 1
    )
