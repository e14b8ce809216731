"""Frames that put a turn on an open page."""

from typing import Any
from uuid import UUID

from django.template.loader import render_to_string

from chatapp.presenters.branches import line_label
from chatapp.presenters.turns import present_turn
from chatapp.selectors.rows import TurnRow
from chatapp.services.outcomes import Accepted
from chatapp.store.lines import Line


def turn_frame(
    row: TurnRow, conversation_id: UUID, branch_id: UUID, version: int
) -> dict[str, Any]:
    """Return the frame that shows a turn as it is now."""
    return {
        "kind": "turn",
        "turn": str(row.id),
        "after": str(row.parent_id) if row.parent_id else None,
        "status": row.status,
        "branch": str(branch_id),
        "version": version,
        "html": render_to_string("chat/_turn.html", present_turn(row, conversation_id)),
    }


def opening_frame(
    conversation_id: UUID, branch_id: UUID, accepted: Accepted, text: str, model_name: str
) -> dict[str, Any]:
    """Return the frame of a turn that was accepted just now."""
    row = TurnRow(
        id=accepted.turn_id,
        parent_id=accepted.parent_id,
        depth=accepted.depth,
        status="running",
        finish="",
        reason="",
        model_name=model_name,
        accepted_ms=accepted.accepted_ms,
        committed_ms=None,
        input_text=text,
        answer_text=None,
        partial_text=None,
        attempts=(),
        seen=True,
        branch_id=branch_id,
    )
    return turn_frame(row, conversation_id, branch_id, accepted.version)


def elsewhere_frame(line: Line, conversation_id: UUID, page: str) -> dict[str, Any]:
    """Return the frame that tells an open page where its reader went on another one.

    Args:
        line: The branch that was gone to.
        conversation_id: Whose it is.
        page: The page that went there, which need not be told.
    """
    shown = {
        "label": line_label(line),
        "branch_id": line.branch_id,
        "conversation_id": conversation_id,
    }
    return {
        "kind": "selected",
        "branch": str(line.branch_id),
        "page": page,
        "html": render_to_string("chat/_elsewhere.html", shown),
    }
