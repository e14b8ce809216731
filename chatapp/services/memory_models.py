"""Which model may read a turn in order to label it, and whether the local models are needed now."""

from dataclasses import dataclass

from chatapp.models import Turn
from chatapp.wiring import model_status, registry
from statecore.models import ModelSpec


@dataclass(frozen=True, slots=True)
class Chosen:
    """The model that labels a turn."""

    model: ModelSpec | None
    """None where none may read it."""
    is_ready: bool


def memory_model(answered_by: str) -> Chosen:
    """Return the model that labels a turn which a model has answered.

    That model itself, if it is one for memory; else a local one; else another of the same server.
    What a person said to one provider is never told to another.
    """
    answered = registry().get(answered_by)
    if answered is not None and answered.for_memory:
        return Chosen(answered, _is_ready(answered))
    others = [spec for spec in registry().all() if spec.for_memory]
    allowed = [spec for spec in others if spec.local]
    if answered is not None and not answered.local:
        allowed += [spec for spec in others if spec.endpoint == answered.endpoint]
    ready = next((spec for spec in allowed if _is_ready(spec)), None)
    return Chosen(ready or next(iter(allowed), None), ready is not None)


def _is_ready(spec: ModelSpec) -> bool:
    return model_status(spec).state == "ready"


def is_answering_here() -> bool:
    """Return whether a local model answers somebody who waits; one query.

    The local models share one processor, and a person waits for an answer but not for memory.
    """
    local = [spec.name for spec in registry().all() if spec.local]
    return Turn.objects.filter(status="running", model_name__in=local).exists()
