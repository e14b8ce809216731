"""How far token counts and windows were off, carried from plan to plan along a path."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from statecore.routing.windows import LearnedWindow, window_document, window_in
from statecore.tokens import Factors, factors_after

KEPT_MODELS: Final = 8
"""Of how many models a path remembers the factors."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """What one request was counted with, as it is stored with its plan."""

    model_name: str = ""
    by_model: Mapping[str, Factors] = field(default_factory=dict)
    """The factors of each model that was asked on the path, those of this one last."""
    tokens_by_script: Mapping[str, int] = field(default_factory=dict)
    """How the estimate of this request is shared out; empty where everything is exact."""
    windows: Mapping[str, LearnedWindow] = field(default_factory=dict)
    """By the hash of a model's entry: the window that its provider takes, where it is not the
    entry's own."""
    window: LearnedWindow | None = None
    """That this request was planned for; None for the model's own."""

    @property
    def factor(self) -> float:
        """What an estimate of this request was multiplied with in the mean."""
        factors = self.by_model.get(self.model_name, {})
        total = sum(self.tokens_by_script.values())
        if not total:
            return 1.0
        shares = self.tokens_by_script.items()
        return sum(tokens * factors.get(script, 1.0) for script, tokens in shares) / total


NOTHING_CALIBRATED: Final = Calibration()


def calibration_document(calibration: Calibration) -> dict[str, Any]:
    """Return a calibration as plain JSON data."""
    kept = list(calibration.by_model.items())[-KEPT_MODELS:]
    windows = list(calibration.windows.items())[-KEPT_MODELS:]
    return {
        "model": calibration.model_name,
        "by_model": {name: dict(factors) for name, factors in kept},
        "scripts": dict(calibration.tokens_by_script),
        "window": None if calibration.window is None else window_document(calibration.window),
        "windows": {name: window_document(window) for name, window in windows},
    }


def windows_of(result: Mapping[str, Any] | None) -> dict[str, LearnedWindow]:
    """Return which windows a path has learned, by the hash of a model's entry.

    Args:
        result: what is stored of its newest plan; None before the first one.
    """
    stored = ((result or {}).get("calibration") or {}).get("windows") or {}
    return {name: window_in(document) for name, document in stored.items()}


def window_of(result: Mapping[str, Any] | None) -> LearnedWindow | None:
    """Return the window that a request was planned for, where it was not the model's own."""
    stored = ((result or {}).get("calibration") or {}).get("window")
    return None if stored is None else window_in(stored)


def factors_of(result: Mapping[str, Any] | None, reported_tokens: int | None) -> dict[str, Factors]:
    """Return the factors of each model after a plan whose request was answered.

    Args:
        result: what is stored of the plan; None before the first one.
        reported_tokens: what the provider counted for its request; None when it did not say.
    """
    stored = (result or {}).get("calibration")
    if not result or not stored:
        return {}
    by_model: dict[str, Factors] = dict(stored["by_model"])
    planned_tokens = result.get("planned_tokens")
    if reported_tokens and planned_tokens and result.get("planned_quality") == "estimated":
        name = stored["model"]
        before = by_model.pop(name, {})
        by_model[name] = factors_after(before, stored["scripts"], planned_tokens, reported_tokens)
    return by_model
