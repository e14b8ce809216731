"""Writes and reads conversation and branch rows."""

from uuid import UUID

from django.db.models import F

from chatapp.ids import new_id
from chatapp.keyring import SpaceKeys
from chatapp.models import Branch, Conversation
from chatapp.store.sealing import seal_text, unseal_text


def title_of(conversation: Conversation, keys: SpaceKeys) -> str | None:
    """Return the title, or None while it has none."""
    if conversation.title is None:
        return None
    return unseal_text(
        keys, "chatapp_conversation", "title", conversation.id, bytes(conversation.title)
    )


def seal_title(conversation_id: UUID, title: str, keys: SpaceKeys) -> bytes:
    """Return a title ready to be stored."""
    return seal_text(keys, "chatapp_conversation", "title", conversation_id, title)


def insert(keys: SpaceKeys, *, now_ms: int, model_name: str) -> tuple[Conversation, Branch]:
    """Insert a conversation with its main branch."""
    conversation = Conversation.objects.create(
        id=new_id(),
        key_space_id=keys.id,
        model_name=model_name,
        created_ms=now_ms,
        updated_ms=now_ms,
    )
    branch = Branch.objects.create(
        id=new_id(), conversation=conversation, created_seq=1, created_ms=now_ms
    )
    return conversation, branch


def reserve_head(conversation_id: UUID, branch_id: UUID, turn_id: UUID, version: int) -> bool:
    """Reserve the head of a branch for a turn; False when it has moved on or was put away."""
    free = Branch.objects.filter(
        pk=branch_id,
        conversation_id=conversation_id,
        version=version,
        active_turn=None,
        archived_ms=None,
    )
    return free.update(active_turn=turn_id, version=F("version") + 1) == 1


def reserve_for_retry(branch_id: UUID, turn_id: UUID, parent_id: UUID | None) -> bool:
    """Reserve the head again for a turn that broke off, if nothing was committed after it."""
    free = Branch.objects.filter(pk=branch_id, tip_id=parent_id, active_turn=None, archived_ms=None)
    return free.update(active_turn=turn_id, version=F("version") + 1) == 1


def release_head(branch_id: UUID, turn_id: UUID) -> None:
    """Free the head of a branch that a turn had reserved."""
    Branch.objects.filter(pk=branch_id, active_turn=turn_id).update(active_turn=None)


def advance_tip(branch_id: UUID, turn_id: UUID) -> bool:
    """Make a committed turn the tip of its branch and free the head; False when it lost it."""
    held = Branch.objects.filter(pk=branch_id, active_turn=turn_id)
    return held.update(tip_id=turn_id, active_turn=None) == 1


def run_clock(branch: Branch, clock_ms: int, now_ms: int) -> None:
    """Let the time of a branch go on from where it is, if it stood still; none for one never left.

    Args:
        branch: as it was read.
        clock_ms: branch time.
        now_ms: wall time.
    """
    if branch.clock_ms is not None and branch.clock_set_ms is None:
        Branch.objects.filter(pk=branch.id).update(clock_ms=clock_ms, clock_set_ms=now_ms)
