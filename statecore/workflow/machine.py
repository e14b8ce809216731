"""The state machine of a workflow: where a conversation stands, and what it holds.

Business rules live here and in the definition, never in a prompt: a move that is not legal is not
made, whoever proposes it.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from statecore.errors import StateCoreError
from statecore.memory.ledger import Span
from statecore.workflow.definition import Definition, Mode, StateDefinition, Transition
from statecore.workflow.guards import fields_of, judged
from statecore.workflow.values import EXPECTED, Value


@dataclass(frozen=True, slots=True)
class HeldValue:
    """One value that the machine holds."""

    key: str
    value: str
    """As text, exactly as it was said or returned."""
    critical: bool
    """Whether a request without it could break the business rules; then it is never cut."""
    source: Span | None = None
    """Where it was said; None when a tool or a person set it."""


@dataclass(frozen=True, slots=True)
class WorkflowState:
    """T of one conversation, as far as a workflow decides it."""

    workflow: str
    """Name of the definition."""
    version: int
    step: str
    """Name of the state that the machine is in."""
    values: tuple[HeldValue, ...] = ()
    """By key."""
    retry_count: int = 0
    """How often the step was asked again since it was entered; it never falls before it is left."""

    def critical(self) -> tuple[HeldValue, ...]:
        """Return the values that are never cut."""
        return tuple(held for held in self.values if held.critical)


class GivenValue(NamedTuple):
    """A value that a move brings."""

    key: str
    value: str
    """As text, exactly as it was said or returned."""
    source: Span | None = None
    """Where it was said; None when a tool or a person gives it."""


@dataclass(frozen=True, slots=True)
class Move:
    """A move that starts from the present step, and what stands in its way."""

    name: str
    target: str
    mode: Mode
    is_critical: bool
    needs: tuple[str, ...]
    """Keys of the fields that it still has to bring."""
    broken_rules: tuple[str, ...]
    """Why it is not legal, each in one sentence; empty when it is."""

    @property
    def is_legal(self) -> bool:
        """Whether it may be made, once it brings what it needs."""
        return not self.broken_rules


class IllegalMove(StateCoreError):
    """Raised when a move is not legal; says where the machine stands and which rule forbids it."""

    code = "illegal_move"

    def __init__(self, state: WorkflowState, move: str, rule: str) -> None:
        super().__init__(f"{state.workflow}, {state.step} → {move}: {rule}")
        self.step = state.step
        self.move = move
        self.rule = rule
        """In one sentence."""


def start(definition: Definition) -> WorkflowState:
    """Return the state that a workflow begins in."""
    return WorkflowState(definition.name, definition.version, definition.start)


def is_over(definition: Definition, state: WorkflowState) -> bool:
    """Return whether a workflow has reached one of its ends."""
    return _place(definition, state, "").is_terminal


def moves(definition: Definition, state: WorkflowState) -> tuple[Move, ...]:
    """Return all moves from the present step, with the reasons why some are not legal.

    Raises:
        IllegalMove: when the state is not one of this definition.
    """
    place = _place(definition, state, "")
    known = _known(definition, state.values)
    return tuple(
        _judged(place, state, transition, known)
        for transition in definition.transitions_from(state.step)
    )


def legal_moves(definition: Definition, state: WorkflowState) -> tuple[Move, ...]:
    """Return the moves that may be made now, some only with the values that they need.

    Raises:
        IllegalMove: when the state is not one of this definition.
    """
    return tuple(move for move in moves(definition, state) if move.is_legal)


def advance(
    definition: Definition,
    state: WorkflowState,
    move: str,
    values: Iterable[GivenValue] = (),
    *,
    confirmed: bool,
) -> WorkflowState:
    """Return the state after a move.

    Args:
        definition: of the workflow.
        state: where it stands.
        move: name of the move.
        values: what it brings; a later value of a key takes the place of an earlier one.
        confirmed: whether the user has said yes to this very move; a critical one needs it.

    Raises:
        IllegalMove: naming the step, the move and the first rule that is broken.
    """
    place = _place(definition, state, move)
    transition = _transition(definition, state, move)
    held = _with(definition, state, transition, values)
    after = replace(state, step=transition.target, values=held, retry_count=0)
    if transition.target == state.step:
        after = replace(after, retry_count=state.retry_count + 1)
    found = _judged(place, state, transition, _known(definition, held))
    for rule in (*found.broken_rules, *map(_is_not_known, found.needs)):
        raise IllegalMove(state, move, rule)
    if transition.is_critical and not confirmed:
        raise IllegalMove(state, move, "the user has to confirm it first")
    return after


def retried(definition: Definition, state: WorkflowState) -> WorkflowState:
    """Return the state after its step was asked again without a move.

    Raises:
        IllegalMove: when it has been asked as often as the definition allows.
    """
    place = _place(definition, state, "again")
    if _is_exhausted(place, state):
        raise IllegalMove(state, "again", _asked_enough(place))
    return replace(state, retry_count=state.retry_count + 1)


def _place(definition: Definition, state: WorkflowState, move: str) -> StateDefinition:
    if (state.workflow, state.version) != (definition.name, definition.version):
        wanted = f"{definition.name} {definition.version}"
        raise IllegalMove(state, move, f"this is version {state.version}, not {wanted}")
    place = definition.state(state.step)
    if place is None:
        raise IllegalMove(state, move, f"there is no state {state.step!r}")
    return place


def _transition(definition: Definition, state: WorkflowState, move: str) -> Transition:
    for transition in definition.transitions_from(state.step):
        if transition.name == move:
            return transition
    names = [transition.name for transition in definition.transitions_from(state.step)]
    allowed = f"from here lead only {', '.join(names)}" if names else "the workflow has ended here"
    raise IllegalMove(state, move, allowed)


def _judged(
    place: StateDefinition, state: WorkflowState, transition: Transition, known: Mapping[str, Value]
) -> Move:
    broken, needs = [], dict.fromkeys(_missing(transition.requires, known))
    if transition.target == state.step and _is_exhausted(place, state):
        broken.append(_asked_enough(place))
    for guard in transition.guards:
        verdict = judged(guard.test, known)
        if verdict is None:
            needs |= dict.fromkeys(_missing(fields_of(guard.test), known))
        elif not verdict:
            broken.append(guard.rule)
    broken += [_is_not_known(key) for key in needs if key not in transition.takes]
    return Move(
        name=transition.name,
        target=transition.target,
        mode=transition.mode,
        is_critical=transition.is_critical,
        needs=tuple(key for key in needs if key in transition.takes),
        broken_rules=tuple(broken),
    )


def _missing(keys: Iterable[str], known: Mapping[str, Value]) -> Iterator[str]:
    return (key for key in keys if key not in known)


def _is_not_known(key: str) -> str:
    return f"{key} is not known yet"


def _is_exhausted(place: StateDefinition, state: WorkflowState) -> bool:
    return place.retries is not None and state.retry_count >= place.retries


def _asked_enough(place: StateDefinition) -> str:
    return f"{place.name} has been asked again {place.retries} times, which is the limit"


def _known(definition: Definition, values: Iterable[HeldValue]) -> Mapping[str, Value]:
    fields = {field.key: field for field in definition.fields}
    read = {held.key: fields[held.key].read(held.value) for held in values if held.key in fields}
    return {key: value for key, value in read.items() if value is not None}


def _with(
    definition: Definition,
    state: WorkflowState,
    transition: Transition,
    values: Iterable[GivenValue],
) -> tuple[HeldValue, ...]:
    held = {value.key: value for value in state.values}
    for given in values:
        field = definition.field(given.key)
        if field is None or given.key not in transition.takes:
            raise IllegalMove(state, transition.name, f"it brings no value for {given.key}")
        if field.read(given.value) is None:
            expected = ", ".join(field.choices) or EXPECTED[field.type]
            rule = f"{given.key} must be {expected}, not {given.value[:60]!r}"
            raise IllegalMove(state, transition.name, rule)
        held[given.key] = HeldValue(given.key, given.value, field.is_critical, given.source)
    return tuple(held[key] for key in sorted(held))
