"""Unwraps the keys of key spaces and keeps the recent ones; nothing else sees the master key."""

from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock
from typing import Final
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import User

from chatapp.clock import now_ms
from chatapp.ids import new_id
from chatapp.models import KeySpace
from chatapp.vault import SealBroken, Sealer, derive, new_key, unwrap_key, wrap_key

CACHED_KEY_SPACES: Final = 1024


class KeyErased(Exception):
    """Raised when a key space has no key any more: what was sealed under it is erased."""


class KeyUnreadable(Exception):
    """Raised when the master key does not open the key of a key space."""


@dataclass(frozen=True, slots=True)
class SpaceKeys:
    """The keys of one key space, each for one purpose; never printed."""

    id: UUID
    """The key space."""
    content: Sealer = field(repr=False)
    """Seals and unseals columns."""
    log: bytes = field(repr=False)
    """Commitments, chain and path hashes."""
    digest: bytes = field(repr=False)
    """Content addresses and the hashes by which a source is found without its text."""


class _Cache:
    """The most recently used keys of this process; safe between threads."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._lock = Lock()
        self._rows: OrderedDict[UUID, SpaceKeys] = OrderedDict()

    def get(self, key_space_id: UUID) -> SpaceKeys | None:
        with self._lock:
            keys = self._rows.get(key_space_id)
            if keys is not None:
                self._rows.move_to_end(key_space_id)
            return keys

    def put(self, keys: SpaceKeys) -> None:
        with self._lock:
            self._rows[keys.id] = keys
            self._rows.move_to_end(keys.id)
            while len(self._rows) > self._limit:
                self._rows.popitem(last=False)

    def drop(self, key_space_id: UUID) -> None:
        with self._lock:
            self._rows.pop(key_space_id, None)

    def clear(self) -> None:
        with self._lock:
            self._rows.clear()


_cache = _Cache(CACHED_KEY_SPACES)


def create_key_space(owner: User | None, kind: KeySpace.Kind = KeySpace.Kind.USER) -> KeySpace:
    """Store and return a key space with a fresh key.

    Args:
        owner: None for a team.

    Raises:
        IntegrityError: when the owner has one already.
    """
    return KeySpace.objects.create(owner=owner, kind=kind, **_fresh_row())


def for_user(user: User) -> KeySpace:
    """Return the user's key space, made at the first call; two calls at once get the same one."""
    found = KeySpace.objects.filter(owner=user).first()
    return found or KeySpace.objects.get_or_create(owner=user, defaults=_fresh_row())[0]


def keys_of(key_space_id: UUID) -> SpaceKeys:
    """Return the keys of a key space; one query when they are not at hand.

    Raises:
        KeyErased: when the key space is gone.
        KeyUnreadable: when the master key does not open it.
    """
    keys = _cache.get(key_space_id)
    if keys is None:
        keys = _unwrapped(key_space_id)
        _cache.put(keys)
    return keys


def forget(key_space_id: UUID) -> None:
    """Drop the keys of one key space from this process."""
    _cache.drop(key_space_id)


def clear() -> None:
    """Drop all keys from this process."""
    _cache.clear()


def unreadable_key_space() -> UUID | None:
    """Return the oldest key space if the master key does not open it, else None; one query.

    One is enough to tell a wrong master key: all were wrapped by the same one.
    """
    row = KeySpace.objects.order_by("id").values_list("id", "wrapped_key").first()
    if row is None:
        return None
    try:
        unwrap_key(settings.MASTER_KEY, row[0], bytes(row[1]))
    except SealBroken:
        return row[0]
    return None


def _fresh_row() -> dict[str, object]:
    key_space_id = new_id()
    return {
        "id": key_space_id,
        "wrapped_key": wrap_key(settings.MASTER_KEY, key_space_id, new_key()),
        "created_ms": now_ms(),
    }


def _unwrapped(key_space_id: UUID) -> SpaceKeys:
    wrapped = KeySpace.objects.filter(id=key_space_id).values_list("wrapped_key", flat=True).first()
    if not wrapped:
        raise KeyErased(f"The key of key space {key_space_id} is gone: what it sealed is erased.")
    try:
        key = unwrap_key(settings.MASTER_KEY, key_space_id, bytes(wrapped))
    except SealBroken:
        raise KeyUnreadable(
            f"The master key does not open key space {key_space_id}: it is another one's."
        ) from None
    return SpaceKeys(
        id=key_space_id,
        content=Sealer(derive(key, "content")),
        log=derive(key, "log"),
        digest=derive(key, "digest"),
    )
