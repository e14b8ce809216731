"""Lays the window over the history, and the state block beside it where memory is needed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from statecore.context import render, state_block
from statecore.context.counting import total
from statecore.context.filling import filled
from statecore.context.occupancy import Load, message_load
from statecore.context.render import Draft
from statecore.context.segments import Piece
from statecore.context.selection import LeftOut, Selected
from statecore.context.shown import Shown, shown_by
from statecore.context.state import State
from statecore.context.state_block import Item
from statecore.context.window import window_start
from statecore.models import ModelSpec
from statecore.templates import Template
from statecore.tokens import Count, Counts


@dataclass(frozen=True, slots=True)
class Room:
    """What decides where the window starts."""

    turn_tokens: tuple[int, ...]
    """Guarded, of each turn on offer, oldest first."""
    tokens: int
    """For history and block together: the budget less what is always sent."""
    budget_tokens: int
    kept_start: int | None
    """Where the plan before started, when that still counts."""


def room_of(
    draft: Draft,
    loads: Mapping[str, Load],
    fixed_tokens: int,
    budget_tokens: int,
    kept_start: int | None,
) -> Room:
    """Return the room that what is always sent leaves."""
    turn_tokens = tuple(total(turn.pieces, loads).guarded_tokens for turn in draft.turns)
    return Room(turn_tokens, budget_tokens - fixed_tokens, budget_tokens, kept_start)


@dataclass(frozen=True, slots=True)
class Laid:
    """The window and the block of a request."""

    start: int
    """Index of the first turn that is sent."""
    window: tuple[Piece, ...]
    shown: Shown
    block: Piece | None = None
    """None when the window says everything, or nothing fits beside it."""
    selected: tuple[Selected, ...] = ()
    left_out: tuple[LeftOut, ...] = ()


@dataclass(frozen=True, slots=True)
class Offer:
    """What a request is made of, as far as it does not hang on the count of its block."""

    alone: Laid
    """The window without a block."""
    beside: Laid
    """The window beside a block."""
    items: tuple[Item, ...] = ()
    """What may stand in the block; empty when none is needed."""
    limit_tokens: int = 0
    """The most that the text of the block may have."""


def offer_of(draft: Draft, room: Room, state: State, model: ModelSpec, template: Template) -> Offer:
    """Return the windows, and the items where the window alone does not say what is remembered.

    The window comes first. Only if a block is needed its limit is set aside and the window is laid
    again, so that a short conversation is sent as if there were no memory.

    Args:
        draft: all pieces on offer.
        room: what they may take up.
        state: of the plan.
        model: whose tokenizer counts.
        template: the words around.
    """
    alone = _window(draft, room, state, 0)
    if not state_block.is_needed(state, alone.shown):
        return Offer(alone, alone)
    limit_tokens = _limit_tokens(room, model)
    beside = _window(draft, room, state, _reserve(limit_tokens)) if limit_tokens > 0 else alone
    items = state_block.items(state, beside.shown, draft.masks, template.notes)
    return Offer(alone, beside, items, limit_tokens)


def laid(offer: Offer, state: State, model: ModelSpec, template: Template, counts: Counts) -> Laid:
    """Return the window with its block; the block may still have to be counted.

    Args:
        offer: of the same state.
        state: of the plan.
        model: whose tokenizer counts.
        template: the words around.
        counts: with those of the blocks that were tried before.
    """
    filling = filled(offer.items, offer.limit_tokens, state, model, template, counts)
    window = offer.alone if filling.piece is None else offer.beside
    return _told(window, filling.piece, offer.items, filling.chosen, state)


def _window(draft: Draft, room: Room, state: State, block_tokens: int) -> Laid:
    is_whole = state.earlier_turns == 0
    start = window_start(
        room.turn_tokens,
        room.tokens - block_tokens,
        room.budget_tokens,
        whole_history=is_whole,
        kept_start=room.kept_start,
    )
    turns = draft.turns[start:]
    window = tuple(render.windowed(turns, whole_history=is_whole and start == 0))
    return Laid(start, window, shown_by((*window, draft.input), (turn.id for turn in turns)))


def _limit_tokens(room: Room, model: ModelSpec) -> int:
    limit_tokens = state_block.block_limit_tokens(model)
    # Notes never push out what is always sent: a full request goes without them.
    over_tokens = _reserve(limit_tokens) - room.tokens
    return limit_tokens if over_tokens <= 0 else limit_tokens - over_tokens


def _reserve(limit_tokens: int) -> int:
    """Return what a block of this size takes up, however badly it is counted."""
    return message_load(Count(limit_tokens, "estimated")).guarded_tokens


def _told(
    window: Laid,
    block: Piece | None,
    offered: Sequence[Item],
    chosen: Sequence[Item],
    state: State,
) -> Laid:
    return Laid(
        window.start,
        window.window,
        window.shown,
        block,
        tuple(item.selected for item in chosen),
        state_block.left_out(state, offered, chosen),
    )
