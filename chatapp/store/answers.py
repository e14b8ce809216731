"""Keeps the checked answers of memory models, so that a question is paid for once."""

from uuid import UUID

from django.db import transaction

from chatapp.ids import new_id
from chatapp.keyring import SpaceKeys
from chatapp.models import Conversation, MemoryAnswer
from chatapp.store.raw import insert
from chatapp.store.sealing import digest, seal_text, unseal_text

COLUMN = ("chatapp_memoryanswer", "body")


def kept_answer(question: bytes, keys: SpaceKeys) -> str | None:
    """Return the answer to a question, or None when it was not asked yet.

    Args:
        question: canonical bytes of the question, its prompt and its model.
        keys: of the owner; nobody else finds or reads it.
    """
    kept = MemoryAnswer.objects.filter(key_space_id=keys.id, digest=digest(keys, question))
    row = kept.values_list("id", "body").first()
    return None if row is None else unseal_text(keys, *COLUMN, row[0], bytes(row[1]))


def keep_answer(
    conversation_id: UUID, question: bytes, text: str, keys: SpaceKeys, now_ms: int
) -> None:
    """Keep the answer to a question in a transaction of its own; the first one stays.

    Nothing is kept of a conversation that was deleted: its deletion would not erase it.
    """
    row_id = new_id()
    with transaction.atomic():
        there = Conversation.objects.select_for_update().filter(pk=conversation_id, deleted_ms=None)
        if not there.exists():
            return
        row = MemoryAnswer(
            id=row_id,
            key_space_id=keys.id,
            conversation_id=conversation_id,
            digest=digest(keys, question),
            body=seal_text(keys, *COLUMN, row_id, text),
            created_ms=now_ms,
        )
        insert([row], ignore_conflicts=True)
