"""Reads branches: which one a person looks at, what time it is there, and what it is called."""

from uuid import UUID

from django.db.models import Exists, OuterRef

from chatapp.access import Access
from chatapp.keyring import SpaceKeys
from chatapp.models import Branch, Selection, Turn
from chatapp.store.sealing import seal_text
from statecore.tree import BranchClock


def viewed_branch(access: Access) -> Branch:
    """Return the branch that is looked at, with its tip and its conversation; one query.

    It is the one that the request names, else the one that its reader chose last, else the main
    line.
    """
    found = Branch.objects.filter(conversation=access.conversation).select_related(
        "tip", "conversation"
    )
    if access.branch_id is not None:
        return found.get(pk=access.branch_id)
    chosen = Selection.objects.filter(user_id=access.owner.user_id, branch=OuterRef("pk"))
    ordered = found.alias(chosen=Exists(chosen)).order_by("-chosen", "created_seq", "id")
    return ordered[:1].get()


def clock_of(branch: Branch) -> BranchClock:
    """Return the clock of a branch that was read with its tip."""
    tip = branch.tip
    return BranchClock(
        tip_branch_ms=None if tip is None else tip.branch_ms,
        tip_accepted_ms=0 if tip is None else tip.accepted_ms,
        clock_ms=branch.clock_ms,
        clock_set_ms=branch.clock_set_ms,
    )


def committed_branch_ms(turn: Turn | None, now_ms: int) -> int:
    """Return the branch time at which a turn was committed; the wall time before the first one."""
    if turn is None or turn.committed_ms is None:
        return now_ms
    return turn.branch_ms + max(0, turn.committed_ms - turn.accepted_ms)


def seal_name(branch_id: UUID, name: str, keys: SpaceKeys) -> bytes:
    """Return the name of a branch ready to be stored."""
    return seal_text(keys, "chatapp_branch", "name", branch_id, name)
