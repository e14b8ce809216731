"""Changes memory by hand: each act is one operation with its transition, at the newest turn."""

from chatapp.access import Access
from chatapp.services.acts import Here, NoChange, Outcome, act
from chatapp.services.outcomes import Missing, Overtaken, Unchanged
from statecore.memory.ledger import Entry, EntryKind
from statecore.state.operations import (
    Action,
    Add,
    Delete,
    Edit,
    FieldSet,
    Pin,
    RemoveField,
    SetField,
    Target,
    Undo,
)


def memory_edit(access: Access, entry_id: str, text: str, *, seen: int | None = None) -> Outcome:
    """Give an entry other words.

    Args:
        access: the conversation.
        entry_id: the entry.
        text: its words from now on, on all branches.
        seen: seq of the last act on it that the person knew of, 0 for none; None overwrites.
    """

    def chosen(here: Here) -> Action | NoChange:
        entry = here.entry(entry_id)
        if entry is None:
            return Missing()
        if seen is not None and seen != (entry.changed_seq or 0):
            return Overtaken()
        return Unchanged() if entry.text == text else Edit(_target(entry), text)

    return act(access, chosen)


def memory_delete(access: Access, entry_id: str) -> Outcome:
    """Use an entry no more, on any branch, whatever is learned later."""

    def chosen(here: Here) -> Action | NoChange:
        entry = here.entry(entry_id)
        return Missing() if entry is None else Delete(_target(entry))

    return act(access, chosen)


def memory_pin(access: Access, entry_id: str, *, pinned: bool) -> Outcome:
    """Keep an entry among the first, or not any more."""

    def chosen(here: Here) -> Action | NoChange:
        entry = here.entry(entry_id)
        if entry is None:
            return Missing()
        return Unchanged() if entry.pinned is pinned else Pin(_target(entry), pinned)

    return act(access, chosen)


def memory_add(access: Access, kind: EntryKind, text: str) -> Outcome:
    """Add an entry of a person's own; its id is `op:` and the seq."""
    return act(access, lambda _: Add(kind, text))


def memory_undo(access: Access, seq: int) -> Outcome:
    """Take an act back; to take an undo back is to do the act again."""

    def chosen(here: Here) -> Action | NoChange:
        if all(operation.seq != seq for operation in here.memory.operations):
            return Missing()
        return Unchanged() if seq in here.memory.undone else Undo(seq)

    return act(access, chosen)


def field_set(access: Access, field: FieldSet, *, seen: int | None = None) -> Outcome:
    """Set a session field, from now on until it expires.

    Args:
        access: the conversation.
        field: the field; one of the same key gives way to it.
        seen: seq at which the field was set that the person knew of; None overwrites.
    """

    def chosen(here: Here) -> Action | NoChange:
        known = [known for known in here.memory.fields if known.key == field.key]
        if seen is not None and any(one.seq != seen or one.removed for one in known):
            return Overtaken()
        return SetField(field, here.branch_ms)

    return act(access, chosen)


def field_remove(access: Access, key: str) -> Outcome:
    """Remove a session field."""

    def chosen(here: Here) -> Action | NoChange:
        known = any(one.key == key and not one.removed for one in here.memory.fields)
        return RemoveField(key) if known else Missing()

    return act(access, chosen)


def _target(entry: Entry) -> Target:
    return Target(entry.id, entry.sources, entry.text)
