"""The hash of a tree: equal wherever the conversation lies, and under whatever ids."""

import hashlib
import json
from typing import Any

from statecore.contract.renaming import Named, Names
from statecore.contract.tree_renaming import renamed_tree
from statecore.contract.tree_schema import Tree


def tree_hash(tree: Tree) -> str:
    """Return the SHA-256 of the canonical form as hexadecimal digits; it is never stored."""
    text = json.dumps(
        canonical_tree(tree), ensure_ascii=False, sort_keys=True, separators=(",", ":")
    )
    return hashlib.sha256(text.encode()).hexdigest()


def canonical_tree(tree: Tree) -> dict[str, Any]:
    """Return the canonical form: ids are places in the tree, seqs are ranks.

    How requests were made is no part of it, nor when the conversation was begun and last changed.
    """
    found = under_places(_ordered(tree))
    document = found.model_dump(mode="json", exclude={"request_meta"}, exclude_defaults=True)
    for name in ("id", "created_ms", "updated_ms"):
        document["conversation"].pop(name, None)
    return document


def under_places(tree: Tree) -> Tree:
    """Return a tree in which ids are places and seqs are ranks; all else is as it was."""
    messages = {one.id: f"system {number}" for number, one in enumerate(tree.system, start=1)}
    turns: dict[str, str] = {}
    for number, turn in enumerate(tree.turns, start=1):
        turns[turn.id] = f"t{number}"
        first = 1 if turn.input_of is None else 2
        for position, message in enumerate(turn.messages, start=first):
            messages[message.id] = f"m{number}.{position}"
    names = Names(
        conversation="this",
        turns=turns,
        messages=messages,
        seqs={seq: rank for rank, seq in enumerate(sorted(tree.seqs()), start=1)},
        facts={fact.id: f"f{number}" for number, fact in enumerate(tree.facts, start=1)},
        elsewhere=_elsewhere,
    )
    branches = {branch.id: f"b{number}" for number, branch in enumerate(tree.branches, start=1)}
    return renamed_tree(tree, names, branches)


def _ordered(tree: Tree) -> Tree:
    """Return a tree in which what has no order of its own stands in one.

    How an input came to wait for its answer is no part of the state.
    """
    fields = tuple(sorted(tree.contract_fields, key=lambda field: field.key))
    turns = tuple(
        turn if turn.is_committed else turn.model_copy(update={"status": "interrupted"})
        for turn in tree.turns
    )
    return tree.model_copy(update={"contract_fields": fields, "turns": turns})


def _elsewhere(what: Named, _name: str, number: int) -> str:
    return f"other {what} {number}"
