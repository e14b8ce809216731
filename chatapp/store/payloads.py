"""The sealed contents behind the log's commitments, and their erasure."""

from collections.abc import Iterable, Mapping
from typing import Final
from uuid import UUID

from django.db import connection, transaction

from chatapp.clock import now_ms
from chatapp.ids import new_id
from chatapp.keyring import SpaceKeys
from chatapp.models import Payload
from chatapp.store.permits import Permit
from chatapp.store.sealing import seal, unseal

COLUMN: Final = ("chatapp_payload", "body")


def payload_rows(
    contents: Iterable[tuple[UUID, Mapping[str, bytes]]], keys: SpaceKeys
) -> list[Payload]:
    """Return the contents of transitions by their ids as they are inserted, sealed."""
    rows = []
    for transition_id, bodies in contents:
        for part, body in bodies.items():
            row_id = new_id()
            sealed = seal(keys, *COLUMN, row_id, body)
            rows.append(Payload(id=row_id, transition_id=transition_id, part=part, body=sealed))
    return rows


def open_payload(payload: Payload, keys: SpaceKeys) -> bytes | None:
    """Return the content of a row, or None once it is erased.

    Raises:
        SealBroken: when it was changed or moved, or the keys are another's.
    """
    if payload.body is None:
        return None
    return unseal(keys, *COLUMN, payload.id, bytes(payload.body))


def erase_payloads(conversation_id: UUID, permit: Permit) -> int:
    """Erase the contents behind the log of a conversation; the commitments stay.

    Returns:
        How many were erased now.

    Raises:
        PermitMissing: when the permit does not cover the conversation.
    """
    permit.require(conversation_id)
    transaction.on_commit(_truncate_write_ahead_log, robust=True)
    waiting = Payload.objects.filter(transition__conversation_id=conversation_id, erased_ms=None)
    return waiting.update(body=None, erased_ms=now_ms())


def _truncate_write_ahead_log() -> None:
    # `secure_delete` wipes the pages of the database file, but older copies of them lie in the
    # write-ahead log until it is written over.
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
