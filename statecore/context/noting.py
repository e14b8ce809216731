"""The notes of a request: what is settled, and beside it what this turn needs."""

from dataclasses import dataclass

from statecore.context import state_block
from statecore.context.block_text import Item, again, text_of
from statecore.context.filling import Filling, estimate, filled, frame_tokens, within
from statecore.context.given import Given
from statecore.context.layout import Layout
from statecore.context.policy import LAST_TIER
from statecore.context.segments import Piece
from statecore.context.settled import (
    MESSAGE_TOKENS,
    Settled,
    beside_settled,
    chosen_anew,
    settled_tokens,
)
from statecore.templates import NoteTexts


@dataclass(frozen=True, slots=True)
class Notes:
    """The notes of a request, in two messages of which either may be missing."""

    settled: Filling = Filling()  # noqa: RUF009  # immutable
    """In front of the history."""
    current: Filling = Filling()  # noqa: RUF009  # immutable
    """In front of the input."""

    @property
    def chosen(self) -> tuple[Item, ...]:
        """Everything that they hold."""
        return (*self.settled.chosen, *self.current.chosen)

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Their messages."""
        return (*self.settled.pieces(), *self.current.pieces())


def noted(given: Given, layout: Layout) -> Notes:
    """Return the notes of a request.

    Args:
        given: the state.
        layout: what the notes may hold, and what the plan before has settled.

    Raises:
        CountsMissing: with their texts, until all that was tried is counted.
    """
    notes = _noted(given, layout)
    given.scale.need(notes.pieces)
    return notes


def _noted(given: Given, layout: Layout) -> Notes:
    if not layout.is_settling:
        # Both would stand at the same place.
        return Notes(current=_current(given, layout, Filling()))
    if layout.kept:
        notes = _beside(given, layout, layout.kept)
        if notes.settled.chosen and not _gives_way(given, layout, notes):
            return notes
    return _beside(given, layout, _anew(given, layout).items)


def _anew(given: Given, layout: Layout) -> Settled:
    return given.once(
        ("settled", layout.tier),
        lambda: chosen_anew(layout.offer.notes, layout.limits, given.template.notes),
    )


def _gives_way(given: Given, layout: Layout, notes: Notes) -> bool:
    """Return whether settled notes keep something out that comes first and would fit."""
    inside = {item.id for item in notes.chosen}
    left = {item.id for item in layout.offer.notes.first} - inside
    return bool(left and left & _anew(given, layout).first_ids)


def _beside(given: Given, layout: Layout, items: tuple[Item, ...]) -> Notes:
    settled = _settled(given, layout, items)
    return Notes(settled, _current(given, layout, settled))


def _settled(given: Given, layout: Layout, items: tuple[Item, ...]) -> Filling:
    return filled(
        items,
        0,
        settled_tokens(max(layout.limits.first_tokens, layout.limits.notes_tokens)),
        given.template.notes,
        lambda chosen, notes: state_block.settled_piece_of(chosen, given.model, notes),
        given.scale,
    )


def _current(given: Given, layout: Layout, settled: Filling) -> Filling:
    """Return the block in front of the input, in what settled notes leave of the limits."""
    offer, limits, notes = layout.offer, layout.limits, given.template.notes
    room = max(limits.first_tokens, limits.notes_tokens)
    limit_tokens = limits.total_tokens
    if settled.piece is not None:
        notes = again(notes)
        guess = estimate(settled.piece.content.text)
        # Until it is counted the estimate stands for it, so that both are asked for at once.
        tokens = given.scale.text_tokens(settled.piece) or guess
        room -= max(guess, tokens) + MESSAGE_TOKENS
        limit_tokens -= tokens + MESSAGE_TOKENS
    facts = within(offer.facts, limits.facts_tokens, notes)
    whole = (*offer.held, *offer.anchors, *facts)
    # The words around stand there once.
    room += frame_tokens(notes) if whole else 0
    return filled(
        (*whole, *_of_this_turn(layout, settled, room, notes)),
        len(offer.held),
        limit_tokens,
        notes,
        lambda chosen, notes: state_block.piece_of(chosen, given.state, given.model, notes),
        given.scale,
    )


def _of_this_turn(
    layout: Layout, settled: Filling, room_tokens: int, notes: NoteTexts
) -> tuple[Item, ...]:
    """Return what stands in front of the input beside the settled notes."""
    offered, limit_tokens = layout.offer.notes, layout.limits.notes_tokens
    if settled.piece is not None:
        inside = {item.id for item in settled.chosen}
        # In the last resort turns leave at every request, and settled notes never have them all.
        takes_all = layout.tier == LAST_TIER
        return beside_settled(
            offered, inside, room_tokens, limit_tokens, notes, takes_all=takes_all
        )
    chosen = within(offered.first, room_tokens, notes)
    most = min(room_tokens, estimate(text_of(chosen, notes)) + limit_tokens)
    chosen += within((*offered.shown, *offered.now), most, notes, chosen)
    return (*chosen, *within(offered.rest, min(room_tokens, limit_tokens), notes, chosen))
