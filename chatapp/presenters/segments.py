"""The parts of a request, one by one: what, how large, why, and where from."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import ngettext

from chatapp.presenters import reasons, units
from chatapp.presenters.sources import SourceLink, message_links
from chatapp.selectors.inspector import Places
from chatapp.selectors.rows import SegmentRow


@dataclass(frozen=True, slots=True)
class SegmentView:
    """One part of a request."""

    kind: str
    label: str
    role: str
    tokens: str
    decision: str
    decision_label: str
    reason: str
    sources: tuple[SourceLink, ...]


def present_segments(rows: Sequence[SegmentRow], places: Places) -> tuple[SegmentView, ...]:
    """Return the parts of a request in words.

    Args:
        rows: In the order of the request.
        places: Where messages stand; empty where nobody needs links.
    """
    return tuple(_segment(row, places) for row in rows)


def count_label(count: int) -> str:
    """Return how many parts there are."""
    return ngettext("%(count)s part", "%(count)s parts", count) % {"count": count}


def _segment(segment: SegmentRow, places: Places) -> SegmentView:
    kind, decision, reason = segment["kind"], segment["decision"], segment.get("reason", "")
    label = reasons.IN_PART if reason == "masked" else reasons.DECISIONS.get(decision, decision)
    return SegmentView(
        kind=kind,
        label=str(reasons.segment_kind(kind, reason)),
        role=str(reasons.ROLES.get(segment["role"], segment["role"])) if kind == "message" else "",
        tokens=units.tokens(segment["tokens"], segment["quality"]),
        decision=decision,
        decision_label=str(label),
        reason=str(reasons.segment_reason(reason)),
        sources=message_links(segment["source_ids"], places),
    )
