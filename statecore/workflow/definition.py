"""The definition of a workflow: states, fields and legal moves, as data."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from statecore.workflow.guards import Guard
from statecore.workflow.values import FieldType, Value, value_of

Mode = Literal["propose", "offer", "audit"]
"""propose: the model proposes, the machine validates; offer: the machine lists the legal moves and
the model picks one; audit: free, and checked afterwards. A critical move is always proposed."""


@dataclass(frozen=True, slots=True)
class FieldDefinition:
    """One value that the machine may hold."""

    key: str
    type: FieldType
    is_critical: bool = False
    """Whether a request without it could break the business rules; then it is never cut."""
    choices: tuple[str, ...] = ()
    """What a field of type choice may be; empty for the other types."""

    def read(self, text: str) -> Value | None:
        """Return what a text says here; None when it is no value of this field."""
        return value_of(text, self.type, self.choices)


@dataclass(frozen=True, slots=True)
class StateDefinition:
    """One state of the machine."""

    name: str
    is_terminal: bool = False
    retries: int | None = None
    """How often it may be asked again before it has to be left; None for no limit."""


@dataclass(frozen=True, slots=True)
class Transition:
    """One legal move."""

    name: str
    sources: tuple[str, ...]
    """Names of the states that it may start from."""
    target: str
    mode: Mode = "offer"
    is_critical: bool = False
    """Touches money, permission, commitment or deletion: needs the user's yes."""
    takes: tuple[str, ...] = ()
    """Keys of the fields that it may bring a value for."""
    requires: tuple[str, ...] = ()
    """Keys of the fields that must have a value after it."""
    guards: tuple[Guard, ...] = ()
    """All must hold."""


@dataclass(frozen=True, slots=True)
class Definition:
    """One version of a workflow."""

    name: str
    version: int
    start: str
    """Name of the state that it begins in."""
    states: tuple[StateDefinition, ...]
    fields: tuple[FieldDefinition, ...]
    transitions: tuple[Transition, ...]

    def state(self, name: str) -> StateDefinition | None:
        """Return the state of a name."""
        return next((state for state in self.states if state.name == name), None)

    def field(self, key: str) -> FieldDefinition | None:
        """Return the field of a key."""
        return next((field for field in self.fields if field.key == key), None)

    def transitions_from(self, state: str) -> Iterator[Transition]:
        """Yield the moves that start from a state, in the order of the definition."""
        return (move for move in self.transitions if state in move.sources)
