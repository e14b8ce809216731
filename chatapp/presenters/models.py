"""Models and the state of their servers, as people see them."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from chatapp.presenters import units
from chatapp.selectors.rows import ModelChoice


@dataclass(frozen=True, slots=True)
class ModelView:
    """One model of the picker."""

    name: str
    ready: bool
    state: str
    state_label: str
    sentence: str
    """What its server is doing; empty when it is ready."""
    expect: str
    window: str
    """Tokens."""
    local: bool
    progress_percent: int | None
    selected: bool


def _state_label(choice: ModelChoice) -> str:
    if choice.ready:
        return gettext("ready")
    labels = {
        "downloading": gettext("downloading"),
        "starting": gettext("starting"),
        "failed": gettext("failed"),
        "stopped": gettext("stopped"),
    }
    return labels.get(choice.state, choice.state)


def _sentence(choice: ModelChoice) -> str:
    if choice.ready:
        return ""
    name = {"model": choice.name}
    if choice.state == "downloading" and choice.progress is not None:
        share = units.percent(choice.progress)
        return gettext("Downloading %(model)s: %(share)s") % {**name, "share": share}
    sentences = {
        "downloading": gettext("Downloading %(model)s."),
        "starting": gettext("Starting %(model)s; the first time takes a little longer."),
        "failed": gettext("%(model)s could not be started."),
        "stopped": gettext("The server of %(model)s is not running."),
    }
    return sentences.get(choice.state, gettext("%(model)s is not ready.")) % name


def present_model(choice: ModelChoice) -> ModelView:
    """Return one model with the state of its server in words."""
    return ModelView(
        name=choice.name,
        ready=choice.ready,
        state="ready" if choice.ready else choice.state,
        state_label=_state_label(choice),
        sentence=" ".join(filter(None, (_sentence(choice), "" if choice.ready else choice.detail))),
        expect=choice.expect,
        window=units.tokens(choice.window_tokens),
        local=choice.local,
        progress_percent=None if choice.progress is None else round(choice.progress * 100),
        selected=choice.selected,
    )


def present_models(models: Sequence[ModelChoice]) -> dict[str, object]:
    """Return the context of the picker and of `models/_status.html`.

    `model` is the chosen one, or None without any.
    """
    views = tuple(present_model(choice) for choice in models)
    return {"models": views, "model": next((view for view in views if view.selected), None)}
