"""Tombstones: what a person deleted, and how it is known again wherever it comes back."""

from dataclasses import dataclass

from statecore.memory.ledger import Span

# Signs that say nothing at the edges of a sentence. No dash and no currency: "-5" is not "5".
_EDGES = " .,;:!?…·\"'`«»“”„‘’‹›()[]。，、；：！？「」『』《》（）【】¿¡*_"


def folded(text: str) -> str:
    """Return a sentence as it is compared: no case, single spaces, nothing at its edges."""
    spaced = " ".join(text.casefold().split())
    return spaced.strip(_EDGES) or spaced


@dataclass(frozen=True, slots=True)
class Removed:
    """One deletion that is in force."""

    seq: int
    """Of the deletion."""
    sources: tuple[Span, ...]
    """All places where it was said, those that were found after the deletion included."""
    text: str
    """Its words when the person deleted it."""
    quotes: tuple[str, ...] = ()
    """The same as it was said, and as it stood, so far as this path holds it: an edit may have
    changed its words."""

    def covers(self, span: Span | None, text: str, said_seq: int) -> bool:
        """Return whether a sentence is what was deleted.

        Args:
            span: its place; None when it has none.
            text: its words. The same words said anew after the deletion are not what was deleted.
            said_seq: when it was said.
        """
        if span is not None and any(span.overlaps(source) for source in self.sources):
            return True
        words = folded(text)
        if not words or said_seq >= self.seq:
            return False
        return any(words == folded(known) for known in (self.text, *self.quotes))
