"""Plans recorded turns again: from what each plan saw and nothing else, without asking a model."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from uuid import UUID

from chatapp.access import Access
from chatapp.keyring import keys_of
from chatapp.services.outcomes import TextNeeded
from chatapp.services.planning import Planned, planned
from chatapp.store.attempts import following
from chatapp.store.contexts import Moment, read_past
from chatapp.store.reach import asked_by, whole_window
from chatapp.store.recorded import (
    StoredPlan,
    StoredTurn,
    history_ids,
    stored_tree,
    stored_turns,
)
from statecore.context.plan import PLANNER_VERSION, ContextPlan, Previous
from statecore.context.strategies import Strategy
from statecore.context.tuning import USUAL, Tuning
from statecore.models import ModelSpec
from statecore.replay.comparing import Recorded, Replanned, TurnReplay, compared, not_planned
from statecore.requests import Request
from statecore.templates import Template
from statecore.tokens import Count, CountKey

Counter = Callable[[ModelSpec, Sequence[str]], Sequence[Count]]
"""Counts texts that only the server of a model can count."""


@dataclass(frozen=True, slots=True)
class ReplaySettings:
    """What turns are planned with; None leaves a thing as it was at each turn."""

    template: Template | None = None
    strategy: Strategy | None = None
    model: ModelSpec | None = None
    tuning: Tuning = USUAL

    @property
    def is_own(self) -> bool:
        """Whether every turn is planned as it was."""
        return self == ReplaySettings()


@dataclass(frozen=True, slots=True)
class ReplayedTurn:
    """One turn, with the request that would be sent for it."""

    found: TurnReplay
    attempt: int = 0
    """Ordinal of the recorded attempt; 0 where there is none."""
    model: ModelSpec | None = None
    request: Request | None = None
    """None where nothing was planned, or nothing fits."""


def replayed(
    access: Access,
    tip: UUID | None,
    settings: ReplaySettings,
    counter: Counter,
    *,
    until: UUID | None = None,
    every_attempt: bool = False,
) -> Iterator[ReplayedTurn]:
    """Yield the turns of a path, the first one first, each planned again.

    With other settings than its own each plan stands on the one before it, as it would in use.

    Args:
        access: the conversation.
        tip: the newest turn of the path; None for an empty one.
        settings: what is tried.
        counter: counts what only a server can count.
        until: the last turn that is planned; None for the tip.
        every_attempt: plans every attempt of a turn, not only the newest.
    """
    turns = _up_to(until, stored_turns(tip, access.keys))
    yield from _replayed(access, turns, settings, counter, every_attempt=every_attempt)


def _up_to(until: UUID | None, turns: Iterable[StoredTurn]) -> Iterator[StoredTurn]:
    for turn in turns:
        yield turn
        if turn.turn_id == until:
            return


def replayed_tree(
    access: Access, settings: ReplaySettings, counter: Counter
) -> Iterator[ReplayedTurn]:
    """Yield the turns of all branches, each once and after its parent; arguments as `replayed`.

    What was edited or answered again lies on a branch of its own: a judgement of it is no less one.
    """
    turns = stored_tree(access.conversation.id, access.keys)
    yield from _replayed(access, turns, settings, counter)


def _replayed(
    access: Access,
    turns: Iterable[StoredTurn],
    settings: ReplaySettings,
    counter: Counter,
    *,
    every_attempt: bool = False,
) -> Iterator[ReplayedTurn]:
    chosen: dict[UUID | None, Previous | None] = {}
    for turn in turns:
        previous = chosen.get(turn.parent_id)
        plans = turn.plans if every_attempt else turn.plans[-1:]
        if not plans:
            yield ReplayedTurn(not_planned(str(turn.turn_id), turn.depth))
        for stored in plans:
            before = stored.moment.previous if settings.is_own else previous
            again = _Again(access, turn, stored, settings)
            plan = again.plan(before, counter)
            if plan is not None:
                previous = following(plan, again.model, again.template)
            yield again.told(plan)
        chosen[turn.turn_id] = previous


class _Again:
    """One recorded plan, and what it is made with this time."""

    def __init__(
        self, access: Access, turn: StoredTurn, stored: StoredPlan, settings: ReplaySettings
    ) -> None:
        self._access = access
        self._turn = turn
        self._stored = stored
        self._strategy = settings.strategy or Strategy(stored.strategy)  # type: ignore[arg-type]  # the column holds no other words
        self._tuning = settings.tuning
        self.model = settings.model or stored.model
        self.template = settings.template or stored.template

    def plan(self, previous: Previous | None, counter: Counter) -> ContextPlan | None:
        """Return the plan, or None where it does not fit."""
        moment = Moment(self._stored.moment.as_of_seq, previous)
        context = read_past(
            self._access.conversation.id,
            self._turn.turn_id,
            model=self.model,
            keys_of=keys_of,
            # Other bounds may need what the usual ones never do.
            wide=None if self._tuning == USUAL else whole_window(asked_by(self.model)),
            moment=moment,
        )
        if context is None:
            return None
        fresh: dict[CountKey, Count] = {}
        while True:
            outcome = planned(
                context, self.model, fresh, self._strategy, self.template, self._tuning
            )
            if isinstance(outcome, TextNeeded):
                counts = counter(self.model, list(outcome.texts.values()))
                fresh |= dict(zip(outcome.texts, counts, strict=True))
                continue
            return outcome.plan if isinstance(outcome, Planned) else None

    def told(self, plan: ContextPlan | None) -> ReplayedTurn:
        """Return what the plan comes to beside the recorded one."""
        stored = self._stored
        recorded = Recorded(
            turn_id=str(self._turn.turn_id),
            depth=self._turn.depth,
            request=stored.request,
            message_ids=stored.message_ids,
            tier=stored.tier,
            prompt_tokens=stored.prompt_tokens,
            planner_version=stored.planner_version,
            is_proven=stored.is_proven,
            has_erased=stored.has_erased,
        )
        found = compared(recorded, _replanned(plan), PLANNER_VERSION)
        request = None if plan is None else plan.request
        return ReplayedTurn(found, stored.ordinal, self.model, request)


def _replanned(plan: ContextPlan | None) -> Replanned | None:
    if plan is None:
        return None
    ids = tuple(history_ids([asdict(segment) for segment in plan.segments]))
    return Replanned(plan.request, ids, plan.tier, plan.prompt_tokens)
