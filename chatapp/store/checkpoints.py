"""Checkpoints: the bounded memory of a path at every 32nd turn, so that no plan walks far.

A checkpoint is a shortcut and never the truth: one that is dropped costs a longer walk, once. It
holds what was taught down to its turn and what people did above it: that was over when the turn was
committed, so nothing that is done later on whatever branch makes it wrong. What was done at the
turn itself depends on where the path goes on from there, and is read beside it.
"""

from typing import Final
from uuid import UUID

from django.db import connection

from chatapp.keyring import SpaceKeys
from chatapp.models import Checkpoint, Turn
from chatapp.store import memory_path, operations
from chatapp.store.raw import db_id, to_id
from chatapp.store.sealing import seal
from statecore.state.codec import encode_path_memory
from statecore.state.fold import path_fold
from statecore.state.hot import bounded

EVERY_TURNS: Final = 32

ANCESTOR_SQL: Final = """
WITH RECURSIVE path(id, parent_id, depth) AS (
    SELECT id, parent_id, depth FROM chatapp_turn WHERE id = %s
  UNION ALL
    SELECT t.id, t.parent_id, t.depth
    FROM path JOIN chatapp_turn t ON t.id = path.parent_id
    WHERE path.depth > %s
)
SELECT id FROM path WHERE depth = %s
"""


def write_if_due(turn_id: UUID, keys: SpaceKeys, *, as_of: int | None = None) -> bool:
    """Write the checkpoint that the path of a turn lacks, if it lacks one.

    Must run inside a transaction that has claimed a seq of the conversation: what has that seq
    or a lower one is in the checkpoint, and nobody can add to it meanwhile. A hidden conversation
    needs neither.

    Args:
        turn_id: the newest turn of the path that was learned.
        keys: of the owner.
        as_of: the newest seq; None for that of the conversation.

    Returns:
        Whether one was written.
    """
    rows = Turn.objects.filter(pk=turn_id)
    row = rows.values_list("depth", "conversation_id", "conversation__last_seq").first()
    if row is None:
        return False
    depth, conversation_id, last_seq = row
    as_of = last_seq if as_of is None else as_of
    due = depth - depth % EVERY_TURNS
    place = _ancestor(turn_id, depth, due) if due else None
    if place is None or Checkpoint.objects.filter(turn_id=place).exists():
        return False
    path = memory_path.walk(conversation_id, place, keys, as_of=as_of)
    found = operations.read_operations(conversation_id, keys, as_of=as_of, holds=path.cut().holds)
    waiting = [str(waiting_id) for waiting_id in path.waiting()]
    memory = path_fold(path.deltas, found, as_of=as_of, start=path.start)
    body = encode_path_memory(bounded(memory.settled(due, waiting)))
    sealed = seal(keys, *memory_path.CHECKPOINT, place, body)
    Checkpoint.objects.create(turn_id=place, as_of_seq=as_of, body=sealed)
    return True


def drop_from(conversation_id: UUID, depth: int) -> None:
    """Drop the checkpoints of a conversation at a depth and deeper: something came late there."""
    Checkpoint.objects.filter(
        turn__conversation_id=conversation_id, turn__depth__gte=depth
    ).delete()


def _ancestor(turn_id: UUID, depth: int, wanted: int) -> UUID | None:
    if depth == wanted:
        return turn_id
    with connection.cursor() as cursor:
        cursor.execute(ANCESTOR_SQL, [db_id(turn_id), wanted, wanted])
        row = cursor.fetchone()
    return None if row is None else to_id(row[0])
