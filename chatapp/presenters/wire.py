"""The wire view: a request message by message, each word coloured by where it comes from."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext

from chatapp.presenters import memory_words, origins, reasons, units
from chatapp.presenters.attempts import outcome_of, present_request
from chatapp.presenters.context import newest_attempt, turn_head
from chatapp.presenters.differences import present_difference
from chatapp.presenters.gauges import present_gauge
from chatapp.presenters.leftovers import Leftover, present_leftovers
from chatapp.presenters.origins import LegendItem, Origin
from chatapp.presenters.reasons import Words
from chatapp.presenters.remembered import Remembered
from chatapp.presenters.sources import SourceLink, message_links
from chatapp.presenters.told import Told, told_of
from chatapp.selectors.inspector import Places
from chatapp.selectors.rows import AnchorRow, SegmentRow, SelectedRow
from chatapp.selectors.wire import WireRow
from statecore.requests import RequestMessage, ToolDefinition
from statecore.tokens import Count, Quality

_LONG_CHARACTERS = 400
_NOT_SENT = frozenset({"dropped", "moved_to_summary"})


@dataclass(frozen=True, slots=True)
class SpanView:
    """A run of characters with one origin."""

    id: str
    """Empty for text that needs no account of its own."""
    origin: Origin
    label: Words
    text: str
    group: Words = ""
    """The line of the notes in which it stands."""
    reason: Words = ""
    sources: tuple[SourceLink, ...] = ()


@dataclass(frozen=True, slots=True)
class CallView:
    """A tool call that a message makes, or a tool that the model may call."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class WireMessage:
    """One message as sent."""

    id: str
    role: str
    """As the provider calls it."""
    label: str
    origin: Origin
    origin_label: Words
    tokens: str
    note: str
    """How it differs from what was said; empty where it does not."""
    decision_label: str
    reason: str
    sources: tuple[SourceLink, ...]
    spans: tuple[SpanView, ...]
    calls: tuple[CallView, ...]

    @property
    def is_long(self) -> bool:
        """Whether its text may have to be scrolled, and so must be reached by keyboard."""
        return sum(len(span.text) for span in self.spans) > _LONG_CHARACTERS


@dataclass(frozen=True, slots=True)
class WireView:
    """A whole request."""

    messages: tuple[WireMessage, ...]
    legend: tuple[LegendItem, ...]
    tokens: str
    quality: Words
    leftovers: tuple[Leftover, ...]
    count_label: str


def present_wire(wire: WireRow, places: Places, conversation_id: UUID) -> dict[str, object]:
    """Return the context of `inspector/_wire.html` and of its page.

    Args:
        wire: The attempt.
        places: Where messages and turns stand.
        conversation_id: Whose it is.
    """
    row, looked = wire.attempt, wire.looked
    before = newest_attempt(looked.before) if looked.before else None
    body = json.dumps(wire.sent.body, ensure_ascii=False, indent=2)
    return {
        "conversation_id": conversation_id,
        "attempt_id": row.id,
        "model_name": row.model_name,
        "outcome": outcome_of(row),
        "turn": turn_head(looked),
        "gauge": present_gauge(row),
        "difference": present_difference(row, before, places),
        "wire": wire_view(told_of(wire), places, f"w{row.id.hex[-8:]}"),
        **present_request(body, proven=wire.sent.proven),
    }


def wire_view(told: Told, places: Places, prefix: str) -> WireView:
    """Return a request in words and coloured parts.

    Args:
        told: What was sent or would be.
        places: Where messages and turns stand; see `wire_sources`.
        prefix: Begins the ids of its elements, so that a page can hold two.
    """
    remembered = Remembered(told.memory, places)
    sent = [s for s in told.segments if s["decision"] not in _NOT_SENT and s["kind"] != "gap"]
    views = tuple(_messages(told, sent, _Drawing(remembered, places, prefix)))
    counted = sum(segment["tokens"] for segment in sent)
    whole = counted if told.tokens is None else max(counted, told.tokens)
    quality: Quality = "estimated" if any(s["quality"] == "estimated" for s in sent) else "exact"
    return WireView(
        messages=views,
        legend=origins.present_legend(_tokens(views, sent, whole)),
        tokens=units.tokens(whole, quality),
        quality=reasons.QUALITIES[quality],
        leftovers=present_leftovers(told.segments, told.left_out, remembered, places),
        count_label=units.messages(len(told.messages)),
    )


def _tokens(
    views: Sequence[WireMessage], sent: Sequence[SegmentRow], whole: int
) -> dict[Origin, Count]:
    """Return how many tokens of a request come from where."""
    tokens: dict[Origin, int] = {}
    guessed: set[Origin] = set()
    for view, segment in zip(views, sent, strict=False):
        sizes = [(span.origin, len(span.text)) for span in view.spans] or [(view.origin, 1)]
        found = origins.shares(segment["tokens"], sizes)
        # What a message with several origins has of each is told by length.
        if len(found) > 1 or segment["quality"] == "estimated":
            guessed |= found.keys()
        for origin, share in found.items():
            tokens[origin] = tokens.get(origin, 0) + share
    # What opens the answer is no message, and counts.
    tokens["text"] = tokens.get("text", 0) + max(0, whole - sum(tokens.values()))
    return {
        origin: Count(number, "estimated" if origin in guessed else "exact")
        for origin, number in tokens.items()
    }


@dataclass(frozen=True, slots=True)
class _Mark:
    """A run of characters with an account of its own, and where it stands."""

    start: int
    end: int
    view: SpanView


@dataclass(frozen=True, slots=True)
class _Drawing:
    """What all messages of one request share."""

    remembered: Remembered
    places: Places
    prefix: str


def _messages(told: Told, sent: Sequence[SegmentRow], drawing: _Drawing) -> Iterator[WireMessage]:
    # An account that does not fit its request is of an older planner: its words stand all the same.
    waiting = iter(enumerate(told.messages))
    for segment in sent:
        if segment["kind"] == "tools":
            yield _tools(told.tools, segment, drawing)
        elif (following := next(waiting, None)) is not None:
            yield _message(told, *following, segment, drawing)
    for number, message in waiting:
        yield _message(told, number, message, _unknown(message), drawing)


def _unknown(message: RequestMessage) -> SegmentRow:
    return SegmentRow(
        kind="message",
        role=message.role,
        source_ids=[],
        tokens=0,
        quality="estimated",
        decision="kept",
    )


def _tools(tools: Sequence[ToolDefinition], segment: SegmentRow, drawing: _Drawing) -> WireMessage:
    calls = tuple(CallView(tool.name, f"{tool.description}\n{tool.parameters}") for tool in tools)
    return _view("tools", "tools", segment, drawing, spans=(), calls=calls)


def _message(
    told: Told, number: int, message: RequestMessage, segment: SegmentRow, drawing: _Drawing
) -> WireMessage:
    role = told.roles[number] if number < len(told.roles) else message.role
    calls = tuple(CallView(call.name, call.arguments) for call in message.tool_calls)
    prefix = f"{drawing.prefix}-{number}"
    marks = [
        _remembered(f"{prefix}-{place}", row, message.text, drawing)
        for place, row in enumerate(told.selected)
        if row.get("message", -1) == number
    ]
    if segment["kind"] == "input":
        marks += [
            _pointing(f"{prefix}-p{place}", row, message.text, drawing)
            for place, row in enumerate(told.anchors)
        ]
    origin = origins.of_message(segment["kind"], message.role)
    spans = tuple(_spans(message.text, sorted(marks, key=lambda mark: mark.start), origin))
    return _view(str(number), role, segment, drawing, spans=spans, calls=calls)


def _view(
    name: str,
    role: str,
    segment: SegmentRow,
    drawing: _Drawing,
    *,
    spans: tuple[SpanView, ...],
    calls: tuple[CallView, ...],
) -> WireMessage:
    kind, decision, reason = segment["kind"], segment["decision"], segment.get("reason", "")
    places = drawing.places
    origin = origins.of_message(kind, segment["role"])
    how = reasons.IN_PART if reason == "masked" else reasons.DECISIONS.get(decision, decision)
    return WireMessage(
        id=f"{drawing.prefix}-{name}",
        role=role,
        label=str(reasons.segment_kind(kind, reason)),
        origin=origin,
        origin_label=origins.ORIGINS[origin],
        tokens=units.tokens(segment["tokens"], segment["quality"]),
        note=str(how) if decision == "digested" or reason == "masked" else "",
        decision_label=str(how),
        reason=str(reasons.segment_reason(reason)),
        # The notes have a link at each of their sentences.
        sources=message_links(() if kind == "state_block" else segment["source_ids"], places),
        spans=spans,
        calls=calls,
    )


def _spans(text: str, marks: Sequence[_Mark], origin: Origin) -> Iterator[SpanView]:
    label, at = origins.ORIGINS[origin], 0
    for mark in marks:
        if mark.start < at or mark.end > len(text) or mark.start >= mark.end:
            continue
        if mark.start > at:
            yield SpanView("", origin, label, text[at : mark.start])
        yield mark.view
        at = mark.end
    if at < len(text):
        yield SpanView("", origin, label, text[at:])


def _remembered(span_id: str, row: SelectedRow, text: str, drawing: _Drawing) -> _Mark:
    """Return the mark of what memory put into a message."""
    start, end = row.get("start", 0), row.get("end", 0)
    origin, words = origins.of_group(row["group"]), text[start:end]
    view = SpanView(
        id=span_id,
        origin=origin,
        label=origins.ORIGINS[origin],
        text=words,
        group=memory_words.SELECTED_GROUPS.get(row["group"], row["group"]),
        reason=memory_words.SELECTED_REASONS.get(row["reason"], row["reason"]),
        sources=drawing.remembered.sources(row["id"], words),
    )
    return _Mark(start, end, view)


def _pointing(span_id: str, row: AnchorRow, text: str, drawing: _Drawing) -> _Mark:
    """Return the mark of a phrase of the input that points at an old message."""
    start, end = row["pointer_start"], row["pointer_end"]
    view = SpanView(
        id=span_id,
        origin="anchor",
        label=gettext("points back"),
        text=text[start:end],
        group=drawing.remembered.view(f"anchor:{row['message_id']}").text,
        reason=memory_words.SELECTED_REASONS.get(row["reason"], row["reason"]),
        sources=drawing.remembered.sources(f"anchor:{row['message_id']}"),
    )
    return _Mark(start, end, view)
