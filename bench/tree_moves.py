"""Moves every conversation of some files in, out and in again; a process of its own.

Prints one line of JSON a file: how many there are, and each thing that did not come out as it went
in.
"""

import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import django

from statecore.contract.hashing import state_hash
from statecore.contract.tree_document import dump_tree, parse_tree
from statecore.contract.tree_hashing import tree_hash, under_places
from statecore.contract.tree_paths import path_of
from statecore.contract.tree_schema import Tree
from statecore.formats.conversations import Unfit, conversations_of

if TYPE_CHECKING:
    from django.contrib.auth.models import User

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "chatapp.settings")

SHOWN_FAULTS = 20


def main() -> None:
    """Move the files that the command line names."""
    django.setup()
    from django.contrib.auth.models import User  # noqa: PLC0415  # Django must be set up before
    from django.db import connection  # noqa: PLC0415

    user = User.objects.create_user("mover")
    for name in sys.argv[1:]:
        print(json.dumps(_moved(user, Path(name)) | {"database": connection.vendor}))


def _moved(user: "User", path: Path) -> dict[str, Any]:
    counts = dict.fromkeys(
        ("conversations", "good", "turns", "messages", "branches", "left_out"), 0
    )
    faults: list[str] = []
    begun = time.monotonic()
    for found in conversations_of(path.read_text(encoding="utf-8")):
        counts["conversations"] += 1
        if isinstance(found, Unfit):
            faults.append(f"{found.place}: {found.why}")
            continue
        own = [f"{found.place}: {fault}" for fault in faults_of(user, found.tree)]
        faults += own
        counts["good"] += not own
        counts["turns"] += len(found.tree.turns)
        counts["messages"] += len(found.tree.messages())
        counts["branches"] += len(found.tree.branches)
        counts["left_out"] += sum(found.left_out.values())
    seconds = time.monotonic() - begun
    return counts | {"file": path.name, "faults": faults[:SHOWN_FAULTS], "seconds": seconds}


def faults_of(user: "User", given: Tree) -> Iterator[str]:
    """Yield what of a tree is not what it was after it came in, went out and came in again."""
    once = _through(user, given)
    yield from _differences(user, given, once)
    again = _through(user, parse_tree(dump_tree(once)))
    yield from _differences(user, once, again)
    if dump_tree(under_places(once)) != dump_tree(under_places(again)):
        yield "the second document is not the first but for its ids"


def _through(user: "User", given: Tree) -> Tree:
    from chatapp.access import conversation_for, owner_of  # noqa: PLC0415
    from chatapp.selectors.contract_tree import tree_of  # noqa: PLC0415
    from chatapp.services.importing import tree_import_new  # noqa: PLC0415

    found = tree_of(conversation_for(user, tree_import_new(owner_of(user), given)))
    assert isinstance(found, Tree)  # noqa: S101  # it was let in, so it is not too long
    # Where a file has no system message, that of the conversation stays in force.
    return found if given.system else found.model_copy(update={"system": ()})


def _differences(user: "User", given: Tree, found: Tree) -> Iterator[str]:
    from uuid import UUID  # noqa: PLC0415

    from chatapp.access import conversation_for  # noqa: PLC0415
    from chatapp.selectors.contract import contract_of  # noqa: PLC0415
    from chatapp.store.verification import verify_conversation  # noqa: PLC0415
    from statecore.contract.schema import Contract  # noqa: PLC0415

    if tree_hash(given) != tree_hash(found):
        yield "the hash of the tree is another"
    if _texts(given, given.selected) != _texts(found, found.selected):
        yield "another branch is looked at"
    conversation_id = UUID(found.conversation.id)
    for before, after in zip(given.branches, found.branches, strict=True):
        if _texts(given, before.id) != _texts(found, after.id):
            yield f"messages of branch {before.id} differ"
        state = contract_of(conversation_for(user, conversation_id, UUID(after.id)))
        assert isinstance(state, Contract)  # noqa: S101  # a path is no longer than its tree
        bare = state if given.system else state.model_copy(update={"system": None})
        if state_hash(path_of(given, before.id)) != state_hash(bare):
            yield f"the state hash of branch {before.id} is another"
    access = conversation_for(user, conversation_id)
    for fault in verify_conversation(conversation_id, access.keys).findings:
        yield f"the log does not verify: {fault}"


def _texts(tree: Tree, branch_id: str) -> list[tuple[str, str]]:
    return [(message.role, message.text) for message in path_of(tree, branch_id).messages()]


if __name__ == "__main__":
    main()
