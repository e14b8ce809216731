"""How the memory of a tree holds together with the paths that it is inherited on."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from statecore.contract.places import Steps, wrong
from statecore.contract.tree_schema import Tree
from statecore.memory.ledger import Span
from statecore.state.operations import Add, SetField, scope_of


class _Stretch(NamedTuple):
    """When a walk through the tree comes to a turn, and when it has left all below it."""

    begins: int
    ends: int


class _Cited(NamedTuple):
    place: Steps
    turn: str | None
    """Whose paths cite it; None for those that begin before the first turn."""
    span: Span


def check_on_paths(tree: Tree) -> None:
    """Let a memory pass in which nothing cites what does not lie on its path.

    Its parts must have been checked without the paths.

    Raises:
        InvalidInput: naming the first place where something does.
    """
    turns = {turn.id: turn for turn in tree.turns}
    for number, act in enumerate(tree.memory.acts()):
        place: Steps = ("memory", "operations", number)
        if act.turn_id is not None and act.turn_id not in turns:
            raise wrong((*place, "turn_id"), f"there is no turn {act.turn_id}")
        if isinstance(act.action, Add) and (act.action.depth or 0) > act.depth:
            said = f"the operation belongs to a turn of depth {act.depth}"
            raise wrong((*place, "action", "add", "depth"), said)
    walked = _walked(tree)
    owners = {message.id: turn.id for turn in tree.turns for message in turn.messages}
    sharing: dict[str, list[str]] = {}
    for turn in tree.turns:
        if turn.input_of is not None:
            input_id = turns[turn.input_of].messages[0].id
            sharing.setdefault(input_id, []).append(turn.id)
    for cited in _cited(tree):
        owner = owners.get(cited.span.message_id)
        where = [] if owner is None else [owner, *sharing.get(cited.span.message_id, ())]
        if where and not any(_is_above(one, cited.turn, walked) for one in where):
            said = f"message {cited.span.message_id} lies on another branch"
            raise wrong(cited.place, said)


def _cited(tree: Tree) -> Iterator[_Cited]:
    for number, delta in enumerate(tree.memory.deltas):
        place: Steps = ("memory", "deltas", number)
        for index, learned in enumerate(delta.learned):
            yield _Cited((*place, "learned", index, "span"), delta.turn_id, learned.span)
        for index, rejected in enumerate(delta.rejected):
            yield _Cited((*place, "rejected", index, "span"), delta.turn_id, rejected.span)
        for index, field in enumerate(delta.fields):
            if field.source is not None:
                yield _Cited((*place, "fields", index, "source"), delta.turn_id, field.source)
    for number, act in enumerate(tree.memory.acts()):
        place = ("memory", "operations", number, "action")
        if scope_of(act.action) == "conversation":
            continue
        if isinstance(act.action, Add) and act.action.span is not None:
            yield _Cited((*place, "add", "span"), act.turn_id, act.action.span)
        if isinstance(act.action, SetField) and act.action.field.source is not None:
            source = act.action.field.source
            yield _Cited((*place, "set_field", "field", "source"), act.turn_id, source)


def _is_above(turn: str, node: str | None, walked: Mapping[str, _Stretch]) -> bool:
    """Return whether a turn is a node, or lies on the path to it."""
    if node is None:
        return False
    return walked[turn].begins <= walked[node].begins < walked[turn].ends


def _walked(tree: Tree) -> Mapping[str, _Stretch]:
    sizes = dict.fromkeys((turn.id for turn in tree.turns), 1)
    for turn in reversed(tree.turns):
        if turn.parent is not None:
            sizes[turn.parent] += sizes[turn.id]
    free: dict[str | None, int] = {None: 0}
    found: dict[str, _Stretch] = {}
    for turn in tree.turns:
        begins = free[turn.parent]
        free[turn.parent] = begins + sizes[turn.id]
        free[turn.id] = begins + 1
        found[turn.id] = _Stretch(begins, begins + sizes[turn.id])
    return found
