"""Previews the next request for an input that is still being typed; nothing is written."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from uuid import UUID

from chatapp.access import Access
from chatapp.clock import now_ms
from chatapp.keyring import keys_of
from chatapp.services.fitting import fitted
from chatapp.services.outcomes import TextNeeded
from chatapp.services.planning import Planned, missing_of
from chatapp.store.contexts import Before, PathContext, read_draft
from chatapp.store.running import read_running
from statecore.context.missing import Missing
from statecore.context.plan import ContextPlan, DoesNotFit
from statecore.messages import Message
from statecore.models import ModelSpec
from statecore.state.fold import Memory
from statecore.tokens import Count, CountKey


@dataclass(frozen=True, slots=True)
class Preview:
    """What would be sent now."""

    plan: ContextPlan
    missing: tuple[Missing, ...]
    """What was said, binds or is exact, and would not be sent."""
    before: Before
    """What the newest request of the path came to."""
    input_id: str
    """What stands for the id of the input in the account of the plan."""
    memory: Memory
    """As the plan saw it."""
    is_waiting: bool = False
    """An answer is being written before it; the plan has of it what is there."""


@dataclass(frozen=True, slots=True)
class NothingTyped:
    """There is no input to plan a request for."""


@dataclass(frozen=True, slots=True)
class NoBranch:
    """The conversation has no such branch."""


def preview(
    access: Access,
    branch_id: UUID,
    text: str,
    *,
    model: ModelSpec,
    fresh: Mapping[CountKey, Count],
) -> Preview | TextNeeded | DoesNotFit | NothingTyped | NoBranch:
    """Plan the request that sending a text would make.

    All is read anew each time: a plan reads little, and what is kept could be out of date.

    Args:
        access: the conversation.
        branch_id: the branch at whose end the text is typed.
        text: what has been typed so far.
        model: whom it would be sent to.
        fresh: counts that an earlier TextNeeded asked for.
    """
    if not text.strip():
        return NothingTyped()
    draft = draft_of(text)

    def read(spec: ModelSpec) -> PathContext | None:
        found = read_draft(access.conversation.id, branch_id, draft, model=spec, keys_of=keys_of)
        return None if found is None else _with_running(found, branch_id)

    found = fitted(model, read, fresh)
    if found is None:
        return NoBranch()
    context, outcome = found.context, found.outcome
    if not isinstance(outcome, Planned):
        return outcome
    missing = missing_of(outcome.plan, context)
    return Preview(
        outcome.plan, missing, context.before, draft.id, context.state.memory, _is_waiting(context)
    )


def _with_running(context: PathContext, branch_id: UUID) -> PathContext:
    """Return the path as it will be when the answer that is being written has ended."""
    running = read_running(branch_id, context.parent_id, context.keys)
    if running is None:
        return context
    turns = (*context.state.turns, running)
    return replace(context, state=replace(context.state, turns=turns))


def _is_waiting(context: PathContext) -> bool:
    turns = context.state.turns
    return bool(turns) and turns[-1].id != str(context.parent_id)


def draft_of(text: str) -> Message:
    """Return a text as an input of now, under an id that its words alone decide."""
    name = UUID(bytes=hashlib.sha256(text.encode()).digest()[:16])
    return Message(str(name), "user", text, now_ms())
