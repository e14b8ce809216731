"""Reads what the list and the page of conversations show."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Exists, OuterRef, Q

from chatapp.access import Access, Owner
from chatapp.models import Branch, Conversation, PlanInput, Turn
from chatapp.selectors.branches import fork_limit_reached
from chatapp.selectors.rows import ConversationPage, ConversationRow, RolledBack, TurnRow
from chatapp.selectors.turns import turn_rows
from chatapp.store import conversations, paths
from chatapp.store.branches import viewed_branch
from chatapp.store.lines import lines_of

LIST_PAGE = 40
TURNS_PAGE = 30
READ_TRIES = 3


def conversation_list(
    owner: Owner, *, before: UUID | None = None
) -> tuple[tuple[ConversationRow, ...], UUID | None]:
    """Return conversations by recency, and the one to ask for older ones before, if there are."""
    rows = Conversation.objects.filter(
        key_space_id=owner.keys.id, deleted_ms=None, temporary=False
    ).annotate(running=Exists(Turn.objects.filter(conversation=OuterRef("pk"), status="running")))
    cursor = rows.filter(pk=before).first() if before else None
    if cursor is not None:
        rows = rows.filter(
            Q(updated_ms__lt=cursor.updated_ms) | Q(updated_ms=cursor.updated_ms, pk__lt=cursor.pk)
        )
    found = list(rows.order_by("-updated_ms", "-pk")[: LIST_PAGE + 1])
    shown = tuple(
        ConversationRow(
            id=row.id,
            title=conversations.title_of(row, owner.keys),
            updated_ms=row.updated_ms,
            running=row.running,
        )
        for row in found[:LIST_PAGE]
    )
    return shown, shown[-1].id if len(found) > LIST_PAGE else None


def newest_conversation(owner: Owner) -> UUID | None:
    """Return the conversation that was written in last."""
    rows = Conversation.objects.filter(key_space_id=owner.keys.id, deleted_ms=None)
    return rows.order_by("-updated_ms", "-pk").values_list("id", flat=True).first()


def conversation_page(access: Access, *, with_segments: bool = False) -> ConversationPage:
    """Return a conversation with the newest turns of the branch that is looked at.

    Args:
        access: the conversation.
        with_segments: see `turn_rows`.
    """
    branch, turns, older_before = _newest(access, with_segments=with_segments)
    running = branch.active_turn
    conversation = access.conversation
    return ConversationPage(
        id=conversation.id,
        title=conversations.title_of(conversation, access.keys),
        branch_id=branch.id,
        branch_version=branch.version,
        model_name=conversation.model_name,
        turns=turns,
        older_before=older_before,
        running_turn=running,
        verbatim_depth=_verbatim_depth(branch),
        tip_id=branch.tip_id,
        line=lines_of([branch.id], access.keys)[branch.id],
        is_archived=branch.archived_ms is not None,
        rolled_back=_rolled_back(branch),
        fork_limit=fork_limit_reached(branch),
    )


def _newest(
    access: Access, *, with_segments: bool
) -> tuple[Branch, tuple[TurnRow, ...], UUID | None]:
    """Return the branch that is looked at with its newest turns, and where older ones begin.

    A turn that is committed between both reads is the tip no more than it is running: it would be
    on no page, so that both are read again.
    """
    tries = READ_TRIES
    while True:
        branch = viewed_branch(access)
        turns, older_before = _page(
            access, branch.tip_id, newest_of=branch.id, with_segments=with_segments
        )
        tries -= 1
        if not tries or branch.active_turn in {None, *(turn.id for turn in turns)}:
            return branch, turns, older_before


def _rolled_back(branch: Branch) -> RolledBack | None:
    if branch.redo_tip_id is None:
        return None
    depth = 0 if branch.tip is None else branch.tip.depth
    newest: int = Turn.objects.values_list("depth", flat=True).get(pk=branch.redo_tip_id)
    return RolledBack(depth, newest - depth)


def verbatim_depth(access: Access) -> int | None:
    """Return the depth from which on the newest request holds every message word for word.

    None before the first request.
    """
    return _verbatim_depth(viewed_branch(access))


def _verbatim_depth(branch: Branch) -> int | None:
    newest = [turn_id for turn_id in (branch.active_turn, branch.tip_id) if turn_id]
    results = (
        PlanInput.objects.filter(attempt__turn__in=newest)
        .order_by("-attempt__turn__depth", "-attempt__ordinal")
        .values_list("result", flat=True)
    )
    result = results.first()
    return None if result is None else result.get("verbatim_depth")


def newest_page(access: Access) -> tuple[TurnRow, ...]:
    """Return the newest turns of the branch that is looked at, oldest first."""
    return _newest(access, with_segments=True)[1]


@dataclass(frozen=True, slots=True)
class Stretch:
    """Turns that follow each other, from somewhere on a path."""

    turns: tuple[TurnRow, ...] = ()
    """Oldest first."""
    older_before: UUID | None = None
    """The turn to ask older turns before; None when there are none."""
    newer_after: UUID | None = None
    """The turn to ask for what follows; None where the next one is shown."""


def turns_from(access: Access, first: UUID, newer: UUID) -> Stretch:
    """Return the page of turns that begins with one, up to a newer one that is shown already.

    Args:
        access: the conversation.
        first: the turn that is wanted.
        newer: a committed turn after it; before that the page ends at the latest.
    """
    return _stretch(access, first, newer, is_after=False)


def turns_after(access: Access, older: UUID, newer: UUID) -> Stretch:
    """Return the page of turns after one, up to a newer one; nothing where they do not follow."""
    return _stretch(access, older, newer, is_after=True)


def _stretch(access: Access, start: UUID, newer: UUID, *, is_after: bool) -> Stretch:
    known = Turn.objects.filter(conversation=access.conversation, status="committed")
    depths = dict(known.filter(pk__in=[start, newer]).values_list("id", "depth"))
    if len(depths) < 2:  # noqa: PLR2004  # both ends
        return Stretch()
    length = depths[newer] - depths[start]
    path = paths.walk(newer, budget_tokens=1 << 40, max_turns=length + 1) if length > 0 else []
    if not path or path[-1].id != start:
        return Stretch()
    between = path[1:-1] if is_after else path[1:]
    page = between[-TURNS_PAGE:]
    if not page:
        return Stretch()
    rows, older_before = _page(access, page[0].id, newest_of=None, size=len(page))
    return Stretch(rows, older_before, page[0].id if len(between) > len(page) else None)


def older_turns(access: Access, before: UUID) -> tuple[tuple[TurnRow, ...], UUID | None]:
    """Return the page of turns before one, and the turn to ask for still older ones before."""
    parent = (
        Turn.objects.filter(pk=before, conversation=access.conversation)
        .values_list("parent_id", flat=True)
        .first()
    )
    if parent is None:
        return (), None
    return _page(access, parent, newest_of=None)


def _page(
    access: Access,
    tip: UUID | None,
    *,
    newest_of: UUID | None,
    with_segments: bool = False,
    size: int = TURNS_PAGE,
) -> tuple[tuple[TurnRow, ...], UUID | None]:
    """Return the turns down to one, with what broke off beside them.

    Args:
        access: the conversation.
        tip: the last turn of the page that is committed.
        newest_of: the branch whose newest turn that is; None for an older page.
        with_segments: see `turn_rows`.
        size: how many committed turns it has at most.
    """
    nodes = paths.walk(tip, budget_tokens=1 << 40, max_turns=size + 1)
    more = len(nodes) > size
    nodes = nodes[:size]
    ids = [node.id for node in nodes]
    leaves = _leaves(access, nodes, tip, newest_of)
    rows = turn_rows(
        access, [*ids, *leaves], tip=tip, branch_id=newest_of, with_segments=with_segments
    )
    return rows, ids[-1] if more else None


def _leaves(
    access: Access, nodes: Sequence[paths.TurnNode], tip: UUID | None, newest_of: UUID | None
) -> list[UUID]:
    """Return what broke off or runs beside the turns of a page, on the line that went on there.

    It is a leaf beside its successor and shown where it was tried; what was tried after the same
    turn on another branch is a matter of that branch.
    """
    parents: list[UUID | None] = [node.parent_id for node in nodes]
    if newest_of is not None:
        parents.append(tip)
    at_root = Q(parent=None, depth=1) if None in parents else Q(pk__in=[])
    beside = Q(parent__in=[parent for parent in parents if parent]) | at_root
    found = (
        Turn.objects.filter(beside, conversation=access.conversation)
        .exclude(status="committed")
        .values_list("id", "parent_id", "branch_id")
    )
    leaves = list(found)
    if not leaves:
        return []
    own = dict(Turn.objects.filter(pk__in=[n.id for n in nodes]).values_list("id", "branch_id"))
    line: dict[UUID | None, UUID | None] = {node.parent_id: own[node.id] for node in nodes}
    if newest_of is not None:
        line[tip] = newest_of
    return [turn_id for turn_id, parent_id, branch_id in leaves if line[parent_id] == branch_id]


def branch_state(turn_id: UUID) -> tuple[UUID, int]:
    """Return the branch of a turn and its version."""
    row = Branch.objects.filter(turns__id=turn_id).values_list("id", "version").get()
    return row[0], row[1]
