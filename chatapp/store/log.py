"""Appends to the log of a conversation: a transition, its sealed contents, and the new head."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.db import connection

from chatapp.ids import new_id
from chatapp.keyring import SpaceKeys
from chatapp.models import Conversation, Payload, Transition
from chatapp.store.payloads import payload_rows
from chatapp.store.raw import db_id, insert
from statecore.log import TransitionRecord, chain_next, commit_part

PARTS: Final = ("state_before", "input", "request", "output", "state_after")

ROWS_AT_ONCE: Final = 500
"""Transitions of one insert: SQLite takes 32,766 values in a statement."""

CLAIM_SQL: Final = (
    "UPDATE chatapp_conversation SET last_seq = last_seq + %s"
    " WHERE id = %s AND deleted_ms IS NULL RETURNING last_seq, chain"
)


@dataclass(frozen=True, slots=True)
class Change:
    """What one change of a conversation is recorded with; parts that do not apply are empty."""

    kind: str
    turn: UUID | None = None
    state_before: bytes = b""
    input: bytes = b""
    request: bytes = b""
    output: bytes = b""
    state_after: bytes = b""

    def bodies(self) -> dict[str, bytes]:
        """Return the parts that apply, by name."""
        return {part: body for part in PARTS if (body := getattr(self, part))}


@dataclass(frozen=True, slots=True)
class Head:
    """Where the next transition goes; good until the end of the transaction that claimed it."""

    seq: int
    chain: bytes
    """Chain value of the transition before; empty at the first."""


def next_seq(conversation_id: UUID, count: int = 1) -> Head:
    """Claim the next seqs of a conversation, one query; other writers wait for this transaction.

    Every claimed seq must get its transition in the same transaction: a gap is a fault.

    Args:
        count: how many seqs; the head names the first.

    Raises:
        Conversation.DoesNotExist: when there is no such conversation, or it was deleted: nothing
            is written to it that its deletion would not erase.
    """
    with connection.cursor() as cursor:
        cursor.execute(CLAIM_SQL, [count, db_id(conversation_id)])
        row = cursor.fetchone()
    if row is None:
        raise Conversation.DoesNotExist(f"There is no conversation {conversation_id}.")
    last_seq, chain = row
    return Head(last_seq - count + 1, bytes(chain))


def append_transition(
    conversation_id: UUID,
    keys: SpaceKeys,
    change: Change,
    *,
    head: Head,
    created_ms: int,
    touch: bool = False,
) -> Head:
    """Append one transition inside the caller's transaction; three queries.

    Args:
        keys: the keys of the conversation's owner.
        change: what is recorded; committed to in the log, sealed beside it.
        head: from `next_seq`, or from the append before when several seqs were claimed.
        created_ms: milliseconds since the epoch.
        touch: also makes the conversation the most recent one of its owner.

    Returns:
        The head for another append, if its seq was claimed too.
    """
    return append_transitions(
        conversation_id, keys, [change], head=head, created_ms=created_ms, touch=touch
    )


def append_transitions(
    conversation_id: UUID,
    keys: SpaceKeys,
    changes: Sequence[Change],
    *,
    head: Head,
    created_ms: int,
    touch: bool = False,
) -> Head:
    """Append transitions of seqs that were claimed in one go; arguments as `append_transition`."""
    for start in range(0, len(changes), ROWS_AT_ONCE):
        some = changes[start : start + ROWS_AT_ONCE]
        rows = rows_of_log(conversation_id, keys, some, head=head, created_ms=created_ms)
        insert(rows.transitions)
        insert(rows.payloads)
        head = rows.head
    moved = {"updated_ms": created_ms} if touch else {}
    Conversation.objects.filter(id=conversation_id).update(chain=head.chain, **moved)
    return head


@dataclass(frozen=True, slots=True)
class LogRows:
    """Transitions with their contents, as they are inserted."""

    transitions: list[Transition]
    payloads: list[Payload]
    head: Head
    """After them."""


def rows_of_log(
    conversation_id: UUID,
    keys: SpaceKeys,
    changes: Sequence[Change],
    *,
    head: Head,
    created_ms: int,
) -> LogRows:
    """Return transitions of seqs that follow each other as they are inserted; no query.

    Arguments as `append_transition`.
    """
    rows: list[Transition] = []
    contents: list[tuple[UUID, Mapping[str, bytes]]] = []
    chain = head.chain
    for seq, change in enumerate(changes, head.seq):
        bodies = change.bodies()
        record = _record(change, seq, created_ms, bodies, keys)
        chain = chain_next(keys.log, chain, record)
        rows.append(_row(conversation_id, change.turn, record, chain))
        contents.append((rows[-1].id, bodies))
    return LogRows(rows, payload_rows(contents, keys), Head(head.seq + len(changes), chain))


def record_of(row: Transition) -> TransitionRecord:
    """Return what the chain is computed from."""
    return TransitionRecord(
        seq=row.seq,
        kind=row.kind,
        turn=None if row.turn is None else str(row.turn),
        created_ms=row.created_ms,
        chain=bytes(row.chain),
        **{part: bytes(getattr(row, part)) for part in PARTS},
    )


def _record(
    change: Change, seq: int, created_ms: int, bodies: Mapping[str, bytes], keys: SpaceKeys
) -> TransitionRecord:
    return TransitionRecord(
        seq=seq,
        kind=change.kind,
        turn=None if change.turn is None else str(change.turn),
        created_ms=created_ms,
        **{part: commit_part(keys.log, part, body) for part, body in bodies.items()},
    )


def _row(
    conversation_id: UUID, turn: UUID | None, record: TransitionRecord, chain: bytes
) -> Transition:
    return Transition(
        id=new_id(),
        conversation_id=conversation_id,
        seq=record.seq,
        kind=record.kind,
        turn=turn,
        created_ms=record.created_ms,
        chain=chain,
        **{part: getattr(record, part) for part in PARTS},
    )
