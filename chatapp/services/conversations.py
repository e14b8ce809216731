"""Creates, renames and deletes conversations, and chooses their model."""

from uuid import UUID

from django.db import transaction

from chatapp.access import Access, Owner
from chatapp.clock import now_ms
from chatapp.ids import new_id
from chatapp.models import Attempt, Conversation, Turn
from chatapp.services.transitions import Change, record
from chatapp.store import conversations, erasure, turns
from chatapp.wiring import chat_template
from statecore.messages import Message, encode_body


def conversation_create(
    owner: Owner, *, model_name: str, system: str | None = None
) -> Conversation:
    """Create an empty conversation with the system prompt as its first message.

    Args:
        owner: whose it is.
        model_name: of the turns to come; empty for the first of the registry.
        system: the prompt; None for the one in use.
    """
    now = now_ms()
    text = chat_template().system if system is None else system
    with transaction.atomic():
        conversation, _ = conversations.insert(owner.keys, now_ms=now, model_name=model_name)
        prompt = Message(id=str(new_id()), role="system", text=text, created_ms=now)
        change = Change(kind="conversation_created", input=encode_body(prompt))
        seq = record(conversation.id, owner.keys, change, now)
        turns.insert_messages(
            [prompt],
            keys=owner.keys,
            conversation_id=conversation.id,
            turn_id=None,
            seq=seq,
            first_position=0,
        )
    return conversation


def conversation_rename(access: Access, title: str) -> None:
    """Give a conversation the title that its owner chose."""
    conversation = access.conversation
    with transaction.atomic():
        Conversation.objects.filter(pk=conversation.id).update(
            title=conversations.seal_title(conversation.id, title, access.keys),
            title_by_user=True,
        )
        record(
            conversation.id,
            access.keys,
            Change(kind="conversation_renamed", input=title.encode()),
            now_ms(),
        )


def conversation_choose_model(access: Access, model_name: str) -> None:
    """Choose the model for the turns to come."""
    conversation = access.conversation
    with transaction.atomic():
        Conversation.objects.filter(pk=conversation.id).update(model_name=model_name)
        record(
            conversation.id,
            access.keys,
            Change(kind="model_chosen", input=model_name.encode()),
            now_ms(),
        )


def conversation_delete(access: Access) -> list[UUID]:
    """Delete a conversation: its payloads are erased, the skeleton of its log stays.

    A running turn ends as interrupted at once: its owner is fenced, so that nothing it still
    writes can reach the erased conversation.

    Returns:
        The turns that were running.
    """
    conversation = access.conversation
    now = now_ms()
    with transaction.atomic():
        running = Turn.objects.filter(conversation=conversation, status="running")
        ended = list(running.values_list("id", flat=True))
        running.update(status="interrupted", reason="deleted", stop_requested=True, owner=None)
        Attempt.objects.filter(turn__conversation=conversation, status="running").update(
            status="interrupted", reason="deleted", ended_ms=now
        )
        record(conversation.id, access.keys, Change(kind="conversation_deleted"), now)
        Conversation.objects.filter(pk=conversation.id).update(deleted_ms=now)
        erasure.erase_conversation(conversation.id, now)
    return ended
