"""Erases what was said in a conversation; the skeleton of its log stays and still verifies."""

from typing import Final
from uuid import UUID

from chatapp.models import (
    Attempt,
    Branch,
    Checkpoint,
    Conversation,
    Feature,
    MemoryAnswer,
    MemoryDelta,
    Message,
    Operation,
    PartialText,
    RequestBlock,
    RetrievalRecord,
    Tombstone,
    Usage,
)
from chatapp.store import payloads
from chatapp.store.permits import erasure_permit
from chatapp.store.processes import PLAY, silent_workers, unregister

PLAY_SILENT_MS: Final = 600_000
"""A play that was not heard of for so long is dead: comparing long branches takes its time."""


def remove_conversation(conversation_id: UUID) -> None:
    """Remove a conversation with its log, as if it had never been; one transaction.

    For what nobody has talked in: a conversation of a person keeps the skeleton of its log.
    """
    with erasure_permit(conversation_id):
        Usage.objects.filter(attempt__turn__conversation_id=conversation_id).delete()
        Tombstone.objects.filter(conversation_id=conversation_id).delete()
        # What refers in a ring is let go first.
        Branch.objects.filter(conversation_id=conversation_id).update(
            tip=None, redo_tip=None, parent_turn=None, left_branch=None
        )
        Conversation.objects.filter(pk=conversation_id).delete()


def remove_unfinished_plays() -> None:
    """Remove the conversations of plays whose process has died."""
    for process_id, conversation_id in silent_workers(PLAY, after_ms=PLAY_SILENT_MS):
        if conversation_id:
            remove_conversation(UUID(conversation_id))
        unregister(process_id)


def erase_conversation(conversation_id: UUID, now_ms: int) -> None:
    """Erase every text of a conversation; must run inside the caller's transaction."""
    turns = {"turn__conversation_id": conversation_id}
    with erasure_permit(conversation_id) as permit:
        payloads.erase_payloads(conversation_id, permit)
        Message.objects.filter(conversation_id=conversation_id).update(body=b"", redacted_ms=now_ms)
    for model in (MemoryDelta, RetrievalRecord, Checkpoint):
        model.objects.filter(**turns).delete()
    Feature.objects.filter(message__conversation_id=conversation_id).delete()
    PartialText.objects.filter(attempt__turn__conversation_id=conversation_id).delete()
    RequestBlock.objects.filter(conversation_id=conversation_id).delete()
    MemoryAnswer.objects.filter(conversation_id=conversation_id).delete()
    Operation.objects.filter(conversation_id=conversation_id).delete()
    # Tombstones guard what is left of a conversation; of this one nothing is.
    Tombstone.objects.filter(conversation_id=conversation_id).delete()
    Attempt.objects.filter(**turns).update(output=None, detail=None, recording=None)
    Branch.objects.filter(conversation_id=conversation_id).update(name=None)
    Conversation.objects.filter(pk=conversation_id).update(title=None)
