"""Reads branches: which one a person looks at, and what time it is there."""

from django.db.models import Exists, OuterRef

from chatapp.access import Access
from chatapp.models import Branch, Selection
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
