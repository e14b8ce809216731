"""An act of a person on memory: chosen from a state that nobody else can change meanwhile."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from chatapp.access import Access
from chatapp.clock import now_ms
from chatapp.models import Turn
from chatapp.services.outcomes import Changed, Missing, Overtaken, Unchanged
from chatapp.services.transitions import Change, Head, append, claim
from chatapp.store.branches import clock_of, viewed_branch
from chatapp.store.memory import insert_operation, look
from statecore.memory.ledger import Entry
from statecore.state.codec import encode_operation
from statecore.state.fold import Memory
from statecore.state.operations import (
    Action,
    Add,
    Delete,
    Edit,
    Operation,
    Pin,
    RemoveField,
    SetField,
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
    branch_ms: int
    """Branch time of the act."""

    def entry(self, entry_id: str) -> Entry | None:
        """Return an entry that was not deleted."""
        found = self.memory.entry(entry_id)
        return None if found is None or found.status == "deleted" else found


def act(access: Access, choose: Callable[[Here], Action | NoChange]) -> Outcome:
    """Do what is chosen at the newest turn: one operation with its transition, or nothing."""

    def one(here: Here) -> Sequence[Action] | NoChange:
        choice = choose(here)
        return choice if isinstance(choice, NoChange) else (choice,)

    done = act_all(access, one)
    return done if isinstance(done, NoChange) else Changed(done[0])


def act_all(
    access: Access, choose: Callable[[Here], Sequence[Action] | NoChange]
) -> tuple[int, ...] | NoChange:
    """Do all that is chosen at the newest turn, or nothing; the seqs of the operations."""
    with transaction.atomic():
        head = claim(access.conversation.id)
        here = _here(access, head)
        choice = choose(here)
        if isinstance(choice, NoChange) or not choice:
            # A claimed seq without its transition would be a gap in the log.
            transaction.set_rollback(True)
            return choice if isinstance(choice, NoChange) else Unchanged()
        seqs = [_do(access, here, head, choice[0])]
        seqs += [_do(access, here, claim(access.conversation.id), more) for more in choice[1:]]
    return tuple(seqs)


def _here(access: Access, head: Head) -> Here:
    branch = viewed_branch(access)
    # All that the panel shows can be acted on, also what a model has still to read.
    looked = look(access.conversation.id, branch.tip_id, access.keys, as_of=head.seq - 1)
    now = now_ms() if branch.tip is None else max(now_ms(), branch.tip.accepted_ms)
    return Here(looked.memory, branch.tip, now, clock_of(branch).at(now))


def _do(access: Access, here: Here, head: Head, action: Action) -> int:
    tip_id: UUID | None = None if here.tip is None else here.tip.id
    operation = Operation(
        seq=head.seq,
        turn_id=None if tip_id is None else str(tip_id),
        depth=0 if here.tip is None else here.tip.depth,
        action=action,
        created_ms=here.now_ms,
    )
    change = Change(kind=KINDS[type(action)], turn=tip_id, input=encode_operation(operation))
    append(access.conversation.id, access.keys, change, head, here.now_ms)
    insert_operation(operation, access.conversation.id, access.keys)
    return head.seq
