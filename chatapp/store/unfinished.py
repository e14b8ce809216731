"""Conversations that are being written in several transactions: nobody sees them until the last.

Such a conversation looks deleted, so that nothing reads it and nobody writes to it; a time below
zero says that it is not.
"""

from typing import Final
from uuid import UUID

from django.db import connection, transaction

from chatapp.models import Conversation
from chatapp.store.permits import erasure_permit
from chatapp.store.raw import db_id

LOST_AFTER_MS: Final = 3_600_000
"""Whoever wrote for so long has died."""

_OF_TURNS: Final = "turn_id IN (SELECT id FROM chatapp_turn WHERE conversation_id = %s)"
_OF_MESSAGES: Final = (
    "message_id IN (SELECT id FROM chatapp_message WHERE conversation_id = %s"
    " AND turn_id IS NOT NULL)"
)
_LATER: Final = (
    "FROM chatapp_transition WHERE conversation_id = %s AND seq >"
    " (SELECT last_seq FROM chatapp_conversation WHERE id = %s)"
)

REMOVALS: Final = (
    f"DELETE FROM chatapp_payload WHERE transition_id IN (SELECT id {_LATER})",  # noqa: S608  # constants only
    f"DELETE {_LATER}",
    "DELETE FROM chatapp_outbox WHERE conversation_id = %s",
    f"DELETE FROM chatapp_checkpoint WHERE {_OF_TURNS}",  # noqa: S608  # the same
    f"DELETE FROM chatapp_memorydelta WHERE {_OF_TURNS}",  # noqa: S608  # the same
    "DELETE FROM chatapp_operation WHERE conversation_id = %s",
    "DELETE FROM chatapp_tombstone WHERE conversation_id = %s",
    f"DELETE FROM chatapp_feature WHERE {_OF_MESSAGES}",  # noqa: S608  # the same
    f"DELETE FROM chatapp_tokencount WHERE {_OF_MESSAGES}",  # noqa: S608  # the same
    (
        "UPDATE chatapp_branch SET tip_id = NULL, redo_tip_id = NULL, parent_turn_id = NULL,"
        " left_branch_id = NULL WHERE conversation_id = %s"
    ),
    "UPDATE chatapp_turn SET input_message_id = NULL, parent_id = NULL WHERE conversation_id = %s",
    (
        "DELETE FROM chatapp_message WHERE conversation_id = %s AND seq >"
        " (SELECT last_seq FROM chatapp_conversation WHERE id = %s)"
    ),
    "DELETE FROM chatapp_turn WHERE conversation_id = %s",
    "DELETE FROM chatapp_branch WHERE conversation_id = %s AND origin <> 'main'",
)
"""What was written to an empty conversation, in the order in which it can go."""


def hide(conversation_id: UUID, last_seq: int, now_ms: int) -> bool:
    """Begin to write to an empty conversation that nobody has changed since a seq.

    Returns:
        False when somebody has, or when it was deleted.
    """
    found = Conversation.objects.filter(pk=conversation_id, last_seq=last_seq, deleted_ms=None)
    return found.update(deleted_ms=-now_ms) == 1


def show(conversation_id: UUID, **columns: object) -> bool:
    """Make a conversation whole, with its last columns; False when it has gone."""
    found = Conversation.objects.filter(pk=conversation_id, deleted_ms__lt=0)
    return found.update(deleted_ms=None, **columns) == 1


def empty_again(conversation_id: UUID) -> None:
    """Remove what was written to a hidden conversation, and show it empty as it was."""
    with transaction.atomic(), erasure_permit(conversation_id):
        if not Conversation.objects.filter(pk=conversation_id, deleted_ms__lt=0).exists():
            return
        with connection.cursor() as cursor:
            for sql in REMOVALS:
                cursor.execute(sql, [db_id(conversation_id)] * sql.count("%s"))
        show(conversation_id)


def lost(now_ms: int) -> list[UUID]:
    """Return the conversations whose writer has died; one query."""
    found = Conversation.objects.filter(deleted_ms__lt=0, deleted_ms__gt=LOST_AFTER_MS - now_ms)
    return list(found.values_list("id", flat=True))
