"""The window of a model as a bar: what of it a request fills, and with what."""

from dataclasses import dataclass
from itertools import accumulate

from django.utils.translation import gettext

from chatapp.presenters import units
from chatapp.selectors.rows import AttemptRow


@dataclass(frozen=True, slots=True)
class Part:
    """One coloured stretch; places are in thousandths of the bar."""

    kind: str
    label: str
    start: int
    width: int
    tokens: str


@dataclass(frozen=True, slots=True)
class Bar:
    """The whole window, parts from the left; what no part covers is free."""

    parts: tuple[Part, ...]
    label: str
    """The same in words."""
    full: bool
    """Little is left: 90 % or more."""


_FULL = 0.9
_SCALE = 1000


def present_bar(attempt: AttemptRow) -> Bar | None:
    """Return the bar of an attempt; None when its plan says nothing of the window."""
    if attempt.rho_sent is None or attempt.window_tokens <= 0:
        return None
    sums = dict.fromkeys(_labels(), 0)
    for segment in attempt.segments:
        if segment["decision"] not in {"dropped", "moved_to_summary"}:
            kind = segment["kind"] if segment["kind"] in sums else "message"
            sums[kind] += segment["tokens"]
    guessed: set[str] = {s["kind"] for s in attempt.segments if s["quality"] == "estimated"}
    reserved = round(attempt.rho_sent * attempt.window_tokens) - sum(sums.values())
    sums["reserve"] = max(0, reserved)
    label = gettext("%(share)s of a window of %(window)s tokens") % {
        "share": units.percent(attempt.rho_sent),
        "window": units.tokens(attempt.window_tokens),
    }
    return Bar(
        parts=_parts(sums, max(attempt.window_tokens, sum(sums.values())), guessed),
        label=label,
        full=attempt.rho_sent >= _FULL,
    )


def _labels() -> dict[str, str]:
    return {
        "system": gettext("System prompt"),
        "tools": gettext("Definitions of tools"),
        "message": gettext("Earlier messages"),
        "state_block": gettext("Notes of the application"),
        "input": gettext("Your message"),
        "reserve": gettext("Kept free for the answer"),
    }


def _parts(sums: dict[str, int], whole: int, guessed: set[str]) -> tuple[Part, ...]:
    labels = _labels()
    ends = [round(end * _SCALE / whole) for end in accumulate(sums.values())]
    starts = [0, *ends]
    return tuple(
        Part(
            kind,
            labels[kind],
            start,
            end - start,
            units.tokens(sums[kind], "estimated" if kind in guessed else "exact"),
        )
        for kind, start, end in zip(sums, starts, ends, strict=False)
        if sums[kind] > 0
    )
