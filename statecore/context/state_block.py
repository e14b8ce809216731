"""The notes: what the state gives back to the model, in front of the current input or settled.

They are sent only when the window alone would not say it, and they quote: a sentence stands there
whole or not at all.
"""

from collections.abc import Iterable, Sequence

from statecore.context.block_text import Item, text_of
from statecore.context.masks import count_id
from statecore.context.note_items import is_said, is_sent
from statecore.context.segments import Piece, Reason
from statecore.context.selection import LeftOut
from statecore.context.shown import Shown
from statecore.context.state import State
from statecore.context.waiting import waits, waits_before
from statecore.memory.ledger import Entry
from statecore.memory.summary import is_live, touch_of
from statecore.messages import Role
from statecore.models import ModelSpec
from statecore.requests import RequestMessage
from statecore.templates import NoteTexts

LIMIT_TOKENS = 512
LIMIT_DIVISOR = 8
"""Notes may take up one part in eight of the window, and never more than the limit."""

FIRST_DIVISOR = 4
"""What comes first may take up one part in four of the window, where the plan has room for it: two
rules in each minute of an hour's talk, and still half of the window for what is said now."""

LEFT_OUT_LIMIT = 200
"""How much of what is left out is listed."""

FACTS_TOKENS = 256
"""The most that long-term facts may have, by the estimate."""


def block_limit_tokens(model: ModelSpec) -> int:
    """Return the most tokens that the notes of a request may have."""
    return min(LIMIT_TOKENS, model.window_tokens // LIMIT_DIVISOR)


def first_limit_tokens(model: ModelSpec) -> int:
    """Return the most tokens that notes may have for the sake of what comes first in them."""
    return model.window_tokens // FIRST_DIVISOR


def is_needed(state: State, shown: Shown) -> bool:
    """Return whether the window alone would not tell what is remembered."""
    entries = (entry for entry in state.memory.entries if is_live(entry))
    fields = (field for field in state.memory.fields if is_sent(field, state))
    return (
        any(touch_of(entry) or not shown.has(entry) for entry in entries)
        or any(field.setter == "user" or field.expiry.kind != "never" for field in fields)
        or any(waits(turn, shown) for turn in state.turns)
        or waits_before(state)
    )


def may_be_needed(state: State) -> bool:
    """Return whether there is anything that a block could say, whatever a window shows."""
    return (
        any(map(is_live, state.memory.entries))
        or any(is_sent(field, state) for field in state.memory.fields)
        or any(not turn.is_learned for turn in state.turns)
        or waits_before(state)
    )


def piece_of(chosen: Sequence[Item], state: State, model: ModelSpec, notes: NoteTexts) -> Piece:
    """Return the block in front of the input as a message of the request."""
    return _piece(chosen, model, notes, state.input_depth, "memory")


def settled_piece_of(chosen: Sequence[Item], model: ModelSpec, notes: NoteTexts) -> Piece:
    """Return the settled notes as a message of the request."""
    return _piece(chosen, model, notes, 0, "settled_notes")


def _piece(
    chosen: Sequence[Item], model: ModelSpec, notes: NoteTexts, depth: int, reason: Reason
) -> Piece:
    # A model that takes no system role takes none here either.
    role: Role = "user" if model.role_style == "user" else model.state_role
    content = RequestMessage(role, text_of(chosen, notes))
    return Piece(
        kind="state_block",
        content=content,
        source_ids=tuple(dict.fromkeys(id_ for item in chosen for id_ in item.message_ids)),
        depth=depth,
        decision="injected",
        reason=reason,
        count_id=count_id("block", content),
    )


def left_out(
    state: State, offered: Iterable[Item], chosen: Iterable[Item], shown: Shown
) -> tuple[LeftOut, ...]:
    """Return what memory holds and the notes do not; what was deleted is not listed.

    Args:
        state: what is remembered.
        offered: all that could stand in them.
        chosen: what does.
        shown: what the request shows anyway.
    """
    inside = {item.id for item in chosen}
    said = {f"field:{field.key}" for field in state.memory.fields if is_said(field, shown)}
    over = [
        LeftOut(item.id, "visible" if item.id in said else "over_limit")
        for item in offered
        if item.id not in inside
    ]
    known = inside | {item.id for item in over}
    rest = [
        *(_entry_left_out(entry, shown) for entry in reversed(state.memory.entries)),
        *(LeftOut(f"field:{f.key}", "not_active") for f in state.memory.fields if not f.removed),
    ]
    others = (found for found in rest if found is not None and found.id not in known)
    ordered = sorted(others, key=lambda found: found.reason != "visible")
    return (*over, *ordered)[:LEFT_OUT_LIMIT]


def _entry_left_out(entry: Entry, shown: Shown) -> LeftOut | None:
    if entry.status == "deleted":
        return None
    if not is_live(entry):
        return LeftOut(entry.id, "not_active")
    return LeftOut(entry.id, "visible" if shown.has(entry) else "over_limit")
