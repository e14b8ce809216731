"""The session panel: temporary fields with who set them and when they expire."""

from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from chatapp.forms.memory import EXPIRIES
from chatapp.presenters import memory_words, units
from chatapp.presenters.acts import last_act
from chatapp.presenters.reasons import Words
from chatapp.presenters.sources import SourceLink, span_links
from chatapp.presenters.summary import Conflict, Editing, lost_conflict
from chatapp.selectors.inspector import Places
from chatapp.selectors.memory import MemoryPage
from statecore.memory.session import Expiry, Field, FieldStatus, status_of

_STATUSES: dict[FieldStatus, Words] = {
    "live": _("live"),
    "expired": _("expired"),
    "removed": _("removed"),
}


@dataclass(frozen=True, slots=True)
class FieldView:
    """One field."""

    key: str
    value: str
    who: Words
    expires: str
    expiry: str
    """The choice of the form that it has now."""
    visible: bool
    sources: tuple[SourceLink, ...]
    status: FieldStatus
    status_label: Words
    seen: int
    """Seq at which it was set; an edit that begins now names it."""
    is_editing: bool
    conflict: Conflict | None


def present_session(
    page: MemoryPage,
    places: Places,
    conversation_id: UUID,
    *,
    editing: Editing,
    now_ms: int,
) -> dict[str, object]:
    """Return the context of `inspector/_session.html`.

    Args:
        page: Memory as it is.
        places: Where the messages of its sources stand.
        conversation_id: Whose it is.
        editing: The field whose form is open, if any.
        now_ms: The time of the look.
    """
    fields = [_field(field, page, places, editing) for field in page.memory.fields]
    is_lost = bool(editing.entry_id) and not any(field.is_editing for field in fields)
    shown = tuple(field for field in fields if field.status == "live" or field.is_editing)
    return {
        "conversation_id": conversation_id,
        "fields": shown,
        "is_lost": is_lost,
        "lost": {"key": editing.entry_id, "seen": editing.seen, "conflict": lost_conflict()},
        "past": tuple(field for field in fields if field not in shown),
        "last_act": last_act(page.memory, "session", now_ms),
        "expiries": tuple((code, expiry_words(expiry)) for code, expiry in EXPIRIES.items()),
    }


def live_fields(page: MemoryPage) -> int:
    """Return how many fields count now."""
    return sum(_status(field, page) == "live" for field in page.memory.fields)


def expiry_words(expiry: Expiry) -> str:
    """Return when a field with this expiry ends."""
    if expiry.kind == "never":
        return gettext("until it is removed")
    is_timed = expiry.kind == "time"
    words = gettext("for %(time)s") if is_timed else gettext("until %(time)s without a turn")
    return words % {"time": units.rough(expiry.after_ms)}


def _status(field: Field, page: MemoryPage) -> FieldStatus:
    return status_of(field, page.branch_now_ms, page.last_turn_ms)


def _field(field: Field, page: MemoryPage, places: Places, editing: Editing) -> FieldView:
    status = _status(field, page)
    is_editing = field.key == editing.entry_id
    codes = {expiry: code for code, expiry in EXPIRIES.items()}
    return FieldView(
        key=field.key,
        value=field.value,
        who=memory_words.SETTERS[field.setter],
        expires=_expires(field, page) if status == "live" else "",
        expiry=codes.get(field.expiry, "never"),
        visible=field.visible,
        sources=span_links((field.source,), field.value, places) if field.source else (),
        status=status,
        status_label=_STATUSES[status],
        seen=field.seq,
        is_editing=is_editing,
        conflict=_conflict(field, status, editing.seen) if is_editing else None,
    )


def _expires(field: Field, page: MemoryPage) -> str:
    if field.expiry.kind == "never":
        return gettext("stays until it is removed")
    since_ms = field.set_ms
    if field.expiry.kind == "idle":
        since_ms = max(since_ms, page.last_turn_ms)
    left = units.rough(field.expiry.after_ms - (page.branch_now_ms - since_ms))
    if field.expiry.kind == "time":
        return gettext("expires in %(left)s") % {"left": left}
    return gettext("expires in %(left)s unless the talk goes on") % {"left": left}


def _conflict(field: Field, status: FieldStatus, seen: int) -> Conflict | None:
    if status != "live":
        sentence = gettext("It was removed or has expired meanwhile. Saving sets it again.")
        return Conflict("gone", sentence, "")
    if field.seq != seen:
        sentence = gettext("It was set anew meanwhile. Your words are kept. It says now:")
        return Conflict("changed", sentence, field.value)
    return None
