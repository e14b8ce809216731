"""The stored form of deltas, operations and checkpoints: canonical JSON with a version."""

import json
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from statecore.errors import InvalidInput
from statecore.state.fold import PathMemory
from statecore.state.operations import (
    Action,
    Add,
    Delete,
    Delta,
    Edit,
    Operation,
    Pin,
    RemoveField,
    SetField,
    Undo,
)

VERSION = 1


@dataclass(frozen=True, slots=True)
class ActForm:
    """An action under its name; exactly one is there."""

    edit: Edit | None = None
    delete: Delete | None = None
    pin: Pin | None = None
    add: Add | None = None
    undo: Undo | None = None
    set_field: SetField | None = None
    remove_field: RemoveField | None = None

    @property
    def actions(self) -> dict[str, Action]:
        """What is there, by name."""
        named = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: action for name, action in named.items() if action is not None}


_NAMES: dict[type[Action], str] = {
    Edit: "edit",
    Delete: "delete",
    Pin: "pin",
    Add: "add",
    Undo: "undo",
    SetField: "set_field",
    RemoveField: "remove_field",
}


@dataclass(frozen=True, slots=True)
class OperationForm:
    """An operation as stored."""

    seq: int
    turn_id: str | None
    depth: int
    created_ms: int
    action: ActForm


@dataclass(frozen=True, slots=True)
class _Path:
    """A checkpoint as stored."""

    deltas: tuple[Delta, ...]
    operations: tuple[OperationForm, ...]
    as_of: int
    depth: int
    settled_depth: int
    waiting: tuple[str, ...]
    left_out: int


class _Stored(BaseModel):
    """What every stored form has around it."""

    model_config = ConfigDict(extra="forbid", strict=True)

    v: Literal[1]


class _StoredDelta(_Stored):
    """A stored delta."""

    delta: Delta


class _StoredOperation(_Stored):
    """A stored operation."""

    operation: OperationForm


class _StoredPath(_Stored):
    """A stored checkpoint."""

    path: _Path


_Form = TypeVar("_Form", bound=_Stored)


def encode_delta(delta: Delta) -> bytes:
    """Return a delta as it is stored."""
    return _encoded({"delta": asdict(delta)})


def decode_delta(body: bytes) -> Delta:
    """Return a stored delta.

    Raises:
        InvalidInput: when it is none; names the place, never the text there.
    """
    return _decoded(_StoredDelta, body).delta


def encode_operation(operation: Operation) -> bytes:
    """Return an operation as it is stored."""
    return _encoded({"operation": _operation_out(operation)})


def decode_operation(body: bytes) -> Operation:
    """Return a stored operation.

    Raises:
        InvalidInput: as `decode_delta`.
    """
    return operation_of(_decoded(_StoredOperation, body).operation, "action")


def encode_path_memory(path: PathMemory) -> bytes:
    """Return a checkpoint as it is stored."""
    parts = {
        "deltas": [asdict(delta) for delta in path.deltas],
        "operations": [_operation_out(operation) for operation in path.operations],
        "as_of": path.as_of,
        "depth": path.depth,
        "settled_depth": path.settled_depth,
        "waiting": sorted(path.waiting),
        "left_out": path.left_out,
    }
    return _encoded({"path": parts})


def decode_path_memory(body: bytes) -> PathMemory:
    """Return a stored checkpoint.

    Raises:
        InvalidInput: as `decode_delta`.
    """
    stored = _decoded(_StoredPath, body).path
    operations = tuple(
        operation_of(operation, f"operations[{number}].action")
        for number, operation in enumerate(stored.operations)
    )
    return PathMemory(
        deltas=stored.deltas,
        operations=operations,
        as_of=stored.as_of,
        depth=stored.depth,
        settled_depth=stored.settled_depth,
        waiting=frozenset(stored.waiting),
        left_out=stored.left_out,
    )


def _encoded(parts: dict[str, Any]) -> bytes:
    whole = {"v": VERSION, **parts}
    text = json.dumps(whole, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return text.encode()


def operation_form(operation: Operation) -> OperationForm:
    """Return an operation in the form in which it is stored and moved."""
    named: dict[str, Any] = {_NAMES[type(operation.action)]: operation.action}
    act = ActForm(**named)
    return OperationForm(
        operation.seq, operation.turn_id, operation.depth, operation.created_ms, act
    )


def _operation_out(operation: Operation) -> dict[str, Any]:
    name = _NAMES[type(operation.action)]
    parts = asdict(operation)
    return parts | {"action": {name: parts["action"]}}


def operation_of(stored: OperationForm, place: str) -> Operation:
    """Return the operation of a form.

    Args:
        stored: the form.
        place: of its action, for the sentence of an error.

    Raises:
        InvalidInput: when it has not exactly one action.
    """
    actions = stored.action.actions
    if len(actions) != 1:
        raise InvalidInput(f"{place}: {len(actions)} actions where there is one")
    (action,) = actions.values()
    return Operation(stored.seq, stored.turn_id, stored.depth, action, stored.created_ms)


def _decoded(form: type[_Form], body: bytes) -> _Form:
    try:
        return form.model_validate_json(body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        raise InvalidInput(f"{_place(first['loc'])}: {first['msg']}") from None


def _place(location: tuple[int | str, ...]) -> str:
    parts = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in location)
    place = "".join(parts).removeprefix(".")
    for whole in ("delta.", "operation.", "path."):
        place = place.removeprefix(whole)
    return place or "the whole"
