"""What a request does not hold, and why: turns, shortened messages, things of memory."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from chatapp.presenters import memory_words, reasons, units
from chatapp.presenters.reasons import Words
from chatapp.presenters.remembered import Remembered
from chatapp.presenters.sources import SourceLink, message_links
from chatapp.selectors.inspector import Places
from chatapp.selectors.rows import LeftOutRow, SegmentRow


@dataclass(frozen=True, slots=True)
class LeftoverItem:
    """One thing."""

    text: str
    tokens: str
    """Empty where it was not counted."""
    sources: tuple[SourceLink, ...]


@dataclass(frozen=True, slots=True)
class Leftover:
    """What is missing, or there in part only, for one reason."""

    label: Words
    """What was decided."""
    reason: Words
    items: tuple[LeftoverItem, ...]


def present_leftovers(
    segments: Sequence[SegmentRow],
    left_out: Sequence[LeftOutRow],
    remembered: Remembered,
    places: Places,
) -> tuple[Leftover, ...]:
    """Return what was left out of a request or shortened in it.

    Args:
        segments: The parts of the request.
        left_out: What memory holds and the request does not.
        remembered: Finds the words of the latter.
        places: Where messages and turns stand.
    """
    return (*_of_messages(segments, places), *_of_memory(left_out, remembered))


def _of_messages(segments: Sequence[SegmentRow], places: Places) -> Iterator[Leftover]:
    found: dict[tuple[str, str], list[SegmentRow]] = {}
    for segment in segments:
        if segment["decision"] in {"dropped", "moved_to_summary", "digested"}:
            key = segment["decision"], segment.get("reason", "")
            found.setdefault(key, []).append(segment)
    for (decision, reason), rows in found.items():
        yield Leftover(
            label=reasons.DECISIONS.get(decision, decision),
            reason=reasons.segment_reason(reason),
            items=tuple(_item(row, places) for row in rows),
        )


def _item(segment: SegmentRow, places: Places) -> LeftoverItem:
    tokens = units.tokens(segment["tokens"], segment["quality"])
    if segment["kind"] != "gap":
        links = message_links(segment["source_ids"], places)
        return LeftoverItem(str(reasons.ROLES[segment["role"]]), tokens, links)
    last = max(1, segment.get("depth", 1) - 1)
    text = gettext("turn 1") if last == 1 else gettext("turns 1 to %(last)s") % {"last": last}
    return LeftoverItem(text, tokens, message_links(segment["source_ids"][-1:], places))


def _of_memory(left_out: Sequence[LeftOutRow], remembered: Remembered) -> Iterator[Leftover]:
    for code, label in memory_words.LEFT_OUT_REASONS.items():
        views = [remembered.view(row["id"]) for row in left_out if row["reason"] == code]
        if views:
            items = tuple(LeftoverItem(view.text, "", view.sources) for view in views)
            yield Leftover(gettext("not repeated in the notes"), label, items)
