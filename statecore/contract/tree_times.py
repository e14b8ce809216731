"""The moments that a tree names."""

from collections.abc import Iterator

from statecore.contract.times import Named, moments
from statecore.contract.tree_checks import flattened
from statecore.contract.tree_schema import Tree

_OF_BRANCHES = ("created_ms", "archived_ms", "clock_ms", "clock_set_ms")


def tree_moments(tree: Tree) -> Iterator[Named]:
    """Yield all times at which something was said or done, in milliseconds since the epoch."""
    yield from moments(flattened(tree))
    for name in ("created_ms", "updated_ms"):
        if (found := getattr(tree.conversation, name)) is not None:
            yield Named(("conversation", name), found)
    for number, branch in enumerate(tree.branches):
        for name in _OF_BRANCHES:
            if (found := getattr(branch, name)) is not None:
                yield Named(("branches", number, name), found)
