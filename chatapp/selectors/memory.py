"""Reads what a conversation remembers."""

from dataclasses import dataclass
from uuid import UUID

from chatapp.access import Access
from chatapp.clock import now_ms
from chatapp.models import Branch, PlanInput
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
    tip_id, branch_ms, accepted_ms, as_of = (
        Branch.objects.filter(conversation=conversation, origin=Branch.Origin.MAIN)
        .values_list("tip_id", "tip__branch_ms", "tip__accepted_ms", "conversation__last_seq")
        .get()
    )
    looked = look(conversation.id, tip_id, keys, as_of=as_of)
    now = now_ms()
    if branch_ms is not None and accepted_ms is not None:
        now = max(branch_ms, branch_ms + now - accepted_ms)
    return MemoryPage(
        memory=looked.memory,
        branch_now_ms=now,
        last_turn_ms=branch_ms or 0,
        waiting=looked.waiting,
        tip=tip_id,
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
