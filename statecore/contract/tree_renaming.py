"""A tree under other ids and seqs: for another installation, or for comparing."""

from collections.abc import Mapping

from statecore.contract.renaming import Names, renamed_rest, renamed_turn
from statecore.contract.tree_schema import Tree, TreeBranch, TreeTurn


def renamed_tree(tree: Tree, names: Names, branches: Mapping[str, str]) -> Tree:
    """Return a tree under new names; what it says stays the same.

    Args:
        tree: one that was checked.
        names: new names of everything but branches.
        branches: new id of each branch.
    """

    def turn_or_none(name: str | None) -> str | None:
        return None if name is None else names.turns[name]

    def branch_of(branch: TreeBranch) -> TreeBranch:
        left = branch.left_branch
        is_main = branch.origin == "main"
        return branch.model_copy(
            update={
                "id": branches[branch.id],
                "left_branch": None if left is None else branches[left],
                "parent_turn": turn_or_none(branch.parent_turn),
                "tip": turn_or_none(branch.tip),
                "redo_tip": turn_or_none(branch.redo_tip),
                "created_seq": 0 if is_main else names.seqs[branch.created_seq],
            }
        )

    def turn_of(turn: TreeTurn) -> TreeTurn:
        return renamed_turn(turn, names).model_copy(
            update={
                "parent": turn_or_none(turn.parent),
                "branch": branches[turn.branch],
                "input_of": turn_or_none(turn.input_of),
            }
        )

    return tree.model_copy(
        update={
            "conversation": tree.conversation.model_copy(update={"id": names.conversation}),
            "system": tuple(
                one.model_copy(update={"id": names.messages[one.id], "seq": names.seqs[one.seq]})
                for one in tree.system
            ),
            "branches": tuple(map(branch_of, tree.branches)),
            "selected": branches[tree.selected],
            "turns": tuple(map(turn_of, tree.turns)),
            **renamed_rest(tree, names),
        }
    )
