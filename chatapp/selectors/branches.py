"""Reads the branches of a conversation."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.db.models import Case, F, IntegerField, QuerySet, Value, When
from django.db.models.functions import Coalesce, Greatest

from chatapp.access import Access
from chatapp.models import Branch, Message, Selection
from chatapp.store import paths
from chatapp.store.branches import viewed_branch
from chatapp.store.lines import Line, all_lines, lines_of, named_depth
from statecore.tree import NAMED_FORK_LIMIT

BRANCHES_PAGE = 20


@dataclass(frozen=True, slots=True)
class LeftAfter:
    """The turn after which a branch leaves the line that it was made on."""

    turn_id: UUID
    depth: int
    text: str
    """What was asked there."""


@dataclass(frozen=True, slots=True)
class BranchRow:
    """One branch with where it left and how it stands."""

    id: UUID
    line: Line
    is_current: bool
    """It is the one that is looked at."""
    is_archived: bool
    is_running: bool
    """An answer is being written on it."""
    left_after: LeftAfter | None
    """None where it begins with the conversation."""
    left_branch: UUID | None
    tip: UUID | None
    depth: int
    """Turns from the beginning to its newest one."""
    turns: int
    """Turns of its own, after the one that it left after."""
    used_ms: int
    """When something was last said on it, or it was made."""


@dataclass(frozen=True, slots=True)
class BranchList:
    """Branches, the main line first, then the one that is looked at, then those used last."""

    rows: tuple[BranchRow, ...]
    open_count: int
    archived_count: int
    with_archived: bool
    more: int
    """How many are not shown."""


def shown_branch(access: Access) -> Branch:
    """Return the branch that is looked at."""
    return viewed_branch(access)


def shown_line(access: Access) -> Line:
    """Return what the branch that is looked at is called."""
    branch_id = viewed_branch(access).id
    return lines_of([branch_id], access.keys)[branch_id]


def line_at(access: Access, branch_id: UUID) -> Line | None:
    """Return what a branch of the conversation is called, or None when it has no such branch."""
    own = Branch.objects.filter(pk=branch_id, conversation=access.conversation)
    ids = list(own.values_list("id", flat=True))
    return lines_of(ids, access.keys).get(branch_id)


def selected_branch(access: Access) -> UUID | None:
    """Return the branch that the reader has chosen last; None for the main line by default."""
    chosen = Selection.objects.filter(
        user_id=access.owner.user_id, conversation=access.conversation
    )
    return chosen.values_list("branch_id", flat=True).first()


def fork_limit_reached(branch: Branch) -> int | None:
    """Return how deep named branches may be nested, where one more would be too deep; else None."""
    limit: int = getattr(settings, "GLASSBOX_NAMED_FORK_DEPTH", NAMED_FORK_LIMIT)
    return limit if named_depth(branch.id) >= limit else None


def branch_count(access: Access) -> int:
    """Return how many branches there are that were not archived."""
    return Branch.objects.filter(conversation=access.conversation, archived_ms=None).count()


def branch_list(
    access: Access, *, shown: int = BRANCHES_PAGE, with_archived: bool = False
) -> BranchList:
    """Return the branches that a panel shows.

    Args:
        access: the conversation.
        shown: how many at most.
        with_archived: also those that were put away.
    """
    current = viewed_branch(access).id
    branches = Branch.objects.filter(conversation=access.conversation)
    total = branches.count()
    archived = branches.exclude(archived_ms=None).count()
    wanted = branches if with_archived else branches.filter(archived_ms=None)
    found = list(_ordered(wanted, current)[:shown])
    lines = lines_of([branch.id for branch in found], access.keys)
    return BranchList(
        rows=_rows(access, found, lines, current),
        open_count=total - archived,
        archived_count=archived,
        with_archived=with_archived,
        more=(total if with_archived else total - archived) - len(found),
    )


def every_branch(access: Access) -> tuple[BranchRow, ...]:
    """Return all branches, archived ones too, in the order in which they were made."""
    found = Branch.objects.filter(conversation=access.conversation)
    ordered = list(
        found.select_related("tip", "parent_turn")
        .annotate(used_ms=_USED_MS)
        .order_by("created_seq", "id")
    )
    lines = all_lines(access.conversation.id, access.keys)
    return _rows(access, ordered, lines, viewed_branch(access).id)


_USED_MS = Greatest(F("created_ms"), Coalesce(F("tip__committed_ms"), F("created_ms")))


def _ordered(branches: QuerySet[Branch], current: UUID) -> QuerySet[Branch]:
    first = Case(
        When(origin="main", then=Value(0)),
        When(pk=current, then=Value(1)),
        default=Value(2),
        output_field=IntegerField(),
    )
    return (
        branches.select_related("tip", "parent_turn")
        .annotate(used_ms=_USED_MS, first=first)
        .order_by("first", "-used_ms", "-created_seq", "-id")
    )


def _rows(
    access: Access, branches: Sequence[Branch], lines: dict[UUID, Line], current: UUID
) -> tuple[BranchRow, ...]:
    asked = _questions(access, branches)
    return tuple(_row(branch, lines[branch.id], asked, current) for branch in branches)


def _row(branch: Branch, line: Line, asked: dict[UUID, str], current: UUID) -> BranchRow:
    left, tip = branch.parent_turn, branch.tip
    after = None if left is None else LeftAfter(left.id, left.depth, asked.get(left.id, ""))
    depth = 0 if tip is None else tip.depth
    used_ms: int = branch.used_ms  # type: ignore[attr-defined]  # annotated
    return BranchRow(
        id=branch.id,
        line=line,
        is_current=branch.id == current,
        is_archived=branch.archived_ms is not None,
        is_running=branch.active_turn is not None,
        left_after=after,
        left_branch=branch.left_branch_id,
        tip=branch.tip_id,
        depth=depth,
        turns=max(0, depth - (after.depth if after else 0)),
        used_ms=used_ms,
    )


def _questions(access: Access, branches: Sequence[Branch]) -> dict[UUID, str]:
    """Return what was asked in the turns that branches leave after, by turn; one query."""
    inputs = {
        branch.parent_turn.id: branch.parent_turn.input_message_id
        for branch in branches
        if branch.parent_turn is not None
    }
    if not inputs:
        return {}
    rows = Message.objects.filter(pk__in=set(inputs.values()))
    texts = {
        row[0]: paths.decode_row(row, "", access.keys).text
        for row in rows.values_list("id", "turn_id", "role", "body", "created_ms")
    }
    return {turn_id: texts[found] for turn_id, found in inputs.items() if found in texts}
