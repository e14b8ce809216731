"""The plans of the four tiers, each inside its bound or not there at all."""

from collections.abc import Callable, Iterator, Mapping

from statecore.context import state_block
from statecore.context.anchors import Anchor
from statecore.context.given import Given
from statecore.context.intent import last_intent
from statecore.context.judging import Judgement, judged
from statecore.context.layout import (
    Layout,
    Window,
    kept_free_tokens,
    laid,
    reserve_tokens,
    window_from,
)
from statecore.context.looking import hidden_anchors, looked_at
from statecore.context.policy import (
    most_tokens,
)
from statecore.context.quoting import quotes
from statecore.context.references import input_refers
from statecore.context.revised import revised
from statecore.context.segments import Piece, Reason
from statecore.context.shown import Shown, shown_by
from statecore.context.window import FEWEST_TURNS, WindowRoom, kept_start, last_start, window_start

Tried = tuple[int, Layout | None]
"""Guarded tokens of the prompt with its block at most, and the layout if they are in the bound."""

LAST_TURNS = 2
"""So many turns stay in the last resort, if they fit; more as long as little is filled."""


def full(given: Given, bound_tokens: int) -> Tried:
    """Return tier 0: every message word for word."""
    used = given.fixed_tokens + sum(given.turn_tokens)
    if used > bound_tokens:
        # What the window would say is not looked at where it does not fit.
        return used + reserve_tokens(given, with_notes=False), None
    window = window_from(given, 0)
    with_notes = state_block.is_needed(given.state, window.shown)
    needed = used + reserve_tokens(given, with_notes=with_notes)
    if needed > bound_tokens:
        return needed, None
    return needed, laid(given, window, 0, bound_tokens - used)


def digest(given: Given, bound_tokens: int) -> Tried:
    """Return tier 1: older tool results and answers that nothing refers to are shortened."""
    turns, before = given.state.turns, given.previous
    frozen = before.judged_depth if before is not None and before.tier == 1 else 0
    newest = turns[-1].depth if turns else 0
    if not turns or not turns[0].depth <= frozen <= newest:
        return _digested(given, bound_tokens, newest)
    used, layout = _digested(given, bound_tokens, frozen)
    if layout is not None or frozen == newest:
        return used, layout
    # A new judgement changes the prefix: it has to make room for more than the next turn.
    freed = given.tuning.hysteresis * given.model.window_tokens // 100
    return _digested(given, bound_tokens - freed, newest)


def _digested(given: Given, bound_tokens: int, depth: int) -> Tried:
    judgement = given.once(("judged", depth), lambda: judged(given, depth))
    given.scale.need(judgement.shorter.values())
    shorter = _lighter(given, judgement.shorter)
    whole_tokens = given.fixed_tokens + sum(given.turn_tokens)
    used = whole_tokens - _saved(given, shorter)
    if used > bound_tokens and judgement.outlines:
        given.scale.need(judgement.outlines.values())
        shorter |= _lighter(given, judgement.outlines)
        used = whole_tokens - _saved(given, shorter)
    if used > bound_tokens:
        return used + reserve_tokens(given, with_notes=False), None
    if not shorter:
        return full(given, bound_tokens)
    window = _shortened(given, shorter, judgement)
    with_notes = state_block.is_needed(given.state, window.shown)
    needed = used + reserve_tokens(given, with_notes=with_notes)
    if needed > bound_tokens:
        return needed, None
    found = quotes(given, _meant(given, window.shown, hidden=shorter))
    return needed, laid(given, window, 1, bound_tokens - used, found, judged_depth=judgement.depth)


def _lighter(given: Given, shorter: Mapping[str, Piece]) -> dict[str, Piece]:
    """Return what of the shortened texts saves tokens: a step that gains nothing is not taken."""
    return {id_: piece for id_, piece in shorter.items() if _gain(given, id_, piece) > 0}


def _gain(given: Given, message_id: str, shorter: Piece) -> int:
    before = given.scale.load(given.pieces[message_id])
    return before.guarded_tokens - given.scale.load(shorter).guarded_tokens


def _saved(given: Given, shorter: Mapping[str, Piece]) -> int:
    return sum(_gain(given, id_, piece) for id_, piece in shorter.items())


def _shortened(given: Given, shorter: Mapping[str, Piece], judgement: Judgement) -> Window:
    window = window_from(given, 0)
    history = tuple(_told(piece, shorter, judgement) for piece in window.history)
    shown = shown_by((*history, given.draft.input), window.shown.turn_ids)
    return Window(0, history, shown)


def _told(piece: Piece, shorter: Mapping[str, Piece], judgement: Judgement) -> Piece:
    """Return what is sent for a message, with the reason why it is whole where it is."""
    if piece.decision != "kept":
        return piece
    id_ = piece.source_ids[0]
    if id_ in shorter:
        return shorter[id_]
    if piece.reason != "full_history":
        return piece
    unchanged: Reason = "nothing_gained" if id_ in judgement.shorter else "recent_turn"
    return piece.because(judgement.whole.get(id_, unchanged))


def _meant(given: Given, shown: Shown, hidden: Mapping[str, Piece]) -> Iterator[Anchor]:
    """Yield what the input points at and finds shortened: the prefix is not rewritten for it."""
    found = _pointed(given, shown)
    yield from found
    known = {anchor.message_id for anchor in found}
    seen = looked_at(given.state)
    meant = input_refers(seen.turns, seen.input.text)
    for turn in reversed(given.state.turns):
        for message in turn.messages:
            if message.id in meant and message.id in hidden and message.id not in known:
                yield Anchor(
                    message_id=message.id,
                    turn_id=turn.id,
                    depth=turn.depth,
                    role=message.role,
                    reason="back_reference",
                    start=0,
                    end=len(message.text),
                    pointer_start=0,
                    pointer_end=0,
                )


def window(given: Given, bound_tokens: int) -> Tried:
    """Return tier 2: summary, anchors and a window of whole turns."""
    with_notes = state_block.may_be_needed(given.state)
    base = given.fixed_tokens + reserve_tokens(given, with_notes=with_notes)
    least = sum(given.turn_tokens[-FEWEST_TURNS:])
    free = kept_free_tokens(given)
    room = WindowRoom(
        most_tokens(given.model, given.tuning.settled) - base,
        most_tokens(given.model, given.tuning.stepped) - base,
        max(bound_tokens - base - free, min(least, bound_tokens - base)),
    )
    learned = [turn.is_learned for turn in given.state.turns]
    kept = kept_start(given.state, given.previous)
    start = window_start(given.turn_tokens, learned, room, kept)
    turn_tokens = sum(given.turn_tokens[start:])
    if turn_tokens > bound_tokens - base:
        return base + turn_tokens, None
    shown = window_from(given, start)
    found = quotes(given, _pointed(given, shown.shown))
    block_room = bound_tokens - given.fixed_tokens - turn_tokens
    return base + turn_tokens, laid(given, shown, 2, block_room, found)


def _pointed(given: Given, shown: Shown) -> tuple[Anchor, ...]:
    """Return what the input asks to change, then what it points at, where neither is shown."""
    artefact = revised(given, shown)
    known = {anchor.message_id for anchor in artefact}
    pointed = hidden_anchors(given.state, shown.whole_ids)
    return (*artefact, *(anchor for anchor in pointed if anchor.message_id not in known))


def last_resort(given: Given, bound_tokens: int) -> Tried:
    """Return tier 3: the last turns that fit, the last intent, and the summary if there is room."""
    sizes = given.turn_tokens
    earliest = max(0, len(sizes) - LAST_TURNS)
    with_notes = state_block.may_be_needed(given.state)
    base = given.fixed_tokens + reserve_tokens(given, with_notes=with_notes)
    settled_tokens = most_tokens(given.model, given.tuning.settled) - base
    start = last_start(sizes, earliest, settled_tokens, bound_tokens - given.least_tokens)
    shown = window_from(given, start)
    intent = last_intent(given, shown.shown)
    pointed = _pointed(given, shown.shown)
    meant = [anchor for anchor in pointed if anchor.message_id != _id(intent)]
    found = quotes(given, meant if intent is None else [intent, *meant])
    used = given.fixed_tokens + sum(sizes[start:])
    reason: Reason = "outside_window" if start <= earliest else "turns_too_large"
    layout = laid(given, shown, 3, bound_tokens - used, found, gap_reason=reason)
    return given.least_tokens + sum(sizes[start:]), layout


def _id(anchor: Anchor | None) -> str:
    return "" if anchor is None else anchor.message_id


BUILDERS: Mapping[int, Callable[[Given, int], Tried]] = {
    0: full,
    1: digest,
    2: window,
    3: last_resort,
}
"""From the mildest to the hardest; each takes the state and the most that its prompt may take."""
