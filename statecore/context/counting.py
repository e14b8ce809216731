"""Which token counts a request needs, and what its pieces weigh by them."""

from collections.abc import Iterable, Mapping

from statecore.context.occupancy import Load, message_load
from statecore.context.segments import Piece
from statecore.messages import counted_text
from statecore.models import ModelSpec
from statecore.tokens import CountKey, Counts


def missing_counts(
    pieces: Iterable[Piece], model: ModelSpec, counts: Counts
) -> dict[CountKey, str]:
    """Return what is to be counted for each key that has no count yet, in the order of need."""
    missing: dict[CountKey, str] = {}
    for piece in pieces:
        key = CountKey(piece.count_id, model.tokenizer)
        if key not in counts:
            missing[key] = counted_text(piece.content.text, piece.content.tool_calls)
    return missing


def loads_by_id(pieces: Iterable[Piece], model: ModelSpec, counts: Counts) -> Mapping[str, Load]:
    """Return what each piece takes up, by its count id."""
    return {
        piece.count_id: message_load(counts[CountKey(piece.count_id, model.tokenizer)])
        for piece in pieces
    }


def total(pieces: Iterable[Piece], loads: Mapping[str, Load]) -> Load:
    """Return what the pieces that are sent take up together."""
    sent = (loads[piece.count_id] for piece in pieces if piece.decision != "dropped")
    return sum(sent, start=Load())
