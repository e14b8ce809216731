"""The tree: forks, switches, names, rollbacks and archives; each act is one row and one transition.

Nothing is copied and nothing is lost: a branch is a reference to a turn.
"""

from collections.abc import Mapping
from dataclasses import replace
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import F

from chatapp.access import Access
from chatapp.clock import now_ms
from chatapp.ids import new_id
from chatapp.models import Branch, Selection, Turn
from chatapp.services.outcomes import (
    Busy,
    Changed,
    DepthReached,
    Forked,
    Missing,
    RolledBack,
    Selected,
    Unchanged,
)
from chatapp.services.transitions import Change, Head, append, claim
from chatapp.services.tree_log import tree_payload
from chatapp.store.branches import (
    branches_after,
    clock_of,
    committed_branch_ms,
    deepest_named,
    is_on_path,
    seal_name,
    viewed_branch,
)
from chatapp.store.lines import name_of, named_depth
from chatapp.store.raw import insert


def branch_fork(
    access: Access, turn_id: UUID | None, name: str, *, before: bool = False
) -> Forked | DepthReached | Missing:
    """Make a named branch and select it: one row, however long the conversation is.

    Args:
        access: the conversation, on the branch that is looked at.
        turn_id: the turn after which it goes on; None for the very beginning.
        name: what the person calls it.
        before: goes on before what was asked in the turn instead of after its answer.
    """
    with transaction.atomic():
        head = claim(access.conversation.id)
        left = viewed_branch(access)
        found = None if turn_id is None else _turn(access, turn_id)
        is_open = found is not None and found.status != Turn.Status.COMMITTED
        refused: DepthReached | Missing | None = None
        if (turn_id is not None and found is None) or (is_open and not before):
            refused = Missing()
        elif named_depth(left.id) >= fork_limit():
            refused = DepthReached(fork_limit())
        if refused is not None:
            # A claimed seq without its transition would be a gap in the log.
            transaction.set_rollback(True)
            return refused
        tip = found.parent if before and found is not None else found
        now = now_ms()
        branch = _insert(access, left, tip, head, now, origin=Branch.Origin.FORK, name=name)
        look_at(access, branch, now)
        what = {"branch": branch.id, "left_branch": left.id, "turn": branch.tip_id, "name": name}
        _append(access, "branch_forked", branch.tip_id, what, head, now)
    return Forked(branch.id, branch.tip_id, head.seq)


def _insert(
    access: Access,
    left: Branch,
    tip: Turn | None,
    head: Head,
    now: int,
    *,
    origin: str,
    name: str,
) -> Branch:
    goes_on = tip is not None and tip.id == left.tip_id
    branch_id = new_id()
    branch = Branch(
        id=branch_id,
        conversation=access.conversation,
        origin=origin,
        parent_turn=tip,
        left_branch=left,
        tip=tip,
        name=seal_name(branch_id, name, access.keys),
        clock_ms=clock_of(left).at(now) if goes_on else committed_branch_ms(tip, now),
        clock_set_ms=now,
        created_seq=head.seq,
        created_ms=now,
    )
    insert([branch])
    return branch


def fork_limit() -> int:
    """Return how many named branches may be nested."""
    limit: int = settings.GLASSBOX_NAMED_FORK_DEPTH
    return limit


def branch_select(access: Access, branch_id: UUID) -> Selected | Unchanged | Missing:
    """Look at another branch from now on; branch time stands still on the one that is left.

    Returns:
        Unchanged where the branch was chosen last, and is what the page shows; a page that shows
        another one goes there, and nothing is written for that.
    """
    with transaction.atomic():
        head = claim(access.conversation.id)
        branch = _branch(access, branch_id)
        if branch is None:
            transaction.set_rollback(True)
            return Missing()
        chosen = chosen_branch(access)
        if chosen.id == branch_id:
            transaction.set_rollback(True)
            is_shown = access.branch_id in {None, branch_id}
            return Unchanged() if is_shown else Selected(branch_id, head.seq - 1)
        now = now_ms()
        look_at(access, branch, now)
        what = {"branch": branch_id, "left_branch": chosen.id}
        _append(access, "branch_selected", branch.tip_id, what, head, now)
    return Selected(branch_id, head.seq)


def chosen_branch(access: Access) -> Branch:
    """Return the branch that its reader chose last, whatever a page shows."""
    return viewed_branch(replace(access, branch_id=None))


def look_at(access: Access, branch: Branch, now: int) -> None:
    """Make a branch the one that its reader chose last."""
    left = chosen_branch(access)
    if left.id != branch.id:
        Branch.objects.filter(pk=left.id).update(clock_ms=clock_of(left).at(now), clock_set_ms=None)
        # Where the branch was never left its time runs anyway.
        if branch.clock_ms is not None and branch.clock_set_ms is None:
            Branch.objects.filter(pk=branch.id).update(clock_set_ms=now)
    mine = {"user_id": access.owner.user_id, "conversation_id": access.conversation.id}
    # Acts wait for each other, so that nobody else can make the row meanwhile.
    if not Selection.objects.filter(**mine).update(branch=branch):
        insert([Selection(branch=branch, **mine)])


def turn_select(access: Access, turn_id: UUID) -> Selected | Unchanged | Missing:
    """Look at a branch that shows a turn: of those whose path has it the one used last.

    A turn that was rolled back and has no branch of its own yet is redone.
    """
    if _turn(access, turn_id) is None:
        return Missing()
    viewed = viewed_branch(access)
    found = branches_after(access.conversation.id, turn_id)
    holding = [one for one in found if not one.only_by_redo]
    if any(one.id == viewed.id for one in holding):
        return branch_select(access, viewed.id)
    if holding:
        return branch_select(access, max(holding, key=lambda one: one.used).id)
    if not found:
        return Missing()
    left = found[0].id
    if isinstance(branch_redo(replace(access, branch_id=left)), Busy):
        return Missing()
    return branch_select(access, left)


def branch_name(
    access: Access, branch_id: UUID, name: str
) -> Changed | Unchanged | DepthReached | Missing:
    """Give a branch a name; a named alternative counts as a fork from then on.

    The main line keeps its own.
    """
    with transaction.atomic():
        head = claim(access.conversation.id)
        branch = _branch(access, branch_id)
        refused: Missing | Unchanged | DepthReached | None = None
        if branch is None or branch.origin == Branch.Origin.MAIN:
            refused = Missing()
        elif name_of(branch, access.keys) == name:
            refused = Unchanged()
        elif branch.name is None and deepest_named(branch) >= fork_limit():
            refused = DepthReached(fork_limit())
        if refused is not None:
            transaction.set_rollback(True)
            return refused
        now = now_ms()
        sealed = seal_name(branch_id, name, access.keys)
        Branch.objects.filter(pk=branch_id).update(name=sealed)
        _append(access, "branch_named", None, {"branch": branch_id, "name": name}, head, now)
    return Changed(head.seq)


def branch_roll_back(access: Access, turn_id: UUID) -> RolledBack | Unchanged | Busy | Missing:
    """Make an earlier turn the newest of the branch that is looked at; what came after is kept."""
    with transaction.atomic():
        head = claim(access.conversation.id)
        branch = viewed_branch(access)
        turn = _turn(access, turn_id)
        refused: Unchanged | Busy | Missing | None = None
        if turn is None or branch.tip is None or not is_on_path(turn, branch.tip):
            refused = Missing()
        elif branch.active_turn is not None:
            refused = Busy()
        elif branch.tip_id == turn_id:
            refused = Unchanged()
        if refused is not None:
            transaction.set_rollback(True)
            return refused
        now = now_ms()
        redo_tip = branch.redo_tip_id or branch.tip_id
        moved = _move(branch, turn_id, redo_tip, committed_branch_ms(turn, now), now)
        what = {"branch": branch.id, "turn": turn_id, "from": branch.tip_id}
        _append(access, "branch_rolled_back", turn_id, what, head, now)
    return RolledBack(branch.id, turn_id, moved, head.seq)


def branch_redo(access: Access) -> RolledBack | Unchanged | Busy:
    """Bring back what a rollback has left behind on the branch that is looked at."""
    with transaction.atomic():
        head = claim(access.conversation.id)
        branch = viewed_branch(access)
        if branch.redo_tip_id is None or branch.active_turn is not None:
            transaction.set_rollback(True)
            return Unchanged() if branch.redo_tip_id is None else Busy()
        now = now_ms()
        tip = Turn.objects.get(pk=branch.redo_tip_id)
        moved = _move(branch, tip.id, None, committed_branch_ms(tip, now), now)
        what = {"branch": branch.id, "turn": tip.id, "from": branch.tip_id}
        _append(access, "branch_redone", tip.id, what, head, now)
    return RolledBack(branch.id, tip.id, moved, head.seq)


def _move(branch: Branch, tip: UUID, redo_tip: UUID | None, clock_ms: int, now: int) -> int:
    """Move the tip of a branch on which no answer is written, and return its new version."""
    Branch.objects.filter(pk=branch.id).update(
        tip_id=tip,
        redo_tip_id=redo_tip,
        version=F("version") + 1,
        clock_ms=clock_ms,
        clock_set_ms=now,
    )
    return branch.version + 1


def branch_archive(
    access: Access, branch_id: UUID, *, archived: bool
) -> Changed | Unchanged | Busy | Missing:
    """Put a branch away, or bring it back; the main line stays.

    Who had chosen it looks at the branch that it left, or at the main line.
    """
    with transaction.atomic():
        head = claim(access.conversation.id)
        branch = _branch(access, branch_id)
        refused: Unchanged | Busy | Missing | None = None
        if branch is None or branch.origin == Branch.Origin.MAIN:
            refused = Missing()
        elif branch.active_turn is not None:
            refused = Busy()
        elif (branch.archived_ms is not None) is archived:
            refused = Unchanged()
        if refused is not None or branch is None:
            transaction.set_rollback(True)
            return refused or Missing()
        now = now_ms()
        Branch.objects.filter(pk=branch_id).update(archived_ms=now if archived else None)
        if archived and chosen_branch(access).id == branch_id:
            look_at(access, _refuge(branch), now)
        kind = "branch_archived" if archived else "branch_restored"
        _append(access, kind, None, {"branch": branch_id}, head, now)
    return Changed(head.seq)


def _refuge(branch: Branch) -> Branch:
    """Return the branch that one left, or the nearest before it that is not archived."""
    left = branch
    while left.left_branch is not None:
        left = left.left_branch
        if left.archived_ms is None:
            return left
    return Branch.objects.get(conversation=branch.conversation_id, origin=Branch.Origin.MAIN)


def _branch(access: Access, branch_id: UUID) -> Branch | None:
    rows = Branch.objects.filter(pk=branch_id, conversation=access.conversation)
    return rows.select_related("tip", "left_branch").first()


def _turn(access: Access, turn_id: UUID) -> Turn | None:
    rows = Turn.objects.filter(pk=turn_id, conversation=access.conversation)
    return rows.select_related("parent").first()


def _append(
    access: Access,
    kind: str,
    turn_id: UUID | None,
    what: Mapping[str, object],
    head: Head,
    now: int,
) -> None:
    change = Change(kind, turn_id, input=tree_payload(what))
    append(access.conversation.id, access.keys, change, head, now)
