"""Remembers which windows providers take, in this process and with the plans of each path.

A window that was learned holds for the entry of the model that it was learned for, until its
provider answers a prompt that is larger.
"""

from collections.abc import Mapping
from threading import Lock

from statecore.models import ModelSpec, spec_hash
from statecore.routing.windows import LearnedWindow

_learned: dict[str, LearnedWindow] = {}
_answered: dict[str, int] = {}
"""The largest prompt of each entry that was answered, by what was planned."""
_lock = Lock()


def in_force(model: ModelSpec) -> LearnedWindow | None:
    """Return the window that is planned for instead of a model's own; None for its own."""
    return _learned.get(spec_hash(model))


def refused(model: ModelSpec, window: LearnedWindow) -> None:
    """Remember what a refusal taught; it says more than what was answered before.

    Args:
        model: as its entry says.
        window: for which requests are planned from now on.
    """
    with _lock:
        name = spec_hash(model)
        _learned[name] = window
        _answered.pop(name, None)


def answered(model: ModelSpec, planned_tokens: int, *, estimated_as: int | None = None) -> None:
    """Take in that a prompt was answered; one beyond the window means that the window is larger.

    Args:
        model: as its entry says.
        planned_tokens: of the prompt, as planned.
        estimated_as: what the provider counted, where the plan had to estimate.
    """
    name = spec_hash(model)
    with _lock:
        _answered[name] = max(planned_tokens, _answered.get(name, 0))
        window = _learned.get(name)
        if window is None:
            return
        if planned_tokens > window.room_tokens:
            del _learned[name]
        elif estimated_as is not None:
            _learned[name] = window.grown(planned_tokens, estimated_as)


def adopt(model: ModelSpec, stored: Mapping[str, LearnedWindow]) -> LearnedWindow | None:
    """Take over what a path has kept of a model's window, as after a restart.

    Args:
        model: as its entry says.
        stored: by entry, as the newest plan of the path has it.

    Returns:
        The window in force.
    """
    name = spec_hash(model)
    with _lock:
        window = stored.get(name)
        is_new = window is not None and name not in _learned
        if window is not None and is_new and _answered.get(name, 0) <= window.room_tokens:
            _learned[name] = window
        return _learned.get(name)


def kept(
    model: ModelSpec, window: LearnedWindow | None, stored: Mapping[str, LearnedWindow]
) -> dict[str, LearnedWindow]:
    """Return what the plan of a request keeps: what is known of its model, and of others.

    Args:
        model: as its entry says.
        window: what is known of its provider.
        stored: by entry, as the newest plan of the path has it.
    """
    name = spec_hash(model)
    others = {key: found for key, found in stored.items() if key != name}
    return others if window is None else others | {name: window}


def forget() -> None:
    """Forget all, as a process that starts does."""
    with _lock:
        _learned.clear()
        _answered.clear()
