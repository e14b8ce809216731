"""What a use case may answer; expected outcomes are values."""

from dataclasses import dataclass
from uuid import UUID

from statecore.tokens import CountKey


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
    branch_id: UUID | None = None
    """The branch that it was accepted on; None where that is not known."""


@dataclass(frozen=True, slots=True)
class MovedOn:
    """The branch is no longer where the input was typed."""


@dataclass(frozen=True, slots=True)
class Archived:
    """The branch was put away; nothing is said on it until it is brought back."""


@dataclass(frozen=True, slots=True)
class Busy:
    """An answer is being written there."""


@dataclass(frozen=True, slots=True)
class Forked:
    """A branch was made and selected."""

    branch_id: UUID
    tip_id: UUID | None
    """The turn that it goes on from; None at the very beginning."""
    seq: int


@dataclass(frozen=True, slots=True)
class Selected:
    """Another branch is looked at from now on."""

    branch_id: UUID
    seq: int


@dataclass(frozen=True, slots=True)
class RolledBack:
    """The newest turn of a branch is another one, by a rollback or a redo."""

    branch_id: UUID
    tip_id: UUID
    version: int
    """Of the branch, from now on."""
    seq: int


@dataclass(frozen=True, slots=True)
class DepthReached:
    """Named branches may not be nested deeper."""

    limit: int


@dataclass(frozen=True, slots=True)
class Fenced:
    """The turn no longer belongs to this process: whatever it has done is discarded."""


@dataclass(frozen=True, slots=True)
class TextNeeded:
    """The plan needs token counts of these texts first."""

    texts: dict[CountKey, str]
    """By the key of the count."""


@dataclass(frozen=True, slots=True)
class Changed:
    """Memory was changed; the act has this seq and can be taken back by it."""

    seq: int


@dataclass(frozen=True, slots=True)
class Unchanged:
    """What was wanted is so already; nothing was written."""


@dataclass(frozen=True, slots=True)
class Missing:
    """What was meant is not there, or not any more."""


@dataclass(frozen=True, slots=True)
class Overtaken:
    """What was meant has changed since the person looked at it."""


@dataclass(frozen=True, slots=True)
class Relabelled:
    """Labelling a turn again has found what memory lacked."""

    seqs: tuple[int, ...]
    """Of the additions, each of which can be taken back."""


@dataclass(frozen=True, slots=True)
class Queued:
    """Turns will be read again."""

    count: int


@dataclass(frozen=True, slots=True)
class Imported:
    """A conversation is now the one that a state tells of."""

    turns: int
    messages: int


@dataclass(frozen=True, slots=True)
class NotEmpty:
    """Something was said or remembered already; a state comes into an empty conversation only."""
