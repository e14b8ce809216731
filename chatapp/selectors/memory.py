"""Reads what a conversation remembers."""

from dataclasses import dataclass
from uuid import UUID

from chatapp.access import Access
from chatapp.clock import now_ms
from chatapp.models import PlanInput
from chatapp.store.branches import clock_of, viewed_branch
from chatapp.store.memory import look, read_memory
from statecore.state.fold import Memory


@dataclass(frozen=True, slots=True)
class MemoryPage:
    """What the branch that is looked at remembers now."""

    memory: Memory
    """The full version: what checkpoints leave out, too, but in the longest conversations; with
    what rules find in turns that are still to be read (see `foreseen`)."""
    branch_now_ms: int
    """Branch time of the look."""
    last_turn_ms: int
    """Branch time of the newest turn; 0 before the first."""
    waiting: tuple[UUID, ...]
    """Turns of the path without a delta, oldest first."""
    tip: UUID | None
    """The newest turn; None before the first."""


def memory_page(access: Access) -> MemoryPage:
    """Return what the branch that is looked at remembers; three queries, five while turns wait."""
    conversation, keys = access.conversation, access.keys
    branch = viewed_branch(access)
    as_of = branch.conversation.last_seq
    looked = look(conversation.id, branch.tip_id, keys, as_of=as_of)
    return MemoryPage(
        memory=looked.memory,
        branch_now_ms=clock_of(branch).at(now_ms()),
        last_turn_ms=0 if branch.tip is None else branch.tip.branch_ms,
        waiting=looked.waiting,
        tip=branch.tip_id,
    )


def attempt_memory(access: Access, attempt_id: UUID) -> Memory | None:
    """Return the memory that an attempt was planned with; None when there is no such attempt."""
    plans = PlanInput.objects.filter(
        attempt_id=attempt_id, attempt__turn__conversation=access.conversation
    )
    plan = plans.values_list("parent_turn_id", "as_of_seq").first()
    if plan is None:
        return None
    parent_id, as_of = plan
    return read_memory(access.conversation.id, parent_id, access.keys, as_of=as_of)
