"""A draft: one entry while deltas and operations are replayed over it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from statecore.memory.ledger import Author, Entry, EntryKind, EntryStatus, Span
from statecore.memory.tombstones import folded
from statecore.state.operations import Delete, Edit, Pin, Target


class Saying(NamedTuple):
    """One time that it was said, or added by hand."""

    said_seq: int
    depth: int
    span: Span | None
    seq: int
    """Of the delta or operation that brought it."""


@dataclass(slots=True, eq=False)
class Draft:
    """One entry that may still change."""

    id: str
    kind: EntryKind
    text: str
    quote: str
    author: Author
    seq: int
    sayings: list[Saying]
    names: set[str]
    """All ids that it is known by: one for each time that it was said."""
    number: int = 0
    """How many were learned before it."""
    pinned: bool = False
    is_edited: bool = False
    is_deleted: bool = False
    changed_seq: int | None = None
    displacers: list["Draft"] = field(default_factory=list)
    """What takes its place."""
    displaced: list["Draft"] = field(default_factory=list)
    """What it takes the place of."""
    is_outdone: bool = False
    """Whether a later goal pauses it."""
    words: str = ""
    """Its text as it is compared."""
    quote_words: str = ""

    def __post_init__(self) -> None:
        self.words = folded(self.text)
        self.quote_words = self.words if self.quote == self.text else folded(self.quote)

    @property
    def is_protected(self) -> bool:
        """Whether a person has said that it counts, against what a model says of it."""
        return not self.is_deleted and (self.pinned or self.is_edited)

    @property
    def is_live(self) -> bool:
        """Whether it still counts, be it paused or disputed."""
        return self.status not in ("deleted", "superseded")

    @property
    def status(self) -> EntryStatus:
        """What it is now; nothing is settled before the end, so that an undo needs no memory."""
        if self.is_deleted:
            return "deleted"
        if not (self.displacers or self.displaced):
            return "paused" if self.is_outdone else "active"
        if self.displacers and not self.is_protected:
            return "superseded"
        if any(not new.is_deleted for new in self.displacers):
            return "in_conflict"
        if any(old.is_protected for old in self.displaced):
            return "in_conflict"
        return "paused" if self.is_outdone else "active"

    @property
    def spans(self) -> Iterator[Span]:
        """Where it was said."""
        return (saying.span for saying in self.sayings if saying.span is not None)

    @property
    def first(self) -> Saying:
        """The first time that it was said, however late that was learned."""
        return self.sayings[0] if len(self.sayings) == 1 else min(self.sayings, key=_order)

    @property
    def last_said_seq(self) -> int:
        """When it was said the last time."""
        return max(saying.said_seq for saying in self.sayings)

    def is_at(self, target: Target) -> bool:
        """Return whether an operation names it, by an id or by a place."""
        return target.entry_id in self.names or any(
            span.overlaps(source) for span in self.spans for source in target.sources
        )

    def take(self, action: Edit | Delete | Pin, seq: int) -> None:
        """Let an act of a person change it."""
        self.changed_seq = seq if self.changed_seq is None else max(seq, self.changed_seq)
        match action:
            case Edit(text=text):
                self.text = text
                self.words = folded(text)
                self.is_edited = True
            case Delete():
                self.is_deleted = True
            case Pin(pinned=pinned):
                self.pinned = pinned

    def join(self, twin: "Draft") -> None:
        """Take up the same words said another time."""
        self.sayings += twin.sayings
        self.names |= twin.names
        self.pinned |= twin.pinned
        self.is_edited |= twin.is_edited
        changes = [seq for seq in (self.changed_seq, twin.changed_seq) if seq is not None]
        self.changed_seq = max(changes, default=None)

    def displace(self, old: "Draft") -> None:
        """Take the place of another entry, unless a person holds on to it."""
        if old is not self and old not in self.displaced:
            old.displacers.append(self)
            self.displaced.append(old)

    def entry(self) -> Entry:
        """Return the entry."""
        status, first = self.status, self.first
        by = self.displacers[0].id if status == "superseded" else None
        return Entry(
            id=self.id,
            kind=self.kind,
            text=self.text,
            quote=self.quote,
            sources=self._sources(),
            author=self.author,
            status=status,
            seq=self.seq,
            said_seq=first.said_seq,
            depth=first.depth,
            pinned=self.pinned,
            changed_seq=self.changed_seq,
            superseded_by=by,
        )

    def _sources(self) -> tuple[Span, ...]:
        if len(self.sayings) == 1:
            span = self.sayings[0].span
            return () if span is None else (span,)
        kept: list[Span] = []
        by_message: dict[str, list[Span]] = {}
        for saying in sorted(self.sayings, key=_order):
            span = saying.span
            if span is None:
                continue
            near = by_message.setdefault(span.message_id, [])
            if not any(span.overlaps(known) for known in near):
                near.append(span)
                kept.append(span)
        return tuple(kept)


def _order(saying: Saying) -> tuple[int, int, int, str, int]:
    span = saying.span or Span("", -1, -1)
    return saying.said_seq, span.start, span.end, span.message_id, saying.seq
