"""C is a pure function: the state and a model give one request, byte for byte.

`plan` does no I/O, reads no clock and draws no random number. Token counts are inputs; where some
are missing it answers `NeedCounts`: first for everything word for word, then for shortened texts
where a tier needs them, and last for the text of the notes.
"""

from dataclasses import dataclass

from statecore.context import baselines
from statecore.context.assembly import assembled
from statecore.context.counting import CountsMissing
from statecore.context.elastic import TriedTiers, elastic, without_loss
from statecore.context.given import Given
from statecore.context.layout import Layout
from statecore.context.noting import Notes, noted
from statecore.context.outcomes import ContextPlan, DoesNotFit, NeedCounts
from statecore.context.overflow import does_not_fit
from statecore.context.segments import Decision, Reason, Segment, SegmentKind, Sent
from statecore.context.selection import LeftOut, Selected
from statecore.context.state import PathTurn, Previous, State
from statecore.context.strategies import ELASTIC, Strategy
from statecore.context.tuning import USUAL, Tuning
from statecore.models import ModelSpec
from statecore.templates import Template
from statecore.tokens import Counts

__all__ = [
    "PLANNER_VERSION",
    "ContextPlan",
    "Decision",
    "DoesNotFit",
    "LeftOut",
    "NeedCounts",
    "PathTurn",
    "Planner",
    "Previous",
    "Reason",
    "Segment",
    "SegmentKind",
    "Selected",
    "Sent",
    "State",
    "Strategy",
    "plan",
]

PLANNER_VERSION = 4
"""Byte identity of a replay is promised within one version."""


def plan(
    state: State,
    model: ModelSpec,
    template: Template,
    counts: Counts,
    now_ms: int,  # noqa: ARG001  # session fields expire by branch time, which the state holds
    previous: Previous | None,
    strategy: Strategy = ELASTIC,
    tuning: Tuning = USUAL,
) -> ContextPlan | NeedCounts | DoesNotFit:
    """Return the request for the next answer, or what is missing to compute it.

    System prompt, contract fields, tools, the critical values of a workflow and the input are
    never cut. The history is compacted as little as the window allows.

    Args:
        state: the path and the input.
        model: whose window and tokenizer count.
        template: the texts that surround the conversation.
        counts: token counts, all under the tokenizer of the model.
        now_ms: when the attempt is made; a part of the interface that no rule reads yet.
        previous: what the plan of the turn before chose; None at the first.
        strategy: how the history is compacted.
        tuning: the bounds of the tiers.
    """
    return Planner(state, model, template, previous, strategy, tuning).plan(counts)


@dataclass(frozen=True, slots=True)
class _Chosen:
    layout: Layout
    tried: TriedTiers = ()


class Planner:
    """A plan in the making: what the counts of a round do not change is worked out once."""

    def __init__(
        self,
        state: State,
        model: ModelSpec,
        template: Template,
        previous: Previous | None,
        strategy: Strategy = ELASTIC,
        tuning: Tuning = USUAL,
    ) -> None:
        """Arguments as those of `plan`."""
        self._given = Given(state, model, template, previous, tuning)
        self._strategy = strategy
        self._chosen: _Chosen | DoesNotFit | None = None

    def plan(self, counts: Counts) -> ContextPlan | NeedCounts | DoesNotFit:
        """Return what `plan` would.

        Args:
            counts: all that the call before had, and what it asked for.
        """
        given = self._given
        given.scale.take(counts)
        try:
            chosen = self._chosen or self._choose()
            self._chosen = chosen
            if isinstance(chosen, DoesNotFit):
                return chosen
            layout, notes = self._noted(chosen.layout)
        except CountsMissing as missing:
            return NeedCounts(tuple(missing.texts), tuple(missing.texts.values()))
        return assembled(given, layout, notes, self._strategy, chosen.tried)

    def _noted(self, layout: Layout) -> tuple[Layout, Notes]:
        given = self._given
        notes = noted(given, layout)
        if self._strategy.name != "elastic":
            return layout, notes
        better = without_loss(given, layout, notes)
        return (layout, notes) if better is layout else (better, noted(given, better))

    def _choose(self) -> _Chosen | DoesNotFit:
        given, strategy = self._given, self._strategy
        given.need()
        if given.least_tokens > given.budget_tokens:
            return does_not_fit(given)
        match strategy.name:
            case "elastic":
                return _Chosen(*elastic(given))
            case "full":
                layout = baselines.full(given)
                return does_not_fit(given, with_history=True) if layout is None else _Chosen(layout)
            case "sliding":
                return _Chosen(baselines.sliding(given, strategy))
            case "summary":
                return _Chosen(baselines.summary(given))
