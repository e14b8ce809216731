"""Writes one transition together with the next seq of its conversation."""

from uuid import UUID

from chatapp.keyring import SpaceKeys
from chatapp.store import log
from chatapp.store.log import Change

__all__ = ["Change", "record"]


def record(
    conversation_id: UUID, keys: SpaceKeys, change: Change, now_ms: int, *, touch: bool = False
) -> int:
    """Append a transition inside the caller's transaction and return its seq.

    Args:
        conversation_id: the conversation.
        keys: its owner's keys.
        change: what is recorded.
        now_ms: milliseconds since the epoch.
        touch: also makes the conversation the most recent one of its owner.
    """
    head = log.next_seq(conversation_id)
    log.append_transition(conversation_id, keys, change, head=head, created_ms=now_ms, touch=touch)
    return head.seq
