"""Session fields: temporary keys and values, with who set them and when they expire."""

from dataclasses import dataclass
from typing import Literal

from statecore.memory.ledger import Author, Span

FieldStatus = Literal["live", "expired", "removed"]

ExpiryKind = Literal["never", "time", "idle"]
"""time: so long after it was set; idle: so long after the last turn. Both in branch time, which
stands still while the branch is left, so that a rollback restores what was left."""


@dataclass(frozen=True, slots=True)
class Expiry:
    """When a field ends."""

    kind: ExpiryKind = "never"
    after_ms: int = 0
    """Branch time in milliseconds; 0 for never."""


@dataclass(frozen=True, slots=True)
class Field:
    """One session field as of a moment."""

    key: str
    value: str
    setter: Author
    seq: int
    """Seq of the delta or operation that set it."""
    set_ms: int
    """Branch time at which it was set."""
    expiry: Expiry = Expiry()
    source: Span | None = None
    """The sentence that set it; None when a person did."""
    visible: bool = True
    """Whether the model may see it."""
    removed: bool = False


def status_of(field: Field, branch_now_ms: int, last_turn_ms: int) -> FieldStatus:
    """Return whether a field still counts.

    Args:
        field: the field.
        branch_now_ms: branch time of the plan or of the look.
        last_turn_ms: branch time of the newest turn before it; idleness counts from there.
    """
    if field.removed:
        return "removed"
    if field.expiry.kind == "never":
        return "live"
    since_ms = field.set_ms if field.expiry.kind == "time" else max(field.set_ms, last_turn_ms)
    return "expired" if branch_now_ms - since_ms >= field.expiry.after_ms else "live"
