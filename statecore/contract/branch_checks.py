"""How the branches of a tree hold together, and with its turns."""

from collections.abc import Mapping
from itertools import pairwise

from statecore.contract.places import Steps, wrong
from statecore.contract.tree_schema import Tree, TreeBranch, TreeTurn


def check_branches(tree: Tree) -> None:
    """Let branches pass that are where the turns are; those must have been checked.

    Raises:
        InvalidInput: naming the first place that is wrong.
    """
    turns = {turn.id: turn for turn in tree.turns}
    known: set[str] = set()
    for number, branch in enumerate(tree.branches):
        place: Steps = ("branches", number)
        _check_left(branch, known, place, is_first=number == 0)
        _check_turns(branch, turns, place)
        _check_clock(branch, place)
        known.add(branch.id)
    for number, (one, other) in enumerate(pairwise(tree.branches[1:]), start=2):
        if other.created_seq < one.created_seq:
            said = f"the seq {other.created_seq} comes before {one.created_seq}"
            raise wrong(("branches", number, "created_seq"), said)
    for number, turn in enumerate(tree.turns):
        if turn.branch not in known:
            raise wrong(("turns", number, "branch"), f"there is no branch {turn.branch}")
    selected = [branch for branch in tree.branches if branch.id == tree.selected]
    if not selected:
        raise wrong(("selected",), f"there is no branch {tree.selected}")
    if selected[0].archived_ms is not None:
        raise wrong(("selected",), "the branch is archived")


def _check_left(branch: TreeBranch, known: set[str], place: Steps, *, is_first: bool) -> None:
    if is_first != (branch.origin == "main"):
        raise wrong((*place, "origin"), "the first branch is the main line, and no other is")
    if is_first != (branch.left_branch is None):
        said = "every branch but the main line names the one that it left"
        raise wrong((*place, "left_branch"), said)
    if branch.left_branch is not None and branch.left_branch not in known:
        raise wrong((*place, "left_branch"), f"there is no branch {branch.left_branch} before it")


def _check_turns(branch: TreeBranch, turns: Mapping[str, TreeTurn], place: Steps) -> None:
    for name in ("parent_turn", "tip", "redo_tip"):
        found = getattr(branch, name)
        if found is not None and (found not in turns or not turns[found].is_committed):
            raise wrong((*place, name), f"there is no committed turn {found}")
    if branch.redo_tip is not None and not _leads(branch.tip, turns[branch.redo_tip], turns):
        raise wrong((*place, "redo_tip"), "does not come after the tip")


def _leads(tip: str | None, turn: TreeTurn, turns: Mapping[str, TreeTurn]) -> bool:
    """Return whether a turn comes after a tip."""
    depth = 0 if tip is None else turns[tip].depth
    while turn.parent is not None and turn.depth > depth + 1:
        turn = turns[turn.parent]
    return turn.depth == depth + 1 and turn.parent == tip


def _check_clock(branch: TreeBranch, place: Steps) -> None:
    if branch.clock_ms is None and branch.clock_set_ms is not None:
        raise wrong((*place, "clock_set_ms"), "a clock that was never set does not go on")
    if branch.origin == "main" and branch.archived_ms is not None:
        raise wrong((*place, "archived_ms"), "the main line is never archived")
    if branch.origin == "main" and (branch.created_seq or branch.created_ms):
        raise wrong((*place, "created_seq"), "the main line was there from the first")
