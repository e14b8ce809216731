"""Seals and unseals single columns; whose keys is always said by the caller."""

import hmac
import json
from typing import Any
from uuid import UUID

from chatapp.keyring import SpaceKeys
from chatapp.vault import Aad


def seal(keys: SpaceKeys, table: str, column: str, row_id: UUID | str, body: bytes) -> bytes:
    """Return bytes sealed for one column of one row.

    Args:
        row_id: the primary key, or what names the row where the database numbers it on insert.
    """
    return keys.content.seal(Aad(table, column, row_id, keys.id), body)


def unseal(keys: SpaceKeys, table: str, column: str, row_id: UUID | str, blob: bytes) -> bytes:
    """Return the bytes of one column of one row.

    Raises:
        SealBroken: when it was sealed for another place or owner, or is damaged.
    """
    return keys.content.unseal(Aad(table, column, row_id, keys.id), blob)


def seal_text(keys: SpaceKeys, table: str, column: str, row_id: UUID | str, text: str) -> bytes:
    """Return text sealed for one column of one row."""
    return seal(keys, table, column, row_id, text.encode())


def unseal_text(keys: SpaceKeys, table: str, column: str, row_id: UUID | str, blob: bytes) -> str:
    """Return the text of one column of one row.

    Raises:
        SealBroken: when it was sealed for another place or owner, or is damaged.
    """
    return unseal(keys, table, column, row_id, blob).decode()


def seal_json(keys: SpaceKeys, table: str, column: str, row_id: UUID | str, value: object) -> bytes:
    """Return a JSON value sealed for one column of one row."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return seal(keys, table, column, row_id, text.encode())


def unseal_json(keys: SpaceKeys, table: str, column: str, row_id: UUID | str, blob: bytes) -> Any:  # noqa: ANN401  # JSON is what it is
    """Return the JSON value of one column of one row.

    Raises:
        SealBroken: when it was sealed for another place or owner, or is damaged.
    """
    return json.loads(unseal(keys, table, column, row_id, blob))


def digest(keys: SpaceKeys, body: bytes) -> bytes:
    """Return the content address of a body within its key space (HMAC-SHA256).

    Keyed, so that nobody without the key can test a guess against it.
    """
    return hmac.digest(keys.digest, body, "sha256")
