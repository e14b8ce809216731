"""What the notes of a request may hold: what is remembered and holds, in the order of rank."""

from collections.abc import Sequence
from dataclasses import dataclass

from statecore.context.block_text import Item, in_line, quoted
from statecore.context.masks import Masks
from statecore.context.selection import Group
from statecore.context.shown import Shown
from statecore.context.state import State
from statecore.context.waiting import waiting
from statecore.memory.facts import Fact
from statecore.memory.ledger import EntryKind, Span
from statecore.memory.session import Field, status_of
from statecore.memory.summary import TOUCHED, Ranked, ranked, touch_of
from statecore.templates import NoteTexts
from statecore.workflow.machine import HeldValue

_ALWAYS: frozenset[Group] = frozenset({"goal", "rule", "agreement", "open"})
_OF_ASSISTANT: frozenset[EntryKind] = frozenset({"step", "promise"})


@dataclass(frozen=True, slots=True)
class NoteItems:
    """What memory may give back, in four parts, each in the order of rank."""

    first: tuple[Item, ...] = ()
    """Entries that a person touched; goals, rules, agreements and open matters; corrections,
    refusals and exact values, the newest first whatever the input names."""
    now: tuple[Item, ...] = ()
    """Session fields, what else a workflow holds, and the turns that are not summarised yet."""
    rest: tuple[Item, ...] = ()
    """All other entries."""
    shown: tuple[Item, ...] = ()
    """Session fields that rules took from words which the window shows; said once more only where
    notes are one block."""

    def all(self) -> tuple[Item, ...]:
        """Return everything in the order of rank."""
        return (*self.first, *self.shown, *self.now, *self.rest)


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
    id_ = f"workflow:{held.key}"
    return Item(id_, "workflow", "workflow", _value(held.key, held.value), ids)


def _value(key: str, value: str) -> str:
    return f"{in_line(key)} = {quoted(value)}"


def _is_gone(fact: Fact, masks: Masks) -> bool:
    spans = (Span(source.message_id, source.start, source.end) for source in fact.sources)
    return any(map(masks.touches, spans))


def items(state: State, shown: Shown, masks: Masks, notes: NoteTexts) -> NoteItems:
    """Return what the notes may hold.

    Args:
        state: what is remembered, and the input.
        shown: what the window shows anyway.
        masks: what was removed; nothing of it comes back here.
        notes: the words around.
    """
    untold = (e for e in state.memory.entries if touch_of(e) or not shown.has(e))
    entries = ranked(untold, state.input.text)
    fields = [
        field
        for field in state.memory.fields
        if is_sent(field, state) and not _is_removed(field, masks)
    ]
    seen = frozenset(field.key for field in fields if is_said(field, shown))
    untold_fields = (_field(field) for field in fields if field.key not in seen)
    values = () if state.workflow is None else state.workflow.values
    held = [_held(value) for value in values if not (value.critical or _is_hidden(value, masks))]
    return NoteItems(
        tuple(_entry(found, notes) for found in _lasting(entries)),
        (*untold_fields, *held, *waiting(state, shown, masks)),
        tuple(_entry(found, notes) for found in entries if not _comes_first(found)),
        tuple(_field(field) for field in fields if field.key in seen),
    )


def entry_items(state: State, ids: Sequence[str], notes: NoteTexts) -> tuple[Item, ...]:
    """Return entries by their ids, shown or not; those that do not hold any more are missing.

    Args:
        state: what is remembered, and the input.
        ids: of the entries, in the order in which they come back.
        notes: the words around.
    """
    wanted = frozenset(ids)
    entries = (entry for entry in state.memory.entries if entry.id in wanted)
    found = {one.entry.id: _entry(one, notes) for one in ranked(entries, state.input.text)}
    return tuple(found[id_] for id_ in ids if id_ in found)


def _is_hidden(held: HeldValue, masks: Masks) -> bool:
    is_gone = held.source is not None and masks.touches(held.source)
    return is_gone or masks.holds_removed(held.value)


def _comes_first(found: Ranked) -> bool:
    is_value = found.group == "other" and found.is_exact
    return found.group in _ALWAYS or found.reason in TOUCHED or is_value


def _lasting(entries: Sequence[Ranked]) -> list[Ranked]:
    """Return what comes first, in an order that is the same whatever the input says.

    Else notes that are settled would change with each input.
    """
    first = [found for found in entries if _comes_first(found)]
    values = [found for found in first if _is_value(found)]
    by_age = iter(sorted(values, key=lambda found: (-found.entry.said_seq, found.entry.id)))
    return [next(by_age) if _is_value(found) else found for found in first]


def _is_value(found: Ranked) -> bool:
    return found.group == "other" and found.reason not in TOUCHED


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
    text = _value(field.key, field.value)
    return Item(f"field:{field.key}", "field", "field", text, messages)


def is_sent(field: Field, state: State) -> bool:
    """Return whether a session field holds and the model may see it."""
    live = status_of(field, state.branch_now_ms, state.last_turn_ms) == "live"
    return live and field.visible


def is_said(field: Field, shown: Shown) -> bool:
    """Return whether rules took a session field from words that the window shows."""
    if field.setter != "rules" or field.source is None:
        return False
    return field.value in shown.texts.get(field.source.message_id, "")


def _is_removed(field: Field, masks: Masks) -> bool:
    if field.setter == "user":
        return False
    is_gone = field.source is not None and masks.touches(field.source)
    return is_gone or masks.holds_removed(field.value)
