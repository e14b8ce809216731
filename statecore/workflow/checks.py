"""Checks that a definition of a workflow holds together; a machine relies on them."""

from collections import Counter
from collections.abc import Iterable, Iterator

from statecore.errors import InvalidInput, place_of
from statecore.workflow.definition import Definition, Transition
from statecore.workflow.guards import fields_of


def check(definition: Definition) -> None:
    """Make sure that a machine can run a definition.

    Raises:
        InvalidInput: naming the first place that is wrong, and what is wrong with it.
    """
    for fault in _faults(definition):
        raise InvalidInput(fault)


def _faults(definition: Definition) -> Iterator[str]:
    yield from _doubles("states", (state.name for state in definition.states))
    yield from _doubles("fields", (field.key for field in definition.fields))
    yield from _doubles("moves", (move.name for move in definition.transitions))
    for index, field in enumerate(definition.fields):
        if (field.type == "choice") != bool(field.choices):
            yield _said(("fields", index, "choices"), "a field has choices if its type is choice")
    if definition.state(definition.start) is None:
        yield _said(("start",), f"there is no state {definition.start!r}")
    for index, move in enumerate(definition.transitions):
        yield from _faults_of_move(definition, move, index)
    yield from _faults_of_ways(definition)


def _doubles(part: str, names: Iterable[str]) -> Iterator[str]:
    for name, times in Counter(names).items():
        if times > 1:
            yield _said((part,), f"the name {name!r} stands for more than one")


def _faults_of_move(definition: Definition, move: Transition, index: int) -> Iterator[str]:
    place = ("moves", index)
    for name in move.sources:
        state = definition.state(name)
        if state is None:
            yield _said((*place, "from"), f"there is no state {name!r}")
        elif state.is_terminal:
            yield _said((*place, "from"), f"{name!r} is an end: no move leads out of it")
    if definition.state(move.target) is None:
        yield _said((*place, "to"), f"there is no state {move.target!r}")
    if move.is_critical and move.mode != "propose":
        yield _said((*place, "mode"), f"a critical move is proposed, never {move.mode}")
    yield from _faults_of_fields(definition, move, place)


def _faults_of_fields(
    definition: Definition, move: Transition, place: tuple[str | int, ...]
) -> Iterator[str]:
    for step, keys in (("takes", move.takes), ("requires", move.requires)):
        for key in keys:
            if definition.field(key) is None:
                yield _said((*place, step), f"there is no field {key!r}")
    taken = {key for other in definition.transitions for key in other.takes}
    looked_at = (key for guard in move.guards for key in fields_of(guard.test))
    for key in (*move.requires, *looked_at):
        if key not in taken:
            yield _said(place, f"it needs {key!r}, which no move takes")


def _faults_of_ways(definition: Definition) -> Iterator[str]:
    """Yield the states that cannot be reached, and those from which no end can be."""
    forth = {
        s.name: {m.target for m in definition.transitions_from(s.name)} for s in definition.states
    }
    back = {name: {other for other in forth if name in forth[other]} for name in forth}
    ends = {state.name for state in definition.states if state.is_terminal}
    reached, ending = _spread({definition.start}, forth), _spread(ends, back)
    for index, state in enumerate(definition.states):
        if state.name not in reached:
            yield _said(("states", index), f"no way leads to {state.name!r}")
        if state.name not in ending:
            yield _said(("states", index), f"no way leads from {state.name!r} to an end")


def _spread(begun: set[str], ways: dict[str, set[str]]) -> set[str]:
    reached: set[str] = set()
    while new := begun - reached:
        reached |= new
        begun = set().union(*(ways[name] for name in new))
    return reached


def _said(place: tuple[str | int, ...], fault: str) -> str:
    return f"{place_of(place)}: {fault}"
