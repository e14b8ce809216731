"""The summary panel: what the conversation has taught, kept as sentences with their sources."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from django.utils.translation import gettext, ngettext

from chatapp.forms.memory import ADDABLE
from chatapp.presenters import memory_words, units
from chatapp.presenters.acts import last_act
from chatapp.presenters.reasons import Words
from chatapp.presenters.rereading import present_rereading, turn_choices
from chatapp.presenters.sources import SourceLink, span_links
from chatapp.selectors.inspector import Places
from chatapp.selectors.memory import MemoryPage
from chatapp.selectors.rereading import Rereading
from statecore.memory.ledger import Entry
from statecore.state.fold import Memory
from statecore.state.operations import Delta

_SHOWN = frozenset({"active", "paused", "in_conflict"})
_PATIENCE_MS = 60_000


@dataclass(frozen=True, slots=True)
class Editing:
    """The entry that somebody is changing, as it was when they began."""

    entry_id: str = ""
    seen: int = 0
    """Seq of the last act on it at that time."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """What happened to an entry while somebody was changing it."""

    kind: Literal["changed", "gone"]
    sentence: str
    text: str
    """Its words now."""


@dataclass(frozen=True, slots=True)
class EntryView:
    """One entry."""

    id: str
    kind: str
    kind_label: Words
    text: str
    quote: str
    """The sentence as it was said, where a person has changed it."""
    who: Words
    sources: tuple[SourceLink, ...]
    pinned: bool
    seen: int
    """Seq of the last act on it; an edit that begins now names it."""
    is_edited: bool
    is_editing: bool
    conflict: Conflict | None
    status: str
    status_label: Words
    replaced_by: str
    """Words of the entry that took its place; empty when none did."""


@dataclass(frozen=True, slots=True)
class EntryGroup:
    """The entries of one kind."""

    kind: str
    label: Words
    entries: tuple[EntryView, ...]


@dataclass(frozen=True, slots=True)
class DeletedView:
    """One deletion that holds."""

    text: str
    seq: int
    sources: tuple[SourceLink, ...]


@dataclass(frozen=True, slots=True)
class RejectedView:
    """One sentence that was not learned."""

    text: str
    label: Words
    reason: Words
    sources: tuple[SourceLink, ...]


def present_summary(
    page: MemoryPage,
    places: Places,
    conversation_id: UUID,
    *,
    editing: Editing,
    now_ms: int,
    again: Rereading | None = None,
) -> dict[str, object]:
    """Return the context of `inspector/_summary.html`.

    Args:
        page: Memory as it is.
        places: Where the messages of its sources stand.
        conversation_id: Whose it is.
        editing: The entry whose form is open, if any.
        now_ms: The time of the look.
        again: The newest wish to read turns again, if there was one.
    """
    noted = _noted(page, again)
    entries = [_entry(entry, places, editing, page.memory) for entry in page.memory.entries]
    shown = [entry for entry in entries if entry.status in _SHOWN or entry.is_editing]
    known = {entry.id for entry in entries}
    return {
        "conversation_id": conversation_id,
        "groups": tuple(_groups(shown)),
        "is_lost": bool(editing.entry_id) and editing.entry_id not in known,
        "lost": {"id": editing.entry_id, "seen": editing.seen, "conflict": lost_conflict()},
        "note": _note(noted) if noted else "",
        "noted_turn": noted.turn_id if noted else "",
        "again": present_rereading(again, page.memory, now_ms),
        "choices": turn_choices(page),
        "waiting": waiting_sentence(page),
        "last_act": last_act(page.memory, "summary", now_ms),
        "past": tuple(e for e in entries if e not in shown and e.status != "deleted"),
        "deleted": tuple(
            DeletedView(removed.text, removed.seq, span_links(removed.sources, "", places))
            for removed in page.memory.removed
        ),
        "rejected": tuple(_rejected(page, places)),
        "kinds": tuple((kind, memory_words.KINDS[kind]) for kind in ADDABLE),
    }


def sources_of(page: MemoryPage) -> Iterator[str]:
    """Yield the ids of the messages that memory names."""
    memory = page.memory
    sources = [entry.sources for entry in memory.entries]
    sources += [removed.sources for removed in memory.removed]
    yield from (span.message_id for spans in sources for span in spans)
    yield from (rejected.span.message_id for rejected in memory.rejected)
    yield from (field.source.message_id for field in memory.fields if field.source)


def waiting_sentence(page: MemoryPage) -> str:
    """Return how many turns wait to be read, honestly; empty when none does."""
    count = len(page.waiting)
    if not count:
        return ""
    waited_ms = page.branch_now_ms - page.last_turn_ms
    if waited_ms < _PATIENCE_MS:
        words = ngettext("%(count)s turn is being read.", "%(count)s turns are being read.", count)
        return words % {"count": count}
    words = ngettext(
        "%(count)s turn has not been read yet, %(time)s after the last answer. Nothing is lost: "
        "until it is read it stays in the requests.",
        "%(count)s turns have not been read yet, %(time)s after the last answer. Nothing is lost: "
        "until they are read they stay in the requests.",
        count,
    )
    return words % {"count": count, "time": units.rough(waited_ms)}


def _groups(shown: list[EntryView]) -> Iterator[EntryGroup]:
    for kind, label in memory_words.GROUPS.items():
        if found := tuple(entry for entry in shown if entry.kind == kind):
            yield EntryGroup(kind, label, found)


def _entry(entry: Entry, places: Places, editing: Editing, memory: Memory) -> EntryView:
    is_editing = entry.id == editing.entry_id
    is_foreseen = entry.seq > memory.as_of and entry.changed_seq is None
    newer = memory.entry(entry.superseded_by) if entry.superseded_by else None
    return EntryView(
        id=entry.id,
        kind=entry.kind,
        kind_label=memory_words.KINDS[entry.kind],
        text=entry.text,
        quote=entry.quote if entry.is_edited else "",
        who=memory_words.FORESEEN if is_foreseen else memory_words.AUTHORS[entry.author],
        sources=span_links(entry.sources, entry.quote, places),
        pinned=entry.pinned,
        seen=entry.changed_seq or 0,
        is_edited=entry.is_edited,
        is_editing=is_editing,
        conflict=_conflict(entry, editing.seen) if is_editing else None,
        status=entry.status,
        status_label=memory_words.STATUSES[entry.status],
        replaced_by=units.excerpt(newer.text) if newer else "",
    )


def _conflict(entry: Entry, seen: int) -> Conflict | None:
    if entry.status == "deleted":
        return Conflict("gone", gettext("It was deleted meanwhile. Your words are kept."), "")
    if (entry.changed_seq or 0) != seen:
        sentence = gettext("It was changed meanwhile. Your words are kept. It says now:")
        return Conflict("changed", sentence, entry.text)
    if entry.status not in _SHOWN:
        sentence = gettext("Something newer has taken its place meanwhile. Your words are kept.")
        return Conflict("gone", sentence, "")
    return None


def lost_conflict() -> Conflict:
    """Return what is said when an entry or a field is not there at all any more."""
    return Conflict("gone", gettext("It is not there any more. Your words are kept."), "")


def _noted(page: MemoryPage, again: Rereading | None) -> Delta | None:
    """Return the delta of the newest turn, where a person may wonder how it was read."""
    deltas = page.memory.path.deltas
    newest = max(deltas, key=lambda delta: delta.depth, default=None)
    if newest is None or newest.note not in memory_words.NOTES:
        return None
    return None if again is not None and newest.turn_id in again.read else newest


def _note(delta: Delta) -> str:
    return gettext("Turn %(number)s was read %(how)s.") % {
        "number": delta.depth,
        "how": memory_words.NOTES[delta.note],
    }


def _rejected(page: MemoryPage, places: Places) -> Iterator[RejectedView]:
    for rejected in page.memory.rejected:
        yield RejectedView(
            text=rejected.text,
            label=memory_words.KINDS.get(rejected.label, rejected.label),
            reason=memory_words.REJECTIONS[rejected.reason],
            sources=span_links((rejected.span,), rejected.text, places),
        )
