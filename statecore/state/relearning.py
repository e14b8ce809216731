"""What a turn that is read again teaches and memory lacks."""

from statecore.language.marks import marks
from statecore.memory.corrections import holds_any, taken_back
from statecore.memory.labels import CheckedLabels
from statecore.memory.ledger import Span
from statecore.memory.tombstones import folded
from statecore.state.fold import Memory
from statecore.state.learning import TurnTexts, delta_of
from statecore.state.operations import Add, Learned


def lacking(turn: TurnTexts, memory: Memory, labels: CheckedLabels | None) -> tuple[Add, ...]:
    """Return additions for what memory lacks of a turn.

    A sentence that memory has or had, in whatever words by now, is not lacking; nor is one that a
    person did not want after an earlier reading, or that was corrected since.

    Args:
        turn: a turn of the path that is learned.
        memory: the full version at the end of the path.
        labels: what counts of a model's answer; None when rules alone decide.
    """
    again = delta_of(turn, memory, labels, seq=memory.as_of + 1, model="", note="")
    return tuple(
        Add(
            kind=learned.kind,
            text=learned.text,
            span=learned.span,
            author=learned.author,
            said_seq=turn.said_seq,
            depth=turn.depth,
        )
        for learned in again.learned
        if not _knows(memory, learned) and not _is_corrected(memory, learned, turn.depth)
    )


def _knows(memory: Memory, learned: Learned) -> bool:
    words = folded(learned.text)
    return (
        any(_is_in(learned.span, entry.sources) for entry in memory.entries)
        or any(words in {folded(one.text), folded(one.quote)} for one in memory.active())
        or any(_is_in(learned.span, spans) for spans in _unwanted(memory))
    )


def _unwanted(memory: Memory) -> list[tuple[Span, ...]]:
    """Return the sentences whose addition was taken back."""
    return [
        (operation.action.span,)
        for operation in memory.operations
        if operation.seq in memory.undone
        and isinstance(operation.action, Add)
        and operation.action.span is not None
    ]


def _is_in(span: Span, sources: tuple[Span, ...]) -> bool:
    return any(span.overlaps(source) for source in sources)


def _is_corrected(memory: Memory, learned: Learned, depth: int) -> bool:
    later = (entry.text for entry in memory.active() if entry.depth > depth)
    return any(
        holds_any(learned.text, taken_back(text)) for text in later if "correction" in marks(text)
    )
