"""Reads which models there are and whether they can answer now."""

from dataclasses import dataclass

from chatapp.selectors.rows import ModelChoice
from chatapp.wiring import model_status, registry
from statecore.models import ModelSpec


@dataclass(frozen=True, slots=True)
class NotReady:
    """Why nobody can be asked now."""

    detail: str
    """One sentence."""


def model_for(name: str) -> ModelSpec | NotReady:
    """Return the model of a name, or the first of the registry where the name is gone."""
    spec = registry().get(name) or registry().default()
    if spec is None:
        return NotReady("No model is set up.")
    status = model_status(spec)
    return spec if status.state == "ready" else NotReady(status.detail)


def model_names() -> frozenset[str]:
    """Return the names of all models."""
    return frozenset(spec.name for spec in registry().all())


def model_choices(selected: str) -> tuple[ModelChoice, ...]:
    """Return all models in fallback order with the state of their servers."""
    models = registry().all()
    names = {spec.name for spec in models}
    chosen = selected if selected in names else (models[0].name if models else "")
    return tuple(_choice(spec, chosen) for spec in models)


def _choice(spec: ModelSpec, chosen: str) -> ModelChoice:
    status = model_status(spec)
    return ModelChoice(
        name=spec.name,
        ready=status.state == "ready",
        state=status.state,
        detail=status.detail,
        expect=spec.expect,
        window_tokens=spec.window_tokens,
        local=spec.local,
        progress=status.progress,
        selected=spec.name == chosen,
    )
