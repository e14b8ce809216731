"""What changes memory: the delta of a turn, and the operations of a person."""

from dataclasses import dataclass
from typing import Literal

from statecore.memory.ledger import Author, EntryKind, Span
from statecore.memory.session import Expiry

RejectReason = Literal[
    "secret",
    "not_in_message",
    "bad_label",
    "too_long",
    "deleted_by_user",
    "not_asked",
]
"""secret: it looks like a password, token, card or document number; not_in_message: the cited
sentence is not there; bad_label: the model named a kind that does not exist or may not come from
this source; too_long: no sentence but a document; deleted_by_user: a person has removed it;
not_asked: the model labelled a sentence that it was not asked about."""


@dataclass(frozen=True, slots=True)
class Learned:
    """One sentence that a turn taught."""

    span: Span
    kind: EntryKind
    text: str
    """The sentence, word for word."""
    author: Author
    supersedes: tuple[str, ...] = ()
    """Ids of the entries whose place it takes."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """One sentence that was not learned, and why."""

    span: Span
    text: str
    """Empty where keeping the words would keep a secret."""
    label: str
    """What it would have become; the model's own word where that is no kind."""
    reason: RejectReason


@dataclass(frozen=True, slots=True)
class FieldSet:
    """One session field that a turn or a person sets."""

    key: str
    value: str
    expiry: Expiry = Expiry()  # noqa: RUF009  # immutable
    source: Span | None = None
    visible: bool = True


@dataclass(frozen=True, slots=True)
class Delta:
    """What one completed turn taught; a turn has one or none, and it is never replaced."""

    turn_id: str
    seq: int
    """When it was written; plans of an earlier moment do not see it."""
    depth: int
    said_seq: int
    """Seq at which the turn was accepted."""
    branch_ms: int
    """Branch time of the turn."""
    learned: tuple[Learned, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    fields: tuple[FieldSet, ...] = ()
    model: str = ""
    """The memory model that labelled it; empty when rules alone did."""
    note: str = ""
    """Why no model was asked, as a code; empty when one answered."""


@dataclass(frozen=True, slots=True)
class Target:
    """The entry that an operation is about, found again on every branch by its sources."""

    entry_id: str
    sources: tuple[Span, ...] = ()
    text: str = ""
    """Its words when the person acted; an echo of them is found by it."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A person changed the words of an entry."""

    target: Target
    text: str


@dataclass(frozen=True, slots=True)
class Delete:
    """A person wants an entry to be used no more; it stays so, whatever comes later."""

    target: Target


@dataclass(frozen=True, slots=True)
class Pin:
    """A person pinned or unpinned an entry."""

    target: Target
    pinned: bool


@dataclass(frozen=True, slots=True)
class Add:
    """A person, or a labelling done again, added an entry."""

    kind: EntryKind
    text: str
    span: Span | None = None
    """Its sentence, where it has one."""
    author: Author = "user"
    said_seq: int | None = None
    """Seq at which the turn of its sentence was accepted. Unknown counts as long ago: a deleted
    sentence stays deleted."""
    depth: int | None = None
    """Depth of the turn of its sentence; that of the operation where it is unknown."""


@dataclass(frozen=True, slots=True)
class Undo:
    """A person took one operation back; an undo can be undone."""

    seq: int
    """Of the operation taken back."""


@dataclass(frozen=True, slots=True)
class SetField:
    """A person set a session field."""

    field: FieldSet
    branch_ms: int
    """Branch time at which it was set."""


@dataclass(frozen=True, slots=True)
class RemoveField:
    """A person removed a session field."""

    key: str


Action = Edit | Delete | Pin | Add | Undo | SetField | RemoveField

Scope = Literal["conversation", "path"]
"""conversation: on all branches; path: at one node, inherited by what grows from there."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One act of a person on memory."""

    seq: int
    turn_id: str | None
    """The node it was done at; None before the first turn."""
    depth: int
    """Depth of that node; 0 before the first turn."""
    action: Action
    created_ms: int


def scope_of(action: Action) -> Scope:
    """Return where an act holds: what was removed or corrected is so on every branch."""
    return "conversation" if isinstance(action, Edit | Delete | Undo) else "path"
