"""Trees as text: read and checked, made of a state where a file holds one path, and written."""

import json

from pydantic import ValidationError

from statecore.contract.document import (
    KNOWN,
    UPGRADES,
    contract_from,
    place_in_file,
    read_json,
    version_of,
)
from statecore.contract.places import WrongAt, first_wrong, wrong
from statecore.contract.schema import CURRENT
from statecore.contract.tree_checks import check_tree
from statecore.contract.tree_paths import tree_of
from statecore.contract.tree_schema import TREE, Tree
from statecore.errors import InvalidInput

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


def as_in_file(error: InvalidInput, found: object) -> InvalidInput:
    """Return an error about a tree with the place of the document that the tree was made of.

    Args:
        error: what is wrong with the tree.
        found: the document, one that `tree_from` has taken.
    """
    if not isinstance(error, WrongAt) or version_of(found) in (None, TREE):
        return error
    steps = error.steps
    # A state has one system message where a tree has all that there were.
    steps = ("system", *steps[2:]) if steps[:2] == ("system", 0) else steps
    return wrong(place_in_file(found, steps), error.sentence)


def dump_tree(tree: Tree) -> str:
    """Return a tree as JSON text; equal trees give equal text."""
    return tree.model_dump_json(indent=1, exclude_defaults=True) + "\n"
