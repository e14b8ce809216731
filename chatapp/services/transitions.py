"""Writes one transition together with the next seq of its conversation."""

from collections.abc import Sequence
from uuid import UUID

from chatapp.keyring import SpaceKeys
from chatapp.models import Conversation
from chatapp.store import log
from chatapp.store.log import Change, Head

__all__ = ["Change", "ConversationGone", "Head", "append", "append_all", "claim", "record"]


class ConversationGone(Exception):
    """Raised when a conversation was deleted while a change of it was on its way."""


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

    Raises:
        ConversationGone: when it was deleted in the meantime.
    """
    head = claim(conversation_id)
    append(conversation_id, keys, change, head, now_ms, touch=touch)
    return head.seq


def claim(conversation_id: UUID, count: int = 1) -> Head:
    """Claim the next seqs where the change itself names them; other writers wait from here on.

    Every claimed seq needs its `append` in the same transaction.

    Args:
        conversation_id: the conversation.
        count: how many seqs; the head names the first.

    Raises:
        ConversationGone: as `record`.
    """
    try:
        return log.next_seq(conversation_id, count)
    except Conversation.DoesNotExist:
        raise ConversationGone from None


def append(
    conversation_id: UUID,
    keys: SpaceKeys,
    change: Change,
    head: Head,
    now_ms: int,
    *,
    touch: bool = False,
) -> None:
    """Append the transition of a claimed seq; arguments as `record`."""
    log.append_transition(conversation_id, keys, change, head=head, created_ms=now_ms, touch=touch)


def append_all(
    conversation_id: UUID, keys: SpaceKeys, changes: Sequence[Change], head: Head, now_ms: int
) -> None:
    """Append the transitions of all seqs that were claimed in one go, the first at the head.

    The conversation becomes the most recent one of its owner. Arguments as `record`.
    """
    log.append_transitions(conversation_id, keys, changes, head=head, created_ms=now_ms, touch=True)
