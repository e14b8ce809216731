"""Plans one input on one path under every strategy; nothing is sent and nothing is written."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from uuid import UUID

from chatapp.access import Access
from chatapp.keyring import keys_of
from chatapp.models import Turn
from chatapp.services.fitting import fitted
from chatapp.services.outcomes import TextNeeded
from chatapp.services.planning import Planned, missing_of, planned
from chatapp.services.previewing import draft_of
from chatapp.store.contexts import PathContext, read_draft, read_past
from chatapp.store.reach import Reach, asked_by, whole_window
from statecore.context.missing import Missing
from statecore.context.occupancy import rho
from statecore.context.plan import ContextPlan, DoesNotFit
from statecore.context.strategies import ELASTIC, Strategy
from statecore.models import ModelSpec
from statecore.routing.windows import LearnedWindow
from statecore.state.fold import Memory
from statecore.tokens import Count, CountKey, Quality

_NOT_SENT = frozenset({"dropped", "moved_to_summary"})


@dataclass(frozen=True, slots=True)
class CompareInput:
    """What is compared."""

    model: ModelSpec
    branch_id: UUID
    text: str = ""
    """Typed at the end of the branch; empty for an input that was sent already."""
    turn_id: UUID | None = None
    """Whose input is planned again, as its path was then; None for the newest of the branch."""
    last_messages: int | None = None
    """For the sliding window; None for no such limit."""
    last_tokens: int | None = None
    """For the sliding window; without either limit its request may have as many tokens as the
    elastic plan has."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One strategy."""

    strategy: Strategy
    plan: ContextPlan | None
    """None when it does not fit."""
    prompt_tokens: int
    """What it would take, also when it does not fit."""
    quality: Quality
    rho: float
    """With the reply reserve / window."""
    turns_sent: int
    """Turns of the history of which something is sent."""
    messages_sent: int
    """Messages of the history, shortened ones included."""
    messages_left_out: int
    entries: int
    """Things that the state block gives back."""
    missing: tuple[Missing, ...]
    overflow: DoesNotFit | None = None
    """Why there is no plan, with its largest parts."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """All strategies on the same path and input."""

    input_text: str
    turn_id: UUID | None
    """Whose input it is; None for a text that was typed."""
    model: ModelSpec
    """As it was planned for."""
    rows: tuple[Compared, ...]
    """In the order full, sliding, summary, elastic."""
    unread_turns: int
    """Turns before all that a window can hold; of them only the sums were read."""
    memory: Memory
    """As the plans saw it."""
    window: LearnedWindow | None = None
    """What is known of the provider, where it takes less than the model's own window."""


@dataclass(frozen=True, slots=True)
class NothingToCompare:
    """There is no such turn or branch, or nothing was ever said there."""


def compare(
    access: Access, what: CompareInput, *, fresh: Mapping[CountKey, Count]
) -> Comparison | TextNeeded | NothingToCompare:
    """Plan an input under every strategy.

    Args:
        access: the conversation.
        what: which input, for which model.
        fresh: counts that an earlier TextNeeded asked for.
    """
    turn_id = None if what.text.strip() else what.turn_id or _newest(access, what.branch_id)

    def read(model: ModelSpec) -> PathContext | None:
        return _context(access, replace(what, model=model), turn_id, None)

    found = fitted(what.model, read, fresh)
    if found is None:
        return NothingToCompare()
    narrow, elastic, model, asked = found.context, found.outcome, found.model, what.model
    if isinstance(elastic, TextNeeded):
        return elastic
    what = replace(what, model=model)
    wide = _context(access, what, turn_id, whole_window(asked_by(model)))
    if wide is None:
        return NothingToCompare()
    others = (
        (Strategy("full"), wide),
        (_sliding(what, elastic), wide),
        (Strategy("summary"), narrow),
    )
    outcomes = [
        (strategy, context, planned(context, model, fresh, strategy))
        for strategy, context in others
    ]
    needed = [outcome for *_, outcome in outcomes if isinstance(outcome, TextNeeded)]
    if needed:
        return TextNeeded({key: text for each in needed for key, text in each.texts.items()})
    outcomes.append((ELASTIC, narrow, elastic))
    rows = tuple(
        _compared(strategy, outcome, context, model)
        for strategy, context, outcome in outcomes
        if not isinstance(outcome, TextNeeded)
    )
    state = wide.state
    return Comparison(
        state.input.text,
        turn_id,
        model,
        rows,
        state.earlier_turns,
        narrow.state.memory,
        None if found.model == asked else found.window,
    )


def _newest(access: Access, branch_id: UUID) -> UUID | None:
    turns = Turn.objects.filter(conversation=access.conversation, branch_id=branch_id)
    return turns.order_by("-depth", "-accepted_seq").values_list("id", flat=True).first()


def _context(
    access: Access, what: CompareInput, turn_id: UUID | None, wide: Reach | None
) -> PathContext | None:
    conversation_id = access.conversation.id
    if turn_id is not None:
        return read_past(conversation_id, turn_id, model=what.model, keys_of=keys_of, wide=wide)
    if not what.text.strip():
        return None
    draft = draft_of(what.text)
    return read_draft(
        conversation_id, what.branch_id, draft, model=what.model, keys_of=keys_of, wide=wide
    )


def _sliding(what: CompareInput, elastic: Planned | DoesNotFit) -> Strategy:
    if what.last_tokens is None and what.last_messages is None and isinstance(elastic, Planned):
        return Strategy("sliding", prompt_tokens=elastic.plan.prompt_tokens)
    return Strategy("sliding", what.last_messages, what.last_tokens)


def _compared(
    strategy: Strategy, outcome: Planned | DoesNotFit, context: PathContext, model: ModelSpec
) -> Compared:
    if isinstance(outcome, DoesNotFit):
        return Compared(
            strategy=strategy,
            plan=None,
            prompt_tokens=outcome.prompt_tokens,
            quality=outcome.quality,
            rho=rho(outcome.prompt_tokens, model),
            turns_sent=0,
            messages_sent=0,
            messages_left_out=context.sums.messages,
            entries=0,
            missing=(),
            overflow=outcome,
        )
    plan = outcome.plan
    sent = [part for part in plan.segments if part.kind == "message"]
    sent = [part for part in sent if part.decision not in _NOT_SENT]
    messages = {name for part in sent for name in part.source_ids}
    return Compared(
        strategy=strategy,
        plan=plan,
        prompt_tokens=plan.prompt_tokens,
        quality=plan.quality,
        rho=plan.rho_sent,
        turns_sent=len({part.depth for part in sent}),
        messages_sent=len(messages),
        messages_left_out=context.sums.messages - len(messages),
        entries=len(plan.selected),
        missing=missing_of(plan, context),
    )
