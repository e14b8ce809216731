"""The ledger: the rolling summary, kept as verbatim sentences with their sources, not as prose."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

EntryKind = Literal[
    "goal",
    "fact",
    "decision",
    "rule",
    "preference",
    "question",
    "task",
    "step",
    "promise",
    "agreement",
    "assumption",
]
"""rule: what must or must not be done, prohibitions and refusals included; preference: a lasting
wish that is no rule; question, task: open until resolved; step, promise: of the assistant or a
tool, never the user's decision; assumption: kept apart, never sent as a fact."""

EntryStatus = Literal["active", "paused", "superseded", "resolved", "in_conflict", "deleted"]
"""Only active, paused and in_conflict entries are ever sent; the rest is kept for audit."""

Author = Literal["rules", "model", "user", "tool"]
"""rules: code without a model; model: a label of the memory model; user: a person, by hand."""


class Span(NamedTuple):
    """A stretch of one message, by character offsets."""

    message_id: str
    start: int
    end: int
    """After the last character."""

    def overlaps(self, other: "Span") -> bool:
        """Return whether both share a character; a new way of cutting sentences moves spans."""
        same = self.message_id == other.message_id
        return same and self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that is remembered."""

    id: str
    """`entry_id` of the source that was learned first, or `op:<seq>` for what a person added; it
    stays when the same words are found at an earlier place."""
    kind: EntryKind
    text: str
    """What is shown and sent: the sentence, or what a person made of it."""
    quote: str
    """The sentence as it was said; empty for what a person added."""
    sources: tuple[Span, ...]
    """Where it was said, oldest first; several when it was repeated, none for an addition."""
    author: Author
    status: EntryStatus
    seq: int
    """Seq of the delta or operation that brought it."""
    said_seq: int
    """Seq at which its turn was accepted: when it was said, however late it was learned."""
    depth: int
    """Depth of its turn; 0 for what was added before the first."""
    pinned: bool = False
    changed_seq: int | None = None
    """Seq of the last operation of a person on it; None when nobody touched it."""
    superseded_by: str | None = None
    """Id of the entry that took its place."""

    @property
    def is_edited(self) -> bool:
        """Whether a person has changed its words."""
        return bool(self.quote) and self.text != self.quote


def entry_id(span: Span) -> str:
    """Return the id of the entry that a sentence becomes; the same sentence, the same id."""
    return f"{span.message_id}:{span.start}-{span.end}"
