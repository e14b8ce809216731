"""The workflows that ship with the application, one file each."""

import tomllib
from functools import cache
from pathlib import Path

from statecore.workflow.definition import Definition
from statecore.workflow.documents import definition_of

FOLDER = Path(__file__).resolve().parent


@cache
def workflow(name: str) -> Definition:
    """Return the newest definition of a workflow.

    Raises:
        KeyError: when none of that name ships.
    """
    if name not in workflow_names():
        raise KeyError(name)
    with (FOLDER / f"{name}.toml").open("rb") as file:
        return definition_of(tomllib.load(file))


@cache
def workflow_names() -> tuple[str, ...]:
    """Return the names of the workflows that ship, in alphabetical order."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))
