"""Settled notes: entries in front of the history, the same bytes until the window makes a step.

Between two steps the sentences that are said stand in the window, so that nothing is lost: what
was outside it at the step is settled, and only what this turn needs stands in front of the input.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from statecore.context.block_text import Item, again, text_of
from statecore.context.filling import estimate, within
from statecore.context.given import Given
from statecore.context.note_items import NoteItems, entry_items
from statecore.context.occupancy import MESSAGE_OVERHEAD_TOKENS
from statecore.templates import NoteTexts

SHARE_PERCENT = 85
"""Of the limit of the notes so much may be settled."""

MESSAGE_TOKENS = MESSAGE_OVERHEAD_TOKENS + 1
"""What a second message costs, with what the margin of an estimate rounds up."""

_OF_THE_MOMENT = frozenset({"named_by_input", "newest"})


class Settled(NamedTuple):
    """Notes that are chosen at a step."""

    items: tuple[Item, ...]
    first_ids: frozenset[str]
    """What comes first and is sent with them, settled or in front of the input."""


def kept(given: Given, tier: int, start_depth: int, judged_depth: int) -> tuple[Item, ...]:
    """Return the settled notes of the plan before; nothing where a step was made.

    Args:
        given: the state and the plan before.
        tier: of this plan.
        start_depth: depth of the first turn that is sent.
        judged_depth: of the judgement that shortened the window.
    """
    before = given.previous
    if before is None or before.tier != tier:
        return ()
    is_same = {
        1: before.judged_depth == judged_depth,
        2: before.window_start_depth == start_depth,
        3: True,
    }
    if not is_same.get(tier, False):
        return ()
    ids = tuple(dict.fromkeys(before.settled))
    items = entry_items(given.state, ids, given.template.notes)
    # What is gone must be told by nothing, and its room is given anew.
    return _settled(items) if len(items) == len(ids) else ()


def chosen_anew(offered: NoteItems, limit_tokens: int, notes: NoteTexts) -> Settled:
    """Return what is settled at a step; nothing of lower rank takes the room of what comes first.

    Args:
        offered: what the notes may hold.
        limit_tokens: of all notes.
        notes: the words around.
    """
    most = settled_tokens(limit_tokens)
    first = within(offered.first, most, notes)
    inside = {item.id for item in first}
    left = [item for item in offered.first if item.id not in inside]
    room = limit_tokens - cost(first, notes)
    beside = within((*left, *offered.now), room, again(notes))
    most = min(most, limit_tokens - cost(beside, again(notes)))
    rest = within(offered.rest, most, notes, first)
    return Settled((*first, *_settled(rest)), frozenset(inside | {item.id for item in beside}))


def settled_tokens(limit_tokens: int) -> int:
    """Return how much of the limit of all notes may be settled."""
    return max(0, min(limit_tokens * SHARE_PERCENT // 100, limit_tokens - MESSAGE_TOKENS))


def cost(chosen: Sequence[Item], notes: NoteTexts) -> int:
    """Return what a block takes up as a message of its own at most, by the estimate."""
    return estimate(text_of(chosen, notes)) + MESSAGE_TOKENS if chosen else 0


def _settled(items: Sequence[Item]) -> tuple[Item, ...]:
    """Return items with a reason that holds for as long as they are settled."""
    return tuple(
        replace(item, reason="settled") if item.reason in _OF_THE_MOMENT else item for item in items
    )
