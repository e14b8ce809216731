"""Writes one transition together with the next seq of its conversation."""

from uuid import UUID

from chatapp.keyring import SpaceKeys
from chatapp.store import log
from chatapp.store.log import Change

__all__ = ["Change", "record"]


def record(conversation_id: UUID, keys: SpaceKeys, change: Change, now_ms: int) -> int:
    """Append a transition inside the caller's transaction and return its seq."""
    head = log.next_seq(conversation_id)
    log.append_transition(conversation_id, keys, change, head=head, created_ms=now_ms)
    return head.seq
