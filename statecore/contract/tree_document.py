"""Trees as text: read and checked, made of a state where a file holds one path, and written."""

import json

from pydantic import ValidationError

from statecore.contract.document import KNOWN, UPGRADES, contract_from, read_json, version_of
from statecore.contract.places import first_wrong, wrong
from statecore.contract.schema import CURRENT
from statecore.contract.tree_checks import check_tree
from statecore.contract.tree_paths import tree_of
from statecore.contract.tree_schema import TREE, Tree

ALL_KNOWN = (*KNOWN, TREE)


def parse_tree(text: str) -> Tree:
    """Return the tree that a JSON text holds; a state of any version is a tree of one branch.

    Raises:
        InvalidInput: naming the first place that is wrong, and why.
    """
    return tree_from(read_json(text), text)


def tree_from(found: object, text: str | None = None) -> Tree:
    """Return the tree that a JSON value is; arguments and errors as `parse_tree`."""
    version = version_of(found)
    if version not in (*UPGRADES, CURRENT, TREE):
        said = "names no version" if version is None else f"{version} is not known"
        raise wrong(("schema_version",), f"{said}; known are {', '.join(ALL_KNOWN)}")
    if version != TREE:
        return tree_of(contract_from(found, text))
    try:
        tree = Tree.model_validate_json(json.dumps(found) if text is None else text)
    except ValidationError as error:
        raise first_wrong(error) from None
    check_tree(tree)
    return tree


def dump_tree(tree: Tree) -> str:
    """Return a tree as JSON text; equal trees give equal text."""
    return tree.model_dump_json(indent=1, exclude_defaults=True) + "\n"
