"""Layouts: the history of a request and what its notes may hold, before these are counted."""

from collections.abc import Sequence
from dataclasses import dataclass

from statecore.context import render, state_block
from statecore.context.anchors import MAX_ANCHORS, Anchor
from statecore.context.block_text import Item
from statecore.context.filling import frame_tokens
from statecore.context.given import Given
from statecore.context.note_items import NoteItems, items
from statecore.context.occupancy import text_tokens
from statecore.context.offering import Limits, Offer
from statecore.context.quoting import Quote
from statecore.context.segments import Piece, Reason
from statecore.context.settled import first_room_tokens, kept
from statecore.context.shown import Shown, shown_by

_NOTHING = Shown({}, frozenset(), frozenset())


@dataclass(frozen=True, slots=True)
class Layout:
    """Everything of a request but the text of its notes."""

    tier: int
    start: int
    """Index of the first turn that is sent."""
    start_depth: int
    """Its depth; that of the input where no turn is sent."""
    history: tuple[Piece, ...]
    """Of the turns that are sent, those left out among them."""
    shown: Shown
    offer: Offer
    limits: Limits
    kept: tuple[Item, ...] = ()
    """Settled notes of the plan before, where they still hold."""
    anchors: tuple[Anchor, ...] = ()
    judged_depth: int = 0
    """In tier 1: the depth down to which it was judged what is still referred to; else 0."""
    gap_reason: Reason = "outside_window"
    """Why the turns before the start are left out."""

    @property
    def is_whole(self) -> bool:
        """Whether every turn on offer is sent word for word."""
        return self.start == 0 and not any(p.decision == "digested" for p in self.history)

    @property
    def is_settling(self) -> bool:
        """Whether notes may stand in front of the history; without one they are all one block."""
        return self.tier > 0 and any(p.decision != "dropped" for p in self.history)


@dataclass(frozen=True, slots=True)
class Window:
    """A run of turns as it is sent."""

    start: int
    history: tuple[Piece, ...]
    shown: Shown


def window_from(given: Given, start: int) -> Window:
    """Return the window that begins at a turn.

    Args:
        given: with the pieces of the turns.
        start: index of the first turn that is sent; the number of turns for none.
    """
    turns = given.draft.turns[start:]
    is_whole = start == 0 and given.state.earlier_turns == 0
    history = tuple(render.windowed(turns, whole_history=is_whole))
    shown = shown_by((*history, given.draft.input), (turn.id for turn in turns))
    return Window(start, history, shown)


def reserve_tokens(given: Given, *, with_notes: bool) -> int:
    """Return the guarded tokens that are set aside for the block, without its anchors."""
    found = given.held_tokens
    found += state_block.FACTS_TOKENS if given.facts else 0
    found += frame_tokens(given.template.notes) if given.facts and not given.held else 0
    found += state_block.block_limit_tokens(given.model) if with_notes else 0
    return text_tokens(found) if found else 0


def first_tokens(given: Given, offered: NoteItems) -> int:
    """Return what the notes need for what comes first in them; 0 where their limit does."""
    model = given.model
    limits = Limits(notes_tokens=state_block.block_limit_tokens(model))
    needed = first_room_tokens(offered, limits, given.template.notes)
    return min(needed, state_block.first_limit_tokens(model))


def kept_free_tokens(given: Given) -> int:
    """Return what notes may come to need beyond what is set aside for them, in a window of turns.

    Whatever the window shows: a window that grows may not take this room from settled notes.
    """
    return given.once(("first", 0), lambda: _kept_free_tokens(given))


def _kept_free_tokens(given: Given) -> int:
    offered = items(given.state, _NOTHING, given.draft.masks, given.template.notes)
    needed = first_tokens(given, offered) - state_block.block_limit_tokens(given.model)
    return text_tokens(needed) if needed > 0 else 0


def laid(
    given: Given,
    window: Window,
    tier: int,
    room_tokens: int,
    quotes: Sequence[Quote] = (),
    *,
    judged_depth: int = 0,
    gap_reason: Reason = "outside_window",
) -> Layout:
    """Return the layout of a window with what may stand in the block beside it.

    Args:
        given: the state.
        window: the turns that are sent.
        tier: of the plan.
        room_tokens: guarded, for the block as a message.
        quotes: the anchors in the order of rank, the last intent first.
        judged_depth: of the judgement that shortened the window.
        gap_reason: why the turns before the window are left out.
    """
    state, draft = given.state, given.draft
    is_needed = state_block.is_needed(state, window.shown)
    notes = (
        items(state, window.shown, draft.masks, given.template.notes) if is_needed else NoteItems()
    )
    limits, taken = _limits(given, room_tokens, quotes, notes)
    start_depth = given.depth_at(window.start)
    return Layout(
        tier=tier,
        start=window.start,
        start_depth=start_depth,
        history=window.history,
        shown=window.shown,
        offer=Offer(given.held, tuple(quote.item for quote in taken), given.facts, notes),
        limits=limits,
        kept=kept(given, tier, start_depth, judged_depth) if is_needed else (),
        anchors=tuple(quote.anchor for quote in taken),
        judged_depth=judged_depth,
        gap_reason=gap_reason,
    )


def _limits(
    given: Given, room_tokens: int, quotes: Sequence[Quote], offered: NoteItems
) -> tuple[Limits, tuple[Quote, ...]]:
    left = given.text_room_tokens(room_tokens)
    # What is never cut brings the frame along; notes have it in their limit.
    has_own = bool(given.facts or quotes) and not given.held
    frame = min(left, frame_tokens(given.template.notes) if has_own else 0)
    left -= frame
    taken: list[Quote] = []
    for quote in quotes:
        # Only the last intent comes before the summary.
        if quote.anchor.reason == "last_intent" and quote.tokens <= left:
            taken.append(quote)
            left -= quote.tokens
    facts = min(left, state_block.FACTS_TOKENS if given.facts else 0)
    left -= facts
    notes = min(left, state_block.block_limit_tokens(given.model) if offered.all() else 0)
    first = min(left, first_tokens(given, offered)) if notes else 0
    left -= max(first, notes)
    for quote in quotes:
        is_new = quote.item.id not in {found.item.id for found in taken}
        if is_new and quote.tokens <= left and len(taken) < MAX_ANCHORS:
            taken.append(quote)
            left -= quote.tokens
    anchors = sum(quote.tokens for quote in taken)
    if not (taken or given.facts):
        frame = 0
    return Limits(given.held_tokens, anchors, facts, notes, first, frame), tuple(taken)
