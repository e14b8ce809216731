"""Writes the portions of a tree: a short one in one transaction, a long one in many short ones.

On SQLite everybody else waits while one writes, and a running answer that waits for too long ends.
A long import is therefore written behind a conversation that nobody sees until it is whole.
"""

import time
from typing import Final
from uuid import UUID

from django.db import connection, transaction
from django.db.models import F

from chatapp.access import Access
from chatapp.models import Branch, Selection
from chatapp.services.importing_rows import Portion, TreeWriter
from chatapp.services.transitions import ConversationGone
from chatapp.store import checkpoints, memory, outbox, unfinished
from chatapp.store.raw import insert

PAUSE_S: Final = 0.11
"""SQLite asks again every 0.1 seconds for whoever waits; in a shorter pause it may miss it."""

CHECKPOINTED_BRANCHES: Final = 100
"""Branches whose checkpoints are written at once; others have theirs when something is learned."""

_REFERENCES: Final = ("parent_turn", "tip", "redo_tip")


def write_at_once(access: Access, main: UUID, writer: TreeWriter, *, hide_at: int | None) -> bool:
    """Write a short tree in one transaction; all that costs time is done before it.

    Args:
        access: the conversation.
        main: its main line.
        writer: what makes the rows.
        hide_at: the seq that the conversation must still be at; None for one that is hidden.

    Returns:
        False when it was not at that seq any more; nothing is written then.
    """
    portions = list(writer.portions())
    with transaction.atomic():
        conversation_id = access.conversation.id
        if hide_at is not None and not unfinished.hide(conversation_id, hide_at, 1):
            return False
        for portion in portions:
            _write(access, portion)
        _write_checkpoints(access, writer)
        _finish(access, main, writer)
    return True


def write_in_portions(access: Access, main: UUID, writer: TreeWriter) -> None:
    """Write a long tree to a hidden conversation, each portion in a transaction of its own.

    Raises:
        ConversationGone: when its owner was deleted meanwhile.
    """
    for portion in writer.portions():
        with transaction.atomic():
            _write(access, portion)
        _let_others_write()
    _write_checkpoints(access, writer)
    with transaction.atomic():
        _finish(access, main, writer)


def _write(access: Access, portion: Portion) -> None:
    for rows in portion.rows:
        insert(rows)
    for operation in portion.operations:
        memory.insert_operation(operation, access.conversation.id, access.keys)
    if portion.branches:
        Branch.objects.bulk_create(
            portion.branches,
            update_conflicts=True,
            unique_fields=["id"],
            update_fields=_REFERENCES,
        )


def _finish(access: Access, main: UUID, writer: TreeWriter) -> None:
    """Let the conversation be seen; its own rows are few, however long it is."""
    conversation_id = access.conversation.id
    # A page that was opened before must not post onto what it has not seen.
    Branch.objects.filter(pk=main).update(version=F("version") + 1, **writer.main_columns())
    if (selected := writer.selected()) is not None:
        Selection.objects.update_or_create(
            user_id=access.owner.user_id,
            conversation=access.conversation,
            defaults={"branch_id": selected},
        )
    outbox.release(conversation_id)
    if not unfinished.show(conversation_id, **writer.conversation_columns()):
        raise ConversationGone


def _write_checkpoints(access: Access, writer: TreeWriter) -> None:
    """Write the shortcuts; nobody adds to what is hidden, so no transaction is needed for it."""
    for tip in writer.tips()[:CHECKPOINTED_BRANCHES]:
        checkpoints.write_if_due(tip, access.keys, as_of=writer.head.seq - 1)


def _let_others_write() -> None:
    if connection.vendor == "sqlite" and not connection.in_atomic_block:
        time.sleep(PAUSE_S)
