"""Plans a request from what was read, with the token counts that are at hand or made here."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from chatapp.services.calibrating import Scales
from chatapp.services.outcomes import TextNeeded
from chatapp.store.calibrations import Calibration
from chatapp.store.contexts import PathContext
from chatapp.wiring import chat_template, count_here
from statecore.context.missing import Missing, missing
from statecore.context.plan import ContextPlan, DoesNotFit, NeedCounts, Planner
from statecore.context.strategies import ELASTIC, Strategy
from statecore.context.tuning import USUAL, Tuning
from statecore.models import ModelSpec
from statecore.templates import Template
from statecore.tokens import Count, CountKey

KNOWN_COUNTS = 1_000
"""How many counts of texts that are no messages a process keeps."""

_known: dict[CountKey, Count] = {}


@dataclass(frozen=True, slots=True)
class Planned:
    """A plan, and the counts that were made for it."""

    plan: ContextPlan
    fresh: dict[CountKey, Count]
    """As they were counted, without the factors that they were planned with."""
    calibration: Calibration


def planned(
    context: PathContext,
    model: ModelSpec,
    fresh: Mapping[CountKey, Count],
    strategy: Strategy = ELASTIC,
    template: Template | None = None,
    tuning: Tuning = USUAL,
) -> Planned | TextNeeded | DoesNotFit:
    """Return the plan of a request; nothing is written.

    Args:
        context: what it is computed from.
        model: whom to ask.
        fresh: counts that an earlier TextNeeded asked for.
        strategy: how the context is made.
        template: the texts around the conversation; None for those in use.
        tuning: the bounds of the tiers.

    Returns:
        The plan; TextNeeded where only the model's own server can count.
    """
    made = dict(fresh)
    scales = Scales(context, model)
    texts = template or chat_template()
    planner = Planner(context.state, model, texts, context.previous, strategy, tuning)
    while True:
        outcome = planner.plan(scales.counts(_known | context.counts | made))
        if isinstance(outcome, DoesNotFit):
            return outcome
        if isinstance(outcome, ContextPlan):
            _remember(made)
            return Planned(outcome, made, scales.of(outcome))
        if model.tokenizer.startswith("server"):
            return TextNeeded(_texts(outcome))
        counts = count_here(list(outcome.texts), model.tokenizer)
        made |= dict(zip(outcome.keys, counts, strict=True))


def missing_of(plan: ContextPlan, context: PathContext) -> tuple[Missing, ...]:
    """Return what was said, binds or is exact, and is not in a request.

    Turns that memory has still to read and the request does not show are counted: nobody knows
    what they hold.

    Args:
        plan: of the request.
        context: that it was planned from.
    """
    memory = context.state.memory
    sent = {found.message_id for found in plan.sent}
    visible = {
        entry.id
        for entry in memory.entries
        if any(span.message_id in sent for span in entry.sources)
    }
    found = missing(memory.entries, plan.left_out, plan.selected)
    lost = tuple(one for one in found if one.entry_id not in visible)
    unread = context.waiting_before + sum(
        not turn.is_learned and sent.isdisjoint(message.id for message in turn.messages)
        for turn in context.state.turns
    )
    return (*lost, Missing("", "unread", is_active=True, turns=unread)) if unread else lost


def _texts(needed: NeedCounts) -> dict[CountKey, str]:
    return dict(zip(needed.keys, needed.texts, strict=True))


def _remember(made: Mapping[CountKey, Count]) -> None:
    """Keep the counts of texts that are no messages; their ids say what the text is."""
    if len(_known) > KNOWN_COUNTS:
        _known.clear()
    _known.update({key: count for key, count in made.items() if not is_stored(key)})


def is_stored(key: CountKey) -> bool:
    """Return whether a count is that of a stored message; the template's texts have other ids."""
    try:
        UUID(key.message_id)
    except ValueError:
        return False
    return True
