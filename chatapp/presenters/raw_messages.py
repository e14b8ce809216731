"""Everything that was said, as a page, as JSON and as plain text."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Final
from uuid import UUID

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from chatapp.presenters import reasons
from chatapp.presenters.branches import line_label
from chatapp.presenters.logs import Moment, moment
from chatapp.presenters.reasons import Words
from chatapp.selectors.raw_messages import RawMessage, RawPage, State

SCHEMA: Final = "glassbox.raw.1"

STATES: dict[State, Words] = {
    "whole": "",
    "redacted": _("words taken out"),
    "broken_off": _("broken off: it did not become the answer"),
    "damaged": _("damaged: it cannot be opened"),
}


@dataclass(frozen=True, slots=True)
class CallView:
    """One call of a tool."""

    id: str
    name: str
    arguments: SafeString


@dataclass(frozen=True, slots=True)
class RawView:
    """One thing that was said."""

    id: UUID
    seq: int
    at: Moment
    role: Words
    state: str
    state_label: Words
    why: str
    place: str
    """Branch and turn; empty for the system's."""
    turn_id: UUID | None
    text: SafeString
    calls: tuple[CallView, ...]
    answers_call: str
    """Id of the call that it answers; empty for all but results."""


def present_raw(page: RawPage, conversation_id: UUID, after: int) -> dict[str, object]:
    """Return the context of `inspector/raw.html`.

    Args:
        page: What was read.
        conversation_id: Whose it is.
        after: The seq after which the page begins; 0 for the first.
    """
    return {
        "conversation_id": conversation_id,
        "title": page.title,
        "messages": tuple(_view(message) for message in page.messages),
        "after": after,
        "next_after": page.next_after,
    }


def raw_document(page: RawPage, conversation_id: UUID) -> dict[str, object]:
    """Return a page of what was said for machines."""
    return {
        "schema": SCHEMA,
        "conversation": str(conversation_id),
        "messages": [_row(message) for message in page.messages],
        "next_after": page.next_after,
    }


def raw_text(messages: Iterable[RawMessage]) -> Iterator[str]:
    """Yield what was said as plain text, one line of particulars above each text."""
    for message in messages:
        told = [f"[{message.seq}]", moment(message.created_ms).iso, message.role]
        told += [word for word in (_place(message), str(STATES[message.state])) if word]
        yield " · ".join(told) + "\n"
        yield message.text + "\n"
        for call in message.tool_calls:
            yield f"→ {call.name} ({call.id})\n{call.arguments}\n"
        if message.tool_call_id:
            yield f"← {message.tool_call_id}\n"
        yield "\n"


def _view(message: RawMessage) -> RawView:
    return RawView(
        id=message.id,
        seq=message.seq,
        at=moment(message.created_ms),
        role=reasons.ROLES.get(message.role, message.role),
        state=message.state,
        state_label=STATES[message.state],
        why=str(reasons.failure(message.reason).sentence) if message.reason else "",
        place=_place(message),
        turn_id=message.turn_id,
        text=_verbatim(message.text),
        calls=tuple(
            CallView(call.id, call.name, _verbatim(call.arguments)) for call in message.tool_calls
        ),
        answers_call=message.tool_call_id or "",
    )


def _verbatim(text: str) -> SafeString:
    # A parser of HTML makes every end of a line the same one, and drops the first of a `pre`.
    safe = str(escape(text)).replace("\r", "&#13;")
    return mark_safe(f"\n{safe}")  # noqa: S308  # escaped above


def _place(message: RawMessage) -> str:
    if message.depth is None:
        return ""
    turn = gettext("turn %(number)s") % {"number": message.depth}
    return turn if message.line is None else f"{line_label(message.line)}, {turn}"


def _row(message: RawMessage) -> dict[str, object]:
    line = message.line
    return {
        "id": str(message.id),
        "seq": message.seq,
        "created_ms": message.created_ms,
        "role": message.role,
        "state": message.state,
        "reason": message.reason,
        "turn": None if message.turn_id is None else str(message.turn_id),
        "depth": message.depth,
        "branch": None if line is None else {"id": str(line.branch_id), "label": line_label(line)},
        "text": message.text,
        "tool_calls": [asdict(call) for call in message.tool_calls],
        "tool_call_id": message.tool_call_id,
    }
