"""What branches are called, and the panel that lists them."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils.translation import gettext, ngettext

from chatapp.presenters import units
from chatapp.presenters.logs import Moment, moment
from chatapp.selectors.branches import BRANCHES_PAGE, BranchList, BranchRow
from chatapp.selectors.rows import RolledBack
from chatapp.store.lines import Line

SCHEMA = "glassbox.branches.1"
_EXCERPT_CHARACTERS = 60


def line_label(line: Line) -> str:
    """Return what a branch is called: its name, or what it is where nobody has named it."""
    if line.name is not None:
        return line.name
    if line.is_main:
        return gettext("Main line")
    return gettext("Alternative %(number)s") % {"number": line.number}


def limit_sentence(limit: int | None) -> str:
    """Return why no named branch may leave this one; empty where one may."""
    if limit is None:
        return ""
    words = ngettext(
        "Named branches may be nested %(limit)s deep here.",
        "Named branches may be nested %(limit)s deep here.",
        limit,
    )
    return words % {"limit": limit}


def rolled_back_sentence(rolled_back: RolledBack | None) -> str:
    """Return what a rollback has left behind; empty where there was none."""
    if rolled_back is None:
        return ""
    kept = ngettext("%(count)s turn is kept.", "%(count)s turns are kept.", rolled_back.kept)
    sentence = gettext("Rolled back to turn %(depth)s.") % {"depth": rolled_back.depth}
    return f"{sentence} {kept % {'count': rolled_back.kept}}"


@dataclass(frozen=True, slots=True)
class BranchView:
    """One line of the panel."""

    id: UUID
    label: str
    name: str
    """As it was named; empty where nobody has."""
    is_current: bool
    is_archived: bool
    is_running: bool
    is_editing: bool
    """Its name is being changed."""
    can_change: bool
    """It can be named and put away: the main line can be neither."""
    left: str
    """After which turn it left."""
    turns: str
    used: Moment


def present_branches(
    found: BranchList, conversation_id: UUID, *, editing: str = ""
) -> dict[str, object]:
    """Return the context of `inspector/_branches.html`.

    Args:
        found: What is shown of them.
        conversation_id: Whose they are.
        editing: Id of the branch whose name is being changed; empty for none.
    """
    archived = "&archived=on" if found.with_archived else ""
    more = f"shown={len(found.rows) + BRANCHES_PAGE}{archived}" if found.more else ""
    return {
        "branches": tuple(_view(row, editing) for row in found.rows),
        "conversation_id": conversation_id,
        "more": more,
        "more_label": gettext("Show more (%(count)s left)") % {"count": found.more},
        "archived_view": "" if found.with_archived else "archived=on",
        "archived_label": _archived_label(found),
        "back": f"shown={len(found.rows)}{archived}" if found.rows else "",
    }


def _archived_label(found: BranchList) -> str:
    if not found.archived_count:
        return ""
    if found.with_archived:
        return gettext("Hide archived branches")
    return gettext("Show archived branches (%(count)s)") % {"count": found.archived_count}


def _view(row: BranchRow, editing: str) -> BranchView:
    turns = ngettext("%(count)s turn", "%(count)s turns", row.turns) % {"count": row.turns}
    return BranchView(
        id=row.id,
        label=line_label(row.line),
        name=row.line.name or "",
        is_current=row.is_current,
        is_archived=row.is_archived,
        is_running=row.is_running,
        is_editing=str(row.id) == editing,
        can_change=not row.line.is_main,
        left=_left(row),
        turns=turns,
        used=moment(row.used_ms),
    )


def _left(row: BranchRow) -> str:
    if row.left_after is None:
        return gettext("from the beginning")
    return gettext("after turn %(depth)s: %(excerpt)s") % {
        "depth": row.left_after.depth,
        "excerpt": units.excerpt(row.left_after.text, _EXCERPT_CHARACTERS),
    }


def present_branches_json(
    rows: tuple[BranchRow, ...], conversation_id: UUID, selected: UUID | None
) -> dict[str, Any]:
    """Return all branches as plain JSON data.

    Args:
        rows: In the order in which they were made.
        conversation_id: Whose they are.
        selected: The branch that the reader has chosen last; None where nothing was chosen.
    """
    return {
        "schema": SCHEMA,
        "conversation": str(conversation_id),
        "selected": selected and str(selected),
        "branches": [_json(row) for row in rows],
    }


def _json(row: BranchRow) -> dict[str, Any]:
    left = row.left_after
    return {
        "id": str(row.id),
        "label": line_label(row.line),
        "name": row.line.name,
        "origin": row.line.origin,
        "viewed": row.is_current,
        "archived": row.is_archived,
        "running": row.is_running,
        "left_branch": row.left_branch and str(row.left_branch),
        "left_after": left and {"turn": str(left.turn_id), "depth": left.depth, "text": left.text},
        "tip": row.tip and str(row.tip),
        "depth": row.depth,
        "turns": row.turns,
        "used_ms": row.used_ms,
    }
