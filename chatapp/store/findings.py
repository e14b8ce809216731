"""What verification finds: one line each, a fault unless it is an erasure."""

from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from statecore.log import FaultKind

FindingKind = FaultKind | Literal["erased"]
"""erased: contents were erased under a permit, or with their key; this is no fault."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that verification found; a fault unless it is an erasure."""

    kind: FindingKind
    seq: int
    row_id: UUID | None = None
    """The row that is meant; None when no row stands there."""
    created_ms: int | None = None
    """When the row was written, or should have been; None when that is not known."""
    what: str = "transition"
    """What is meant: the transition, parts of its contents, or a row that it vouches for."""

    @property
    def is_fault(self) -> bool:
        """Whether the log, or a row that it vouches for, is not what was written."""
        return self.kind != "erased"
