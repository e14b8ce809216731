"""The state machine of a workflow: where a conversation stands, and what it holds."""

from dataclasses import dataclass

from statecore.memory.ledger import Span


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

    def critical(self) -> tuple[HeldValue, ...]:
        """Return the values that are never cut."""
        return tuple(held for held in self.values if held.critical)
