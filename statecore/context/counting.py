"""Which token counts a request needs, and what its pieces weigh by them."""

from collections.abc import Iterable

from statecore.context.occupancy import Load, message_load
from statecore.context.segments import Piece
from statecore.messages import counted_text
from statecore.models import ModelSpec
from statecore.tokens import CountKey, Counts


class CountsMissing(Exception):
    """Raised inside a plan where token counts have to come first; the planner answers it."""

    def __init__(self, texts: dict[CountKey, str]) -> None:
        """Texts: what is to be counted for each key, in the order of need."""
        super().__init__(f"{len(texts)} counts are missing")
        self.texts = texts


class Scale:
    """Weighs pieces by the counts of one tokenizer; what was weighed once it remembers."""

    def __init__(self, model: ModelSpec) -> None:
        """Model: whose tokenizer counts."""
        self._tokenizer = model.tokenizer
        self._counts: Counts = {}
        self._loads: dict[CountKey, Load] = {}

    def take(self, counts: Counts) -> None:
        """Weigh by these counts from now on; they are all that were there before, or more."""
        self._counts = counts

    def need(self, pieces: Iterable[Piece]) -> None:
        """Make sure that pieces can be weighed.

        Raises:
            CountsMissing: with all that has to be counted for them.
        """
        missing: dict[CountKey, str] = {}
        for piece in pieces:
            key = piece.key(self._tokenizer)
            if key in self._loads:
                continue
            count = self._counts.get(key)
            if count is None:
                missing[key] = counted_text(piece.content.text, piece.content.tool_calls)
            else:
                self._loads[key] = message_load(count)
        if missing:
            raise CountsMissing(missing)

    def text_tokens(self, piece: Piece) -> int | None:
        """Return the tokens of the text of a piece; None where they were not counted yet."""
        count = self._counts.get(piece.key(self._tokenizer))
        return None if count is None else count.tokens

    def load(self, piece: Piece) -> Load:
        """Return what a piece takes up; it was asked for by `need`."""
        return self._loads[piece.key(self._tokenizer)]

    def total(self, pieces: Iterable[Piece]) -> Load:
        """Return what the pieces that are sent take up together."""
        sent = (self.load(piece) for piece in pieces if piece.decision != "dropped")
        return sum(sent, start=Load())

    def guarded_tokens(self, pieces: Iterable[Piece]) -> int:
        """Return the guarded tokens of the pieces that are sent."""
        sent = (piece for piece in pieces if piece.decision != "dropped")
        return sum(self.load(piece).guarded_tokens for piece in sent)
