"""Seals and unseals bytes under a key; pure, knows no rows and no settings."""

import os
from collections.abc import Callable
from functools import lru_cache
from typing import Final, NamedTuple
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

KEY_BYTES: Final = 32
NONCE_BYTES: Final = 12
TAG_BYTES: Final = 16
FORMAT_1: Final = b"\x01"
HEADER_BYTES: Final = len(FORMAT_1) + NONCE_BYTES
MINIMUM_BYTES: Final = HEADER_BYTES + TAG_BYTES


class SealBroken(Exception):
    """Raised when a sealed blob does not open; the message never holds any of its text."""


class Aad(NamedTuple):
    """Where a blob belongs: it opens in this column of this row and nowhere else."""

    table: str
    column: str
    row: UUID | str
    """The primary key; text where a row is numbered by the database only when it is stored."""
    key_space: UUID

    def encode(self) -> bytes:
        """Return one byte string for this place that no other place shares."""
        # A plan opens hundreds of rows of one column: only the row is encoded for each.
        place, owner = _ends(self.table, self.column, self.key_space)
        return place + _sized(str(self.row)) + owner


@lru_cache(maxsize=1024)
def _ends(table: str, column: str, key_space: UUID) -> tuple[bytes, bytes]:
    return FORMAT_1 + _sized(table) + _sized(column), _sized(str(key_space))


def _sized(part: str) -> bytes:
    # Each part carries its length: plain joining would let ("ab", "c") pass for ("a", "bc").
    encoded = part.encode()
    return len(encoded).to_bytes(2, "big") + encoded


class Sealer:
    """Seals under one key; build it once per key, because preparing the cipher is not free."""

    __slots__ = ("_cipher",)

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            raise ValueError(f"A sealing key has {KEY_BYTES} bytes, not {len(key)}.")
        self._cipher = AESGCM(key)

    def seal(self, aad: Aad, text: bytes) -> bytes:
        """Return text encrypted and bound to its place: format byte, nonce, ciphertext with tag."""
        # A nonce is 96 random bits. Two of n collide with a chance of about n*n / 2**97, which
        # stays under 2**-32 up to 2**32 blobs: one key space, so one person, would have to store
        # a hundred blobs a second for sixteen months. Hence no counter to keep and lose.
        nonce = os.urandom(NONCE_BYTES)
        return FORMAT_1 + nonce + self._cipher.encrypt(nonce, text, aad.encode())

    def unseal(self, aad: Aad, blob: bytes) -> bytes:
        """Return the text of a blob sealed under this key for this place.

        Raises:
            SealBroken: when key or place are others, or the blob is damaged.
        """
        return self.opener(aad.table, aad.column, aad.key_space)(str(aad.row), blob)

    def opener(self, table: str, column: str, key_space: UUID) -> Callable[[str, bytes], bytes]:
        """Return what `unseal` does for one column, given a row and a blob, for rows by hundreds.

        It raises what `unseal` does.
        """
        place, owner = _ends(table, column, key_space)
        decrypt = self._cipher.decrypt

        def opened(row: str, blob: bytes) -> bytes:
            if len(blob) < MINIMUM_BYTES or blob[:1] != FORMAT_1:
                raise SealBroken(f"{_place(table, column, row)} is not a sealed value.")
            try:
                return decrypt(
                    blob[len(FORMAT_1) : HEADER_BYTES],
                    blob[HEADER_BYTES:],
                    place + _sized(row) + owner,
                )
            except InvalidTag:
                reason = "it was damaged, moved, or sealed under another key"
                raise SealBroken(f"{_place(table, column, row)} does not open: {reason}.") from None

        return opened


def seal(key: bytes, aad: Aad, text: bytes) -> bytes:
    """Return text sealed once under a key that is not used again."""
    return Sealer(key).seal(aad, text)


def unseal(key: bytes, aad: Aad, blob: bytes) -> bytes:
    """Return the text of a blob, opened once under a key that is not used again.

    Raises:
        SealBroken: when key or place are others, or the blob is damaged.
    """
    return Sealer(key).unseal(aad, blob)


def new_key() -> bytes:
    """Return a fresh random key of 32 bytes."""
    return os.urandom(KEY_BYTES)


def derive(key: bytes, purpose: str) -> bytes:
    """Return the subkey of 32 bytes for one purpose (HKDF-SHA256).

    Args:
        key: uniformly random bytes; a password is not one.
        purpose: two different purposes give independent keys.
    """
    return HKDF(SHA256(), KEY_BYTES, salt=None, info=purpose.encode()).derive(key)


def wrap_key(master_key: bytes, key_space: UUID, key: bytes) -> bytes:
    """Return the key of a key space sealed under the master key."""
    return seal(derive(master_key, "wrap"), _key_place(key_space), key)


def unwrap_key(master_key: bytes, key_space: UUID, wrapped: bytes) -> bytes:
    """Return the key of a key space.

    Raises:
        SealBroken: when it was wrapped by another master key, for another key space, or damaged.
    """
    return unseal(derive(master_key, "wrap"), _key_place(key_space), wrapped)


def _key_place(key_space: UUID) -> Aad:
    return Aad("chatapp_keyspace", "wrapped_key", key_space, key_space)


def _place(table: str, column: str, row: str) -> str:
    return f"{table}.{column} of row {row}"
