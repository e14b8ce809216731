"""Builds small workflows, and walks through the one that ships."""

import tomllib
from copy import deepcopy
from pathlib import Path

from statecore.workflow.definition import Definition
from statecore.workflow.documents import definition_of
from statecore.workflow.machine import GivenValue, WorkflowState, advance, start

SHIPPED = Path(__file__).resolve().parents[2] / "chatapp" / "workflows"

SMALL = {
    "name": "lend",
    "version": 3,
    "start": "ask",
    "states": [{"name": "ask", "retries": 1}, {"name": "lent", "terminal": True}],
    "fields": [
        {"key": "title", "type": "text", "critical": True},
        {"key": "pages", "type": "number"},
    ],
    "moves": [
        {
            "name": "lend",
            "from": "ask",
            "to": "lent",
            "takes": ["title", "pages"],
            "requires": ["title"],
            "guards": [{"rule": "Thick books stay.", "field": "pages", "at_most": 500}],
        },
        {"name": "ask_again", "from": "ask", "to": "ask"},
    ],
}
"""A book is lent: the smallest machine with a guard, a limit and an end."""


def changed(*path, to) -> dict:
    """Return the small document with one value of it changed; a None as the last step adds it."""
    document = deepcopy(SMALL)
    place = document
    for step in path[:-1]:
        place = place[step]
    if path[-1] is None:
        place.append(to)
    else:
        place[path[-1]] = to
    return document


def shipped(name: str) -> Definition:
    return definition_of(tomllib.loads((SHIPPED / f"{name}.toml").read_text(encoding="utf-8")))


def given(**values: str) -> list[GivenValue]:
    return [GivenValue(key, value) for key, value in values.items()]


def walked(definition: Definition, *steps: tuple[str, dict[str, str]]) -> WorkflowState:
    """Return the state after some moves, each confirmed."""
    state = start(definition)
    for move, values in steps:
        state = advance(definition, state, move, given(**values), confirmed=True)
    return state
