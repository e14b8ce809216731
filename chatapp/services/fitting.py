"""Plans a request for the window that its provider takes, and not only for the model's own."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from chatapp.services import windows
from chatapp.services.outcomes import TextNeeded
from chatapp.services.planning import Planned, planned
from chatapp.store.contexts import PathContext
from statecore.context.plan import DoesNotFit
from statecore.models import ModelSpec
from statecore.routing.windows import LearnedWindow
from statecore.tokens import Count, CountKey

Read = Callable[[ModelSpec], PathContext | None]
"""Reads the context of a request for a model."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """What planning a request came to."""

    outcome: Planned | TextNeeded | DoesNotFit
    model: ModelSpec
    """As it was planned for."""
    context: PathContext
    window: LearnedWindow | None
    """What is known of its provider; None where the model's own window holds."""


def fitted(
    model: ModelSpec,
    read: Read,
    fresh: Mapping[CountKey, Count],
    window: LearnedWindow | None = None,
) -> Fitted | None:
    """Plan a request for the window that its provider is known to take.

    Args:
        model: whom to ask, as its entry says.
        read: reads the context.
        fresh: counts that an earlier TextNeeded asked for.
        window: to plan for, whatever is remembered.

    Returns:
        None where nothing can be read.
    """
    known = window or windows.in_force(model)
    context = read(_narrowed(model, known))
    if context is not None and window is None:
        remembered, known = known, windows.adopt(model, context.windows)
        if known != remembered:
            context = read(_narrowed(model, known))
    if context is None:
        return None
    spec = _narrowed(model, known)
    outcome = planned(context, spec, fresh)
    if isinstance(outcome, DoesNotFit) and spec != model and window is None:
        # What a provider once refused it may take by now; and if not, it says so again.
        spec, context = model, read(model)
        if context is None:
            return None
        outcome = planned(context, spec, fresh)
    return Fitted(outcome, spec, context, known)


def _narrowed(model: ModelSpec, window: LearnedWindow | None) -> ModelSpec:
    return model if window is None else window.narrowed(model)
