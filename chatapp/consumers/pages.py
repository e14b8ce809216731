"""Renders what a socket sends; runs in the runtime's threads."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils.translation import override

from chatapp.access import Access
from chatapp.presenters.frames import turn_frame
from chatapp.selectors.conversations import branch_state
from chatapp.selectors.turns import turn_owner, turn_partial, turn_row


@dataclass(frozen=True, slots=True)
class ShownTurn:
    """A turn ready to be sent."""

    frame: dict[str, Any]
    owner: UUID | None
    """The process that runs it; None when it has ended."""


def render_turn(access: Access, turn_id: UUID, language: str) -> ShownTurn | None:
    """Return the frame that puts a turn on the page, or None when it is not of the conversation."""
    row = turn_row(access, turn_id)
    if row is None:
        return None
    branch_id, version = branch_state(turn_id)
    with override(language):
        frame = turn_frame(row, access.conversation.id, branch_id, version)
    return ShownTurn(frame, turn_owner(access, turn_id) if row.status == "running" else None)


def stored_text(access: Access, turn_id: UUID) -> tuple[str, str, int]:
    """Return attempt, text and last sequence number as the database has them."""
    return turn_partial(access, turn_id)
