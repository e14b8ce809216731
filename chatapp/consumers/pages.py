"""Renders what a socket sends; runs in the runtime's threads."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qs
from uuid import UUID

from django.contrib.auth.models import User
from django.http import Http404
from django.utils.translation import override

from chatapp.access import Access, conversation_for
from chatapp.presenters.frames import elsewhere_frame, turn_frame
from chatapp.selectors.branches import line_at, shown_branch
from chatapp.selectors.conversations import branch_state
from chatapp.selectors.turns import turn_owner, turn_partial, turn_row


@dataclass(frozen=True, slots=True)
class ShownTurn:
    """A turn ready to be sent."""

    frame: dict[str, Any]
    owner: UUID | None
    """The process that runs it; None when it has ended."""


def branch_of(scope: Mapping[str, Any]) -> UUID | None:
    """Return the branch that a page names in the address of its socket.

    Raises:
        Http404: when that is no id.
    """
    named = parse_qs(scope["query_string"].decode("latin-1")).get("branch", [""])[-1]
    try:
        return UUID(named) if named else None
    except ValueError:
        msg = "The conversation has no such branch."
        raise Http404(msg) from None


def let_in(user: User, conversation_id: UUID, branch_id: UUID | None) -> Access:
    """Return a conversation as a page shows it that stays on its branch whatever is selected later.

    Raises:
        Http404: as `conversation_for`.
    """
    access = conversation_for(user, conversation_id, branch_id)
    return access if branch_id else replace(access, branch_id=shown_branch(access).id)


def render_elsewhere(
    access: Access, branch_id: UUID, page: str, language: str
) -> dict[str, Any] | None:
    """Return the frame that tells where the reader went on another page, or None if there is none.

    Args:
        access: the conversation as this page shows it.
        branch_id: where the other page went.
        page: what that page calls itself.
        language: of this page.
    """
    line = line_at(access, branch_id)
    if line is None:
        return None
    with override(language):
        return elsewhere_frame(line, access.conversation.id, page)


def render_turn(
    access: Access, turn_id: UUID, language: str, *, of_branch: bool = False
) -> ShownTurn | None:
    """Return the frame that puts a turn on the page, or None when it is not of the conversation.

    Args:
        access: the conversation as the page shows it.
        turn_id: the turn.
        language: of the page.
        of_branch: also None when it was not written on the branch that the page shows.
    """
    row = turn_row(access, turn_id)
    if row is None or (of_branch and row.branch_id != access.branch_id):
        return None
    branch_id, version = branch_state(turn_id)
    with override(language):
        frame = turn_frame(row, access.conversation.id, branch_id, version)
    return ShownTurn(frame, turn_owner(access, turn_id) if row.status == "running" else None)


def stored_text(access: Access, turn_id: UUID) -> tuple[str, str, int]:
    """Return attempt, text and last sequence number as the database has them."""
    return turn_partial(access, turn_id)
