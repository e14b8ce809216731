"""The panel of what was previously selected: what memory gave back to the model in a turn."""

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext

from chatapp.presenters import memory_words
from chatapp.presenters.context import TurnHead, newest_attempt, turn_head
from chatapp.presenters.reasons import Words
from chatapp.presenters.sources import SourceLink, span_links
from chatapp.selectors.inspector import LookedAt, Places
from chatapp.selectors.rows import AttemptRow
from statecore.state.fold import Memory


@dataclass(frozen=True, slots=True)
class SelectedView:
    """One thing that went back, or did not."""

    text: str
    reason: Words
    sources: tuple[SourceLink, ...]


@dataclass(frozen=True, slots=True)
class SelectedGroup:
    """What went back in one line of the notes, or was left out for one reason."""

    label: Words
    items: tuple[SelectedView, ...]


def present_selected(
    looked: LookedAt | None, memory: Memory | None, places: Places, conversation_id: UUID
) -> dict[str, object]:
    """Return the context of `inspector/_selected.html`.

    Args:
        looked: The turn that is looked at.
        memory: Memory as its newest attempt's plan saw it.
        places: Where the messages of its sources stand.
        conversation_id: Whose it is.
    """
    attempt = newest_attempt(looked.turn) if looked else None
    head: TurnHead | None = turn_head(looked) if looked else None
    groups: tuple[SelectedGroup, ...] = ()
    left: tuple[SelectedGroup, ...] = ()
    if attempt is not None and memory is not None:
        groups = tuple(_selected(attempt, _Words(memory, places)))
        left = tuple(_left_out(attempt, _Words(memory, places)))
    return {
        "conversation_id": conversation_id,
        "turn": head,
        "groups": groups,
        "left_out": left,
        "left_out_count": sum(len(group.items) for group in left),
        "nothing": "" if groups else _why_nothing(attempt, memory),
    }


def sources_of(looked: LookedAt | None, memory: Memory | None) -> Iterator[str]:
    """Yield the ids of the messages and turns that the panel links to."""
    attempt = newest_attempt(looked.turn) if looked else None
    for row in attempt.selected if attempt else ():
        kind, _, name = row["id"].partition(":")
        if kind == "waiting":
            yield name
    for entry in memory.entries if memory else ():
        yield from (span.message_id for span in entry.sources)


def _selected(attempt: AttemptRow, words: "_Words") -> Iterator[SelectedGroup]:
    for code, label in memory_words.SELECTED_GROUPS.items():
        rows = [row for row in attempt.selected if row["group"] == code]
        if rows:
            reasons = memory_words.SELECTED_REASONS
            views = tuple(words.view(row["id"], reasons[row["reason"]]) for row in rows)
            yield SelectedGroup(label, views)


def _left_out(attempt: AttemptRow, words: "_Words") -> Iterator[SelectedGroup]:
    for code, label in memory_words.LEFT_OUT_REASONS.items():
        rows = [row for row in attempt.left_out if row["reason"] == code]
        if rows:
            yield SelectedGroup(label, tuple(words.view(row["id"], "") for row in rows))


def _why_nothing(attempt: AttemptRow | None, memory: Memory | None) -> str:
    if attempt is None:
        return gettext("Nothing was asked yet.")
    if memory is None or not (memory.active() or memory.fields):
        return gettext("Nothing went back: when this was asked, nothing was remembered yet.")
    return gettext(
        "Nothing went back: what is remembered still stands word for word in the messages that "
        "were sent."
    )


class _Words:
    """Finds the words behind the ids of a plan, as they were then."""

    def __init__(self, memory: Memory, places: Places) -> None:
        self._entries = {entry.id: entry for entry in memory.entries}
        self._fields = {field.key: field for field in memory.fields}
        self._places = places

    def view(self, item_id: str, reason: Words) -> SelectedView:
        """Return one thing by its id; what is not there any more says so."""
        if entry := self._entries.get(item_id):
            links = span_links(entry.sources, entry.quote, self._places)
            return SelectedView(entry.text, reason, links)
        kind, _, name = item_id.partition(":")
        if kind == "field" and name in self._fields:
            return SelectedView(f"{name}: {self._fields[name].value}", reason, ())
        if kind == "waiting":
            return self._waiting(name, reason)
        return SelectedView(gettext("(no longer there)"), reason, ())

    def _waiting(self, turn_id: str, reason: Words) -> SelectedView:
        place = self._places.get(turn_id)
        if place is None:
            return SelectedView(gettext("an earlier turn"), reason, ())
        label = gettext("turn %(number)s") % {"number": place.depth}
        link = SourceLink(place.turn_id, gettext("show"), is_answer=False)
        return SelectedView(label, reason, (link,))
