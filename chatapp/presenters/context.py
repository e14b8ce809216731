"""The context panel: what the model was told in one turn."""

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext, ngettext

from chatapp.presenters import units
from chatapp.presenters.attempts import outcome_of
from chatapp.presenters.differences import Difference, present_difference
from chatapp.presenters.gauges import Gauge, present_gauge
from chatapp.presenters.missing import MissingCard, present_missing
from chatapp.presenters.segments import SegmentView, count_label, present_segments
from chatapp.selectors.inspector import LookedAt, Places
from chatapp.selectors.rows import AttemptRow, TurnRow
from statecore.state.fold import Memory


@dataclass(frozen=True, slots=True)
class TurnHead:
    """Which turn a panel speaks of."""

    id: UUID
    depth: int
    excerpt: str
    is_newest: bool


@dataclass(frozen=True, slots=True)
class ContextView:
    """What one model call saw."""

    attempt_id: UUID
    model_name: str
    outcome: str
    outcome_kind: str
    gauge: Gauge | None
    left_out: str
    """How many turns were not sent; empty when all were."""
    segments: tuple[SegmentView, ...]
    segments_label: str
    difference: Difference | None
    missing: MissingCard


def present_context(
    looked: LookedAt | None, places: Places, conversation_id: UUID, memory: Memory | None = None
) -> dict[str, object]:
    """Return the context of `inspector/_context.html`.

    Args:
        looked: The turn that is looked at; None when nothing was asked.
        places: Where messages stand.
        conversation_id: Whose it is.
        memory: As the newest attempt's plan saw it; needed where something is missing.
    """
    attempt = newest_attempt(looked.turn) if looked else None
    before = newest_attempt(looked.before) if looked and looked.before else None
    return {
        "conversation_id": conversation_id,
        "turn": turn_head(looked) if looked else None,
        "context": _view(attempt, before, places, memory) if attempt else None,
    }


def sources_of(looked: LookedAt | None, memory: Memory | None = None) -> Iterator[str]:
    """Yield the ids of the messages that a context and the one before it name.

    Args:
        looked: The turn that is looked at.
        memory: As its newest attempt's plan saw it, where something is missing.
    """
    for turn in (looked.turn, looked.before) if looked else ():
        attempt = newest_attempt(turn) if turn else None
        for segment in attempt.segments if attempt else ():
            if segment["kind"] != "gap":
                yield from segment["source_ids"]
    for entry in memory.entries if memory else ():
        yield from (span.message_id for span in entry.sources)


def newest_attempt(turn: TurnRow) -> AttemptRow | None:
    """Return the last attempt of a turn; None when there was none yet."""
    return turn.attempts[-1] if turn.attempts else None


def turn_head(looked: LookedAt) -> TurnHead:
    """Return the turn that a panel speaks of, in one line."""
    turn = looked.turn
    return TurnHead(turn.id, turn.depth, units.excerpt(turn.input_text), looked.is_newest)


def _view(
    attempt: AttemptRow, before: AttemptRow | None, places: Places, memory: Memory | None
) -> ContextView:
    return ContextView(
        attempt_id=attempt.id,
        model_name=attempt.model_name,
        outcome=outcome_of(attempt),
        outcome_kind=attempt.status,
        gauge=present_gauge(attempt),
        left_out=left_out(attempt),
        segments=present_segments(attempt.segments, places),
        segments_label=count_label(len(attempt.segments)),
        difference=present_difference(attempt, before, places),
        missing=present_missing(attempt, memory, places),
    )


def left_out(row: AttemptRow) -> str:
    """Return how many turns were not sent; empty when all were."""
    if not row.dropped_turns:
        return ""
    count = row.dropped_turns
    dropped = ngettext(
        "%(count)s older turn was not sent.", "%(count)s older turns were not sent.", count
    ) % {"count": count}
    if row.rho_full is None:
        return dropped
    whole = gettext("The whole conversation would take %(share)s of the window.") % {
        "share": units.percent(row.rho_full)
    }
    return f"{dropped} {whole}"
