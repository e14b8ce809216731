"""What the notes of a request may hold, and how much of it."""

from dataclasses import dataclass

from statecore.context.block_text import Item
from statecore.context.note_items import NoteItems


@dataclass(frozen=True, slots=True)
class Offer:
    """What may stand in the notes, in four parts with a limit each."""

    held: tuple[Item, ...] = ()
    """Never cut."""
    anchors: tuple[Item, ...] = ()
    """They have room, so far as it can be known before the block is counted."""
    facts: tuple[Item, ...] = ()
    """In the order of rank."""
    notes: NoteItems = NoteItems()  # noqa: RUF009  # immutable

    def all(self) -> tuple[Item, ...]:
        """Return everything, what is given up last in front."""
        return (*self.held, *self.anchors, *self.facts, *self.notes.all())


@dataclass(frozen=True, slots=True)
class Limits:
    """What the parts of a block may have in tokens of its text."""

    held_tokens: int = 0
    """Of a block that holds only what is never cut."""
    anchors_tokens: int = 0
    facts_tokens: int = 0
    notes_tokens: int = 0
    """With what stands around them."""
    first_tokens: int = 0
    """Of the same notes, where what comes first in them needs more; else no more than these."""
    frame_tokens: int = 0
    """Of what stands around facts and anchors, where nothing else brings it."""

    @property
    def total_tokens(self) -> int:
        """The most that the whole text may have."""
        notes_tokens = max(self.first_tokens, self.notes_tokens)
        parts = (self.held_tokens, self.anchors_tokens, self.facts_tokens, notes_tokens)
        return sum(parts) + self.frame_tokens
