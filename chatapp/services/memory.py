"""Changes memory by hand: each act is one operation with its transition, at the newest turn."""

from collections.abc import Callable
from dataclasses import dataclass

from django.db import transaction

from chatapp.access import Access
from chatapp.clock import now_ms
from chatapp.models import Branch, Turn
from chatapp.services.outcomes import Changed, Missing, Overtaken, Unchanged
from chatapp.services.transitions import Change, append, claim
from chatapp.store.memory import insert_operation, read_memory
from statecore.memory.ledger import Entry, EntryKind
from statecore.state.codec import encode_operation
from statecore.state.fold import Memory
from statecore.state.operations import (
    Action,
    Add,
    Delete,
    Edit,
    FieldSet,
    Operation,
    Pin,
    RemoveField,
    SetField,
    Target,
    Undo,
)

KINDS: dict[type[Action], str] = {
    Edit: "memory_edited",
    Delete: "memory_deleted",
    Pin: "memory_pinned",
    Add: "memory_added",
    Undo: "memory_undone",
    SetField: "field_set",
    RemoveField: "field_removed",
}
"""Kinds of transitions by what was done."""

NoChange = Unchanged | Missing | Overtaken
Outcome = Changed | NoChange
"""Overtaken only where the caller says what the person has seen."""


@dataclass(frozen=True, slots=True)
class Here:
    """Where and when somebody acts; good until the end of the transaction."""

    memory: Memory
    tip: Turn | None
    now_ms: int

    @property
    def branch_ms(self) -> int:
        """Branch time of the act."""
        if self.tip is None:
            return self.now_ms
        return self.tip.branch_ms + self.now_ms - self.tip.accepted_ms

    def entry(self, entry_id: str) -> Entry | None:
        """Return an entry that was not deleted."""
        found = self.memory.entry(entry_id)
        return None if found is None or found.status == "deleted" else found


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

    return _act(access, chosen)


def memory_delete(access: Access, entry_id: str) -> Outcome:
    """Use an entry no more, on any branch, whatever is learned later."""

    def chosen(here: Here) -> Action | NoChange:
        entry = here.entry(entry_id)
        return Missing() if entry is None else Delete(_target(entry))

    return _act(access, chosen)


def memory_pin(access: Access, entry_id: str, *, pinned: bool) -> Outcome:
    """Keep an entry among the first, or not any more."""

    def chosen(here: Here) -> Action | NoChange:
        entry = here.entry(entry_id)
        if entry is None:
            return Missing()
        return Unchanged() if entry.pinned is pinned else Pin(_target(entry), pinned)

    return _act(access, chosen)


def memory_add(access: Access, kind: EntryKind, text: str) -> Outcome:
    """Add an entry of a person's own; its id is `op:` and the seq."""
    return _act(access, lambda _: Add(kind, text))


def memory_undo(access: Access, seq: int) -> Outcome:
    """Take an act back; to take an undo back is to do the act again."""

    def chosen(here: Here) -> Action | NoChange:
        if all(operation.seq != seq for operation in here.memory.operations):
            return Missing()
        return Unchanged() if seq in here.memory.undone else Undo(seq)

    return _act(access, chosen)


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

    return _act(access, chosen)


def field_remove(access: Access, key: str) -> Outcome:
    """Remove a session field."""

    def chosen(here: Here) -> Action | NoChange:
        known = any(one.key == key and not one.removed for one in here.memory.fields)
        return RemoveField(key) if known else Missing()

    return _act(access, chosen)


def _act(access: Access, choose: Callable[[Here], Action | NoChange]) -> Outcome:
    """Do what is chosen from the state that nobody else can change meanwhile."""
    conversation, keys = access.conversation, access.keys
    with transaction.atomic():
        head = claim(conversation.id)
        tip = _tip(access)
        tip_id = None if tip is None else tip.id
        # All that the panel shows can be acted on, also what checkpoints leave out.
        memory = read_memory(conversation.id, tip_id, keys, as_of=head.seq - 1, whole=True)
        now = max(now_ms(), 0 if tip is None else tip.accepted_ms)
        choice = choose(Here(memory, tip, now))
        if isinstance(choice, NoChange):
            # A claimed seq without its transition would be a gap in the log.
            transaction.set_rollback(True)
            return choice
        operation = Operation(
            seq=head.seq,
            turn_id=None if tip_id is None else str(tip_id),
            depth=0 if tip is None else tip.depth,
            action=choice,
            created_ms=now,
        )
        change = Change(kind=KINDS[type(choice)], turn=tip_id, input=encode_operation(operation))
        append(conversation.id, keys, change, head, now)
        insert_operation(operation, conversation.id, keys)
    return Changed(head.seq)


def _tip(access: Access) -> Turn | None:
    main = Branch.objects.select_related("tip").filter(
        conversation=access.conversation, origin=Branch.Origin.MAIN
    )
    return main.get().tip


def _target(entry: Entry) -> Target:
    return Target(entry.id, entry.sources, entry.text)
