"""What an answer was made from: what its request held, why, and where it was said."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from chatapp.presenters import memory_words, reasons
from chatapp.presenters.reasons import Words
from chatapp.presenters.remembered import Remembered, named_ids
from chatapp.presenters.segments import present_segments
from chatapp.presenters.sources import SourceLink, message_links
from chatapp.selectors.inspector import Place, Places
from chatapp.selectors.provenance import Provenance
from chatapp.selectors.rows import AttemptRow, SegmentRow
from statecore.memory.ledger import Entry

SCHEMA: Final = "glassbox.provenance.1"

TOOL_RESULTS: Final[Words] = _("Tool results")
MESSAGES: Final[Words] = _("Messages")
LINKS_SHOWN: Final = 6
"""Turns that a line of messages links to; of more only the first and the last."""

SENT: Final = ("kept", "digested")
PANELS: Final = {"field": "session", "workflow": "", "contract": "", "waiting": ""}
"""Where a line of a group stands in the inspector; all others stand in the summary."""


@dataclass(frozen=True, slots=True)
class MadeFrom:
    """One thing that the request held."""

    text: str
    reason: Words
    sources: tuple[SourceLink, ...]
    panel: str = ""
    """Name of the panel that has it, for what was said nowhere."""


@dataclass(frozen=True, slots=True)
class MadeFromGroup:
    """What the request held of one kind."""

    label: Words
    items: tuple[MadeFrom, ...]


def present_provenance(
    found: Provenance, places: Places, conversation_id: UUID
) -> dict[str, object]:
    """Return the context of `inspector/_provenance.html`.

    Args:
        found: The turn with the attempt that answered it.
        places: Where the messages of `sources_of` stand.
        conversation_id: Whose it is.
    """
    return {
        "conversation_id": conversation_id,
        "turn_id": found.turn.id,
        "groups": tuple(_groups(found, places)),
        "model_name": found.attempt.model_name if found.attempt else "",
        "has_attempt": found.attempt is not None,
    }


def sources_of(found: Provenance) -> Iterator[str]:
    """Yield the ids of the messages and turns that the list links to."""
    attempt = found.attempt
    if attempt is None:
        return
    yield from named_ids((row["id"] for row in attempt.selected), found.memory)
    yield from (row["message_id"] for row in attempt.anchors)
    for row in attempt.segments:
        if row["kind"] != "gap":
            yield from row["source_ids"]


def _groups(found: Provenance, places: Places) -> Iterator[MadeFromGroup]:
    attempt, memory = found.attempt, found.memory
    if attempt is None:
        return
    if memory is not None:
        yield from _remembered(attempt, Remembered(memory, places))
    tools, messages = _messages(attempt)
    if tools:
        yield MadeFromGroup(TOOL_RESULTS, tuple(_tool_result(row, places) for row in tools))
    if messages:
        yield MadeFromGroup(MESSAGES, tuple(_message_lines(messages, places)))


def _remembered(attempt: AttemptRow, words: Remembered) -> Iterator[MadeFromGroup]:
    for code, label in memory_words.SELECTED_GROUPS.items():
        rows = [row for row in attempt.selected if row["group"] == code]
        items = [_item(words, row["id"], row["reason"], code) for row in rows]
        if code == "anchor":
            there = {row["id"] for row in rows}
            items += [
                _item(words, f"anchor:{row['message_id']}", row["reason"], code)
                for row in attempt.anchors
                if f"anchor:{row['message_id']}" not in there
            ]
        if items:
            yield MadeFromGroup(label, tuple(items))


def _item(words: Remembered, item_id: str, reason: str, group: str) -> MadeFrom:
    view = words.view(item_id, memory_words.SELECTED_REASONS.get(reason, reason), group)
    panel = "" if view.sources else PANELS.get(group, "summary")
    return MadeFrom(view.text, view.reason, view.sources, panel)


def _messages(attempt: AttemptRow) -> tuple[list[SegmentRow], list[SegmentRow]]:
    """Return the tool results of a request, and the other messages, in its order."""
    sent = [
        row
        for row in attempt.segments
        if row["kind"] in {"message", "input"} and row["decision"] in SENT and row["source_ids"]
    ]
    tools = [row for row in sent if row["role"] == "tool"]
    return tools, [row for row in sent if row["role"] != "tool"]


def _tool_result(row: SegmentRow, places: Places) -> MadeFrom:
    (segment,) = present_segments([row], places)
    text = gettext("what a tool returned, %(decision)s")
    return MadeFrom(text % {"decision": segment.decision_label}, segment.reason, segment.sources)


def _message_lines(rows: Sequence[SegmentRow], places: Places) -> Iterator[MadeFrom]:
    for decision in SENT:
        ids = [name for row in rows if row["decision"] == decision for name in row["source_ids"]]
        if not ids:
            continue
        count = ngettext("%(count)s message", "%(count)s messages", len(ids)) % {"count": len(ids)}
        yield MadeFrom(count, reasons.DECISIONS[decision], _turn_links(ids, places))


def _turn_links(message_ids: Sequence[str], places: Places) -> tuple[SourceLink, ...]:
    """Return a link to each turn of messages; to the first and the last where they are many."""
    first_of: dict[UUID, str] = {}
    for message_id in message_ids:
        if place := places.get(message_id):
            first_of.setdefault(place.turn_id, message_id)
    wanted = list(first_of.values())
    shown = wanted if len(wanted) <= LINKS_SHOWN else [wanted[0], wanted[-1]]
    return message_links(shown, places)


def provenance_document(found: Provenance, places: Places) -> dict[str, object]:
    """Return the same for machines: codes, ids and the words that were remembered."""
    attempt = found.attempt
    told: dict[str, object] = {
        "schema": SCHEMA,
        "turn": str(found.turn.id),
        "attempt": None,
        "model": "",
        "selected": [],
        "left_out": [],
        "anchors": [],
        "tool_results": [],
        "messages": [],
    }
    if attempt is None:
        return told
    tools, messages = _messages(attempt)
    entries = {entry.id: entry for entry in found.memory.entries} if found.memory else {}
    return told | {
        "attempt": str(attempt.id),
        "model": attempt.model_name,
        "status": attempt.status,
        "selected": [_selected(dict(row), entries, places) for row in attempt.selected],
        "left_out": [{"id": row["id"], "reason": row["reason"]} for row in attempt.left_out],
        "anchors": [dict(row) for row in attempt.anchors],
        "tool_results": [_sent(row, places) for row in tools],
        "messages": [_sent(row, places) for row in messages],
    }


def _selected(row: dict[str, Any], entries: dict[str, Entry], places: Places) -> dict[str, object]:
    told: dict[str, object] = {name: row[name] for name in ("id", "group", "reason")}
    entry = entries.get(row["id"])
    if entry is None:
        return told
    sources = [span._asdict() | _place(places.get(span.message_id)) for span in entry.sources]
    return told | {"text": entry.text, "kind": entry.kind, "sources": sources}


def _sent(row: SegmentRow, places: Places) -> dict[str, object]:
    """Return one message of the request; the first source is where it stands."""
    return {
        "message_ids": row["source_ids"],
        "role": row["role"],
        "decision": row["decision"],
        "reason": row.get("reason", ""),
        "tokens": row["tokens"],
        "quality": row["quality"],
    } | _place(places.get(row["source_ids"][0]))


def _place(place: Place | None) -> dict[str, object]:
    return {} if place is None else {"turn": str(place.turn_id), "depth": place.depth}
