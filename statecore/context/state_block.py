"""The state block: what the state gives back to the model, in front of the current input.

It is sent only when the window alone would not say it, and it quotes: a sentence stands there
whole or not at all.
"""

from collections.abc import Iterable, Sequence

from statecore.context.block_text import Item, quoted, text_of
from statecore.context.masks import Masks, count_id
from statecore.context.segments import Piece
from statecore.context.selection import Group, LeftOut
from statecore.context.shown import Shown
from statecore.context.state import State
from statecore.context.waiting import waiting, waits
from statecore.memory.facts import Fact
from statecore.memory.ledger import Entry, EntryKind, Span
from statecore.memory.session import Field, status_of
from statecore.memory.summary import TOUCHED, Ranked, is_live, ranked, touch_of
from statecore.messages import Role
from statecore.models import ModelSpec
from statecore.requests import RequestMessage
from statecore.templates import NoteTexts, Template
from statecore.workflow.machine import HeldValue

LIMIT_TOKENS = 512
LIMIT_DIVISOR = 8
"""The block may take up one part in eight of the window, and never more than the limit."""

LEFT_OUT_LIMIT = 200
"""How much of what is left out is listed."""

FACTS_TOKENS = 256
"""The most that long-term facts may have, by the estimate."""

_ALWAYS: frozenset[Group] = frozenset({"goal", "rule", "agreement", "open"})
_OF_ASSISTANT: frozenset[EntryKind] = frozenset({"step", "promise"})


def block_limit_tokens(model: ModelSpec) -> int:
    """Return the most tokens that the text of a block may have."""
    return min(LIMIT_TOKENS, model.window_tokens // LIMIT_DIVISOR)


def is_needed(state: State, shown: Shown) -> bool:
    """Return whether the window alone would not tell what is remembered."""
    entries = (entry for entry in state.memory.entries if is_live(entry))
    fields = (field for field in state.memory.fields if _is_sent(field, state))
    return (
        any(touch_of(entry) or not shown.has(entry) for entry in entries)
        or any(field.setter == "user" or field.expiry.kind != "never" for field in fields)
        or any(waits(turn, shown) for turn in state.turns)
    )


def may_be_needed(state: State) -> bool:
    """Return whether there is anything that a block could say, whatever a window shows."""
    return (
        any(map(is_live, state.memory.entries))
        or any(_is_sent(field, state) for field in state.memory.fields)
        or any(not turn.is_learned for turn in state.turns)
    )


def held_items(state: State) -> tuple[Item, ...]:
    """Return what is never cut: the step of the workflow and the critical values that it holds."""
    workflow = state.workflow
    if workflow is None:
        return ()
    step = Item("workflow:step", "workflow", "workflow", f"step = {quoted(workflow.step)}")
    return (step, *(_held(held) for held in workflow.critical()))


def fact_items(state: State, masks: Masks) -> tuple[Item, ...]:
    """Return the long-term facts in the order of rank, without what a person deleted here."""
    return tuple(
        Item(fact.id, "fact", "fact", quoted(fact.content))
        for fact in state.facts
        if not (_is_gone(fact, masks) or masks.holds_removed(fact.content))
    )


def _held(held: HeldValue) -> Item:
    ids = () if held.source is None else (held.source.message_id,)
    key = " ".join(held.key.splitlines())
    id_ = f"workflow:{held.key}"
    return Item(id_, "workflow", "workflow", f"{key} = {quoted(held.value)}", ids)


def _is_gone(fact: Fact, masks: Masks) -> bool:
    spans = (Span(source.message_id, source.start, source.end) for source in fact.sources)
    return any(map(masks.touches, spans))


def items(state: State, shown: Shown, masks: Masks, notes: NoteTexts) -> tuple[Item, ...]:
    """Return what may stand in the block, in the order of rank.

    First what a person touched and the goals, rules, agreements and open matters, then session
    fields and what else a workflow holds, then the newest turns that are not summarised yet, then
    the rest.

    Args:
        state: what is remembered, and the input.
        shown: what the window shows anyway.
        masks: what was removed; nothing of it comes back here.
        notes: the words around.
    """
    untold = (e for e in state.memory.entries if touch_of(e) or not shown.has(e))
    entries = ranked(untold, state.input.text)
    first = [_entry(found, notes) for found in entries if _comes_first(found)]
    rest = [_entry(found, notes) for found in entries if not _comes_first(found)]
    fields = [
        _field(field)
        for field in state.memory.fields
        if _is_sent(field, state) and not _is_removed(field, masks)
    ]
    values = () if state.workflow is None else state.workflow.values
    held = [_held(value) for value in values if not (value.critical or _is_hidden(value, masks))]
    return (*first, *fields, *held, *waiting(state, shown, masks), *rest)


def _is_hidden(held: HeldValue, masks: Masks) -> bool:
    is_gone = held.source is not None and masks.touches(held.source)
    return is_gone or masks.holds_removed(held.value)


def _comes_first(found: Ranked) -> bool:
    return found.group in _ALWAYS or found.reason in TOUCHED


def _entry(found: Ranked, notes: NoteTexts) -> Item:
    entry = found.entry
    words = [quoted(entry.text)]
    if entry.is_edited:
        words.append(notes.edited)
    if entry.kind in _OF_ASSISTANT:
        words.append(notes.by_assistant)
    if entry.status == "in_conflict":
        words.append(notes.in_conflict)
    messages = tuple(dict.fromkeys(span.message_id for span in entry.sources))
    return Item(entry.id, found.group, found.reason, " ".join(words), messages)


def _field(field: Field) -> Item:
    messages = () if field.source is None else (field.source.message_id,)
    text = f"{field.key} = {quoted(field.value)}"
    return Item(f"field:{field.key}", "field", "field", " ".join(text.splitlines()), messages)


def _is_sent(field: Field, state: State) -> bool:
    live = status_of(field, state.branch_now_ms, state.last_turn_ms) == "live"
    return live and field.visible


def _is_removed(field: Field, masks: Masks) -> bool:
    if field.setter == "user":
        return False
    is_gone = field.source is not None and masks.touches(field.source)
    return is_gone or masks.holds_removed(field.value)


def piece_of(chosen: Sequence[Item], state: State, model: ModelSpec, template: Template) -> Piece:
    """Return the block as a message of the request."""
    # A model that takes no system role takes none here either.
    role: Role = "user" if model.role_style == "user" else model.state_role
    content = RequestMessage(role, text_of(chosen, template.notes))
    return Piece(
        kind="state_block",
        content=content,
        source_ids=tuple(dict.fromkeys(id_ for item in chosen for id_ in item.message_ids)),
        depth=state.input_depth,
        decision="injected",
        reason="memory",
        count_id=count_id("block", content),
    )


def left_out(
    state: State, offered: Iterable[Item], chosen: Iterable[Item], shown: Shown
) -> tuple[LeftOut, ...]:
    """Return what memory holds and the block does not; what was deleted is not listed.

    Args:
        state: what is remembered.
        offered: all that could stand in the block.
        chosen: what does.
        shown: what the request shows anyway.
    """
    inside = {item.id for item in chosen}
    over = [LeftOut(item.id, "over_limit") for item in offered if item.id not in inside]
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
