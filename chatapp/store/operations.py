"""Writes and reads what people did to memory, and the tombstones of what they deleted."""

from collections.abc import Callable
from typing import Any, Final
from uuid import UUID

from django.db import connection

from chatapp.ids import new_id
from chatapp.keyring import SpaceKeys
from chatapp.models import Operation as OperationRow
from chatapp.models import Tombstone
from chatapp.store.raw import db_id, insert, to_id, to_id_or_none
from chatapp.store.sealing import digest, seal, unseal
from statecore.memory.ledger import entry_id
from statecore.state.codec import decode_operation, encode_operation
from statecore.state.operations import (
    Action,
    Add,
    Delete,
    Operation,
    RemoveField,
    SetField,
    Target,
    Undo,
    scope_of,
)
from statecore.state.undoing import undone

OPERATION: Final = ("chatapp_operation", "body")

Holds = Callable[[UUID | None, int], bool]
"""Whether an act of path scope counts, by its turn and its seq."""

OPERATIONS_SQL: Final = """
SELECT id, turn_id, scope, body, seq FROM chatapp_operation
WHERE conversation_id = %s AND seq <= %s ORDER BY seq
"""


def read_operations(
    conversation_id: UUID, keys: SpaceKeys, *, as_of: int, holds: Holds
) -> tuple[Operation, ...]:
    """Return the operations that count on a path, by seq; one query.

    Args:
        conversation_id: the conversation.
        keys: of the owner.
        as_of: operations with a later seq are not seen.
        holds: whether an act at a turn counts there (see `Cut`); what holds on all branches is not
            asked about.
    """
    with connection.cursor() as cursor:
        cursor.execute(OPERATIONS_SQL, [db_id(conversation_id), as_of])
        rows = cursor.fetchall()
    return tuple(
        _opened(row, keys)
        for row in rows
        if row[2] == "conversation" or holds(to_id_or_none(row[1]), row[4])
    )


def insert_row(operation: Operation, conversation_id: UUID, keys: SpaceKeys) -> None:
    """Insert one operation, sealed, and what it does to tombstones."""
    row_id = new_id()
    row = OperationRow(
        id=row_id,
        conversation_id=conversation_id,
        seq=operation.seq,
        turn_id=None if operation.turn_id is None else UUID(operation.turn_id),
        scope=scope_of(operation.action),
        target=target_of(operation.action, keys),
        body=seal(keys, *OPERATION, row_id, encode_operation(operation)),
        created_ms=operation.created_ms,
    )
    insert([row])
    if isinstance(operation.action, Delete):
        _bury(operation, operation.action, conversation_id, keys)
    if isinstance(operation.action, Undo):
        _settle_tombstones(operation, conversation_id, keys)


def _settle_tombstones(undo: Operation, conversation_id: UUID, keys: SpaceKeys) -> None:
    """Make the tombstones of a conversation those of the deletions that are in force."""
    shared = read_operations(conversation_id, keys, as_of=undo.seq, holds=lambda _turn, _seq: False)
    gone = undone(shared)
    buried = set(
        Tombstone.objects.filter(conversation_id=conversation_id).values_list("seq", flat=True)
    )
    for one in shared:
        if not isinstance(one.action, Delete):
            continue
        if one.seq in gone and one.seq in buried:
            Tombstone.objects.filter(conversation_id=conversation_id, seq=one.seq).delete()
        if one.seq not in gone and one.seq not in buried:
            _bury(one, one.action, conversation_id, keys)


def _bury(operation: Operation, deletion: Delete, conversation_id: UUID, keys: SpaceKeys) -> None:
    rows = [
        Tombstone(
            id=new_id(),
            key_space_id=keys.id,
            conversation_id=conversation_id,
            seq=operation.seq,
            target=digest(keys, name.encode()),
            created_ms=operation.created_ms,
        )
        for name in _names_of(deletion.target)
    ]
    insert(rows)


def _names_of(target: Target) -> list[str]:
    return [entry_id(span) for span in target.sources] or [target.entry_id]


def target_of(action: Action, keys: SpaceKeys) -> bytes:
    """Return the keyed hash by which what an action is about is found without its text.

    Empty for an undo and for an addition that cites nothing.
    """
    if isinstance(action, Undo):
        return b""
    if isinstance(action, SetField):
        name = f"field:{action.field.key}"
    elif isinstance(action, RemoveField):
        name = f"field:{action.key}"
    elif isinstance(action, Add):
        if action.span is None:
            return b""
        name = entry_id(action.span)
    else:
        name = _names_of(action.target)[0]
    return digest(keys, name.encode())


def _opened(row: tuple[Any, ...], keys: SpaceKeys) -> Operation:
    return decode_operation(unseal(keys, *OPERATION, to_id(row[0]), bytes(row[3])))
