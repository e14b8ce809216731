"""Settled notes: entries in front of the history, the same bytes until the window makes a step.

Between two steps the sentences that are said stand in the window, so that nothing is lost: what
was outside it at the step is settled, and only what this turn needs stands in front of the input.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import NamedTuple

from statecore.context.block_text import Item, again, text_of
from statecore.context.filling import estimate, within
from statecore.context.given import Given
from statecore.context.note_items import NoteItems, entry_items
from statecore.context.occupancy import MESSAGE_OVERHEAD_TOKENS
from statecore.context.offering import Limits
from statecore.memory.summary import TOUCHED
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


def chosen_anew(offered: NoteItems, limits: Limits, notes: NoteTexts) -> Settled:
    """Return what is settled at a step; nothing of lower rank takes the room of what comes first.

    Args:
        offered: what the notes may hold.
        limits: of the notes.
        notes: the words around.
    """
    limit_tokens = max(limits.first_tokens, limits.notes_tokens)
    first = within(offered.first, settled_tokens(limit_tokens), notes)
    inside = {item.id for item in first}
    room = limit_tokens - cost(first, notes)
    beside = beside_settled(offered, inside, room, limits.notes_tokens, again(notes))
    most = min(settled_tokens(limits.notes_tokens), limit_tokens - cost(beside, again(notes)))
    rest = within(offered.rest, most, notes, first)
    return Settled((*first, *_settled(rest)), frozenset(inside | {item.id for item in beside}))


def beside_settled(
    offered: NoteItems,
    inside: AbstractSet[str],
    room_tokens: int,
    limit_tokens: int,
    notes: NoteTexts,
    *,
    takes_all: bool = False,
) -> tuple[Item, ...]:
    """Return what stands in front of the input beside settled notes, by the estimate.

    Args:
        offered: what the notes may hold.
        inside: ids of what is settled.
        room_tokens: what is left for it, with what stands around it.
        limit_tokens: the most that what does not come first may have of it.
        notes: the words around.
        takes_all: whether the newest entries come along as well.
    """
    left = [item for item in offered.first if item.id not in inside]
    binding = [item for item in left if item.group != "other" or item.reason in TOUCHED]
    values = [item for item in left if item.group == "other" and item.reason not in TOUCHED]
    named = [i for i in (*values, *offered.rest) if i.reason == "named_by_input"]
    others = [item for item in values if item.reason != "named_by_input"]
    newest = [item for item in offered.rest if takes_all and item.reason != "named_by_input"]
    chosen = within(binding, room_tokens, notes)
    for items in (named, others, offered.now, newest):
        found = [item for item in items if item.id not in inside]
        most = room_tokens
        if items is not others:
            most = min(most, estimate(text_of(chosen, notes)) + limit_tokens)
        chosen += within(found, most, notes, chosen)
    return chosen


def first_room_tokens(offered: NoteItems, limits: Limits, notes: NoteTexts) -> int:
    """Return what notes need so that all that comes first is in them, and some room beside it."""
    if not offered.first:
        return 0
    needed = estimate(text_of(offered.first, notes))
    if needed <= settled_tokens(limits.notes_tokens):
        return 0
    return -(-needed * 100 // SHARE_PERCENT) + MESSAGE_TOKENS + limits.notes_tokens // 2


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
