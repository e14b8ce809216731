"""Erasure permits: for the length of one transaction the triggers let a conversation be erased."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.db import connection, transaction

from chatapp.clock import now_ms
from chatapp.models import ErasurePermit
from chatapp.store.guards import PERMIT_ALL, PERMIT_SETTING

READ_SQL: Final = f"SELECT COALESCE(current_setting('{PERMIT_SETTING}', true), '')"
WRITE_SQL: Final = f"SELECT set_config('{PERMIT_SETTING}', %s, true)"


class PermitMissing(Exception):
    """Raised when erasure is asked for without a standing permit that covers it."""


@dataclass(slots=True)
class Permit:
    """The right to erase; only `erasure_permit` gives one, and takes it back."""

    conversation_id: UUID | None
    """None covers every conversation."""
    standing: bool = True

    def require(self, conversation_id: UUID) -> None:
        """Check that erasing a conversation is permitted now.

        Raises:
            PermitMissing: when the permit was taken back or covers another conversation.
        """
        if not self.standing or self.conversation_id not in {None, conversation_id}:
            raise PermitMissing(f"No erasure permit stands for conversation {conversation_id}.")


@contextmanager
def erasure_permit(conversation_id: UUID | None) -> Iterator[Permit]:
    """Let the triggers pass erasure in one transaction, then forbid it again.

    Other connections never see the permit; when the block fails, it and everything that was
    erased are rolled back together.

    Args:
        conversation_id: None permits every conversation, as erasing a user needs.
    """
    permit = Permit(conversation_id)
    try:
        with transaction.atomic():
            if connection.vendor == "postgresql":
                before = _switch(PERMIT_ALL if conversation_id is None else str(conversation_id))
                yield permit
                _switch(before)
            else:
                row = ErasurePermit.objects.create(
                    conversation=conversation_id, created_ms=now_ms()
                )
                yield permit
                row.delete()
    finally:
        permit.standing = False


def permit_left_open() -> bool:
    """Say whether a permit stands, as none may outside `erasure_permit`."""
    if ErasurePermit.objects.exists():
        return True
    return connection.vendor == "postgresql" and _standing() != ""


def _standing() -> str:
    with connection.cursor() as cursor:
        cursor.execute(READ_SQL)
        value: str = cursor.fetchone()[0]
    return value


def _switch(value: str) -> str:
    """Set the permit of this transaction and return the one before."""
    before = _standing()
    with connection.cursor() as cursor:
        cursor.execute(WRITE_SQL, [value])
    return before
