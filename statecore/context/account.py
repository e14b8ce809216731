"""The account of a plan as a table for people."""

from collections.abc import Iterator, Sequence

from statecore.context.outcomes import ContextPlan, DoesNotFit
from statecore.context.segments import Segment
from statecore.models import ModelSpec

_HEAD = ("segment", "role", "source", "tokens", "count", "decision", "reason", "rho")
_NUMBERS = frozenset({"tokens", "rho"})

_NAMED_SOURCES = 3
"""So many sources of one line are named; the others are counted."""


def account(plan: ContextPlan, model: ModelSpec) -> str:
    """Return one line for each segment, in the order of the request, and the totals below."""
    rows = [_HEAD, *(_row(segment, model) for segment in plan.segments)]
    lines = [*_aligned(rows), "", *_totals(plan, model)]
    return "\n".join(lines)


def _row(segment: Segment, model: ModelSpec) -> tuple[str, ...]:
    return (
        segment.kind,
        segment.role,
        _source(segment),
        str(segment.tokens),
        segment.quality,
        segment.decision,
        segment.reason,
        f"{segment.tokens / model.window_tokens:.3f}",
    )


def _source(segment: Segment) -> str:
    ids = segment.source_ids
    if not ids:
        return "-"
    if segment.kind == "gap" and len(ids) > 1:
        return f"{ids[0]}..{ids[-1]}"
    more = f" +{len(ids) - _NAMED_SOURCES}" if len(ids) > _NAMED_SOURCES else ""
    return " ".join(ids[:_NAMED_SOURCES]) + more


def _aligned(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (
            cell.rjust(width) if name in _NUMBERS else cell.ljust(width)
            for name, cell, width in zip(_HEAD, row, widths, strict=True)
        )
        yield "  ".join(cells).rstrip()


def _totals(plan: ContextPlan, model: ModelSpec) -> Iterator[str]:
    yield (
        f"prompt {plan.prompt_tokens} tokens ({plan.quality}), "
        f"reply reserve {model.reply_reserve_tokens}, window {model.window_tokens}"
    )
    yield (
        f"rho sent {plan.rho_sent:.3f}, rho of the full history {plan.rho_full:.3f}, "
        f"turns left out {plan.dropped_turns}"
    )


def why_not(outcome: DoesNotFit) -> str:
    """Return one sentence that says what is too large."""
    parts = ", ".join(f"{name} {tokens}" for name, tokens in outcome.largest)
    return (
        f"what is never cut needs {outcome.needed_tokens} tokens and the window has "
        f"{outcome.window_tokens}: {parts}"
    )
