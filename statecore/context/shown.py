"""What a request shows of its messages, so that memory need not repeat it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from statecore.context.segments import Piece
from statecore.memory.ledger import Entry


@dataclass(frozen=True, slots=True)
class Shown:
    """The texts that a request sends, by the message that they come from."""

    texts: Mapping[str, str]
    whole_ids: frozenset[str]
    """Messages that stand there word for word, but for what was removed."""
    turn_ids: frozenset[str]

    def has(self, entry: Entry) -> bool:
        """Return whether an entry stands in the request as it was said."""
        return any(self._has(message_id, entry.quote) for message_id in _message_ids(entry))

    def has_turn(self, turn_id: str) -> bool:
        """Return whether a turn is in the window."""
        return turn_id in self.turn_ids

    def _has(self, message_id: str, quote: str) -> bool:
        # A message that lost another sentence to a mask or a digest still shows the rest.
        return quote in self.texts.get(message_id, "") if quote else message_id in self.texts


def _message_ids(entry: Entry) -> Iterable[str]:
    return (span.message_id for span in entry.sources)


def shown_by(pieces: Iterable[Piece], turn_ids: Iterable[str]) -> Shown:
    """Return what pieces show.

    Args:
        pieces: of the window and the input.
        turn_ids: the turns in the window.
    """
    texts = {}
    whole = set()
    for piece in pieces:
        if piece.decision == "dropped":
            continue
        is_whole = piece.verbatim or piece.reason == "masked"
        if is_whole or piece.decision == "digested":
            texts[piece.source_ids[0]] = piece.content.text
        if is_whole:
            whole.add(piece.source_ids[0])
    return Shown(texts, frozenset(whole), frozenset(turn_ids))
