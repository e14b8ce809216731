"""Writes and reads conversation and branch rows."""

from uuid import UUID

from django.db.models import Case, F, When

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
    updated = Branch.objects.filter(pk=branch_id, tip_id=parent_id, active_turn=None).update(
        active_turn=turn_id, version=F("version") + 1
    )
    return updated == 1


def release_head(branch_id: UUID, turn_id: UUID) -> None:
    """Free the head of a branch that a turn had reserved."""
    Branch.objects.filter(pk=branch_id, active_turn=turn_id).update(active_turn=None)


def advance_tip(branch_id: UUID, turn_id: UUID) -> bool:
    """Make a committed turn the tip of its branch and free the head; False when it lost it.

    Branch time runs from the new tip on, unless the branch was left meanwhile: then it stands.
    """
    held = Branch.objects.filter(pk=branch_id, active_turn=turn_id)
    stands = When(clock_set_ms__isnull=True, then=F("clock_ms"))
    updated = held.update(
        tip_id=turn_id, active_turn=None, clock_ms=Case(stands, default=None), clock_set_ms=None
    )
    return updated == 1
