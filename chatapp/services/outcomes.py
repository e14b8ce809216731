"""What a use case may answer; expected outcomes are values."""

from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Accepted:
    """The turn was accepted, now or by an earlier post with the same key."""

    turn_id: UUID
    duplicate: bool = False
    parent_id: UUID | None = None
    depth: int = 0
    accepted_ms: int = 0
    version: int = 0
    """Version of the branch after it was accepted."""


@dataclass(frozen=True, slots=True)
class MovedOn:
    """The branch is no longer where the input was typed."""


@dataclass(frozen=True, slots=True)
class Fenced:
    """The turn no longer belongs to this process: whatever it has done is discarded."""


@dataclass(frozen=True, slots=True)
class TextNeeded:
    """The plan needs token counts of these texts first."""

    texts: dict[str, str]
    """By message id."""
