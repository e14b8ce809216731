"""Finds the words behind the ids of a plan: entries, fields, turns, anchors, contract fields."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.utils.translation import gettext

from chatapp.presenters.reasons import Words
from chatapp.presenters.sources import SourceLink, message_links, span_links
from chatapp.selectors.inspector import Places
from statecore.state.fold import Memory


@dataclass(frozen=True, slots=True)
class SelectedView:
    """One thing that went back, or did not."""

    text: str
    reason: Words
    sources: tuple[SourceLink, ...]


class Remembered:
    """Memory as the plan saw it, by the ids that the plan uses."""

    def __init__(self, memory: Memory, places: Places) -> None:
        self._entries = {entry.id: entry for entry in memory.entries}
        self._fields = {field.key: field for field in memory.fields}
        self._places = places

    def view(self, item_id: str, reason: Words = "", group: str = "") -> SelectedView:
        """Return one thing by its id; what is not there any more says so.

        Args:
            item_id: Its id in the plan.
            reason: Why it went back, or did not.
            group: Its line of the notes; facts have no other sign of being one.
        """
        if entry := self._entries.get(item_id):
            return SelectedView(entry.text, reason, self.sources(item_id))
        kind, _, name = item_id.partition(":")
        if kind == "waiting":
            return self._turn(name, reason)
        if kind == "anchor":
            return self._message(name, reason)
        return SelectedView(self._text(kind, name, group), reason, self.sources(item_id))

    def _text(self, kind: str, name: str, group: str) -> str:
        if kind == "field" and name in self._fields:
            return f"{name}: {self._fields[name].value}"
        if kind in {"workflow", "contract"}:
            return name
        return gettext("a long-term fact") if group == "fact" else gettext("(no longer there)")

    def sources(self, item_id: str, text: str = "") -> tuple[SourceLink, ...]:
        """Return where one thing was said.

        Args:
            item_id: Its id in the plan.
            text: How it stands in the request; what of an old message is meant is looked for by it.
        """
        if entry := self._entries.get(item_id):
            return span_links(entry.sources, entry.quote, self._places)
        kind, _, name = item_id.partition(":")
        if kind == "field":
            field = self._fields.get(name)
            span = field.source if field else None
            return span_links((span,), "", self._places) if span else ()
        if kind == "waiting":
            return self._turn(name, "").sources
        if kind == "anchor":
            return message_links((name,), self._places, text)
        return ()

    def _turn(self, turn_id: str, reason: Words) -> SelectedView:
        place = self._places.get(turn_id)
        if place is None:
            return SelectedView(gettext("an earlier turn"), reason, ())
        label = gettext("turn %(number)s") % {"number": place.depth}
        link = SourceLink(place.turn_id, gettext("show"), is_answer=False)
        return SelectedView(label, reason, (link,))

    def _message(self, message_id: str, reason: Words) -> SelectedView:
        place = self._places.get(message_id)
        if place is None:
            return SelectedView(gettext("an earlier message"), reason, ())
        words = (
            gettext("your message of turn %(number)s")
            if place.role == "user"
            else gettext("the answer of turn %(number)s")
        )
        links = message_links((message_id,), self._places)
        return SelectedView(words % {"number": place.depth}, reason, links)


def named_ids(item_ids: Iterable[str], memory: Memory | None) -> Iterator[str]:
    """Yield the ids of messages and turns that the words behind ids of a plan link to.

    Args:
        item_ids: Ids of what a plan gave back or left out.
        memory: Memory as the plan saw it; None when there is none.
    """
    for item_id in item_ids:
        kind, _, name = item_id.partition(":")
        if kind in {"waiting", "anchor"}:
            yield name
    for entry in memory.entries if memory else ():
        yield from (span.message_id for span in entry.sources)
    for field in memory.fields if memory else ():
        if field.source:
            yield field.source.message_id
