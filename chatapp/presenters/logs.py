"""The log panel: what happened, and the messages as they were said."""

from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import urlencode
from uuid import UUID

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from chatapp.presenters import reasons
from chatapp.presenters.reasons import Words
from chatapp.presenters.sources import SourceLink
from chatapp.selectors.log import LogPage, MessageRow, TransitionRow

KINDS: dict[str, Words] = {
    "conversation_created": _("Conversation begun"),
    "conversation_renamed": _("Title changed"),
    "conversation_deleted": _("Conversation deleted"),
    "model_chosen": _("Model chosen"),
    "turn_accepted": _("Message accepted"),
    "turn_retried": _("Tried again"),
    "turn_committed": _("Answer stored"),
    "turn_failed": _("Attempt failed"),
    "turn_interrupted": _("Answer interrupted"),
    "memory_learned": _("Turn read into memory"),
    "memory_edited": _("Entry changed"),
    "memory_deleted": _("Entry deleted"),
    "memory_pinned": _("Entry pinned or unpinned"),
    "memory_added": _("Entry added"),
    "memory_undone": _("Act taken back"),
    "field_set": _("Session field set"),
    "field_removed": _("Session field removed"),
    "state_imported": _("State imported"),
    "system_message_set": _("System message set"),
    "contract_field_set": _("Contract field set"),
    "turn_edited": _("Message written anew"),
    "turn_regenerated": _("Another answer asked for"),
    "branch_forked": _("Branch made"),
    "branch_selected": _("Branch chosen"),
    "branch_named": _("Branch named"),
    "branch_rolled_back": _("Rolled back"),
    "branch_redone": _("Rollback taken back"),
    "branch_imported": _("Branch came in with a file"),
    "branch_left": _("Turns that were rolled back kept as a branch"),
    "branch_archived": _("Branch archived"),
    "branch_restored": _("Branch restored"),
    "feedback_given": _("Thumb given or taken back"),
}


@dataclass(frozen=True, slots=True)
class Moment:
    """A time; the page shows it in the reader's own zone."""

    iso: str
    text: str


@dataclass(frozen=True, slots=True)
class TransitionView:
    """One line of the log."""

    seq: int
    label: Words
    at: Moment
    source: SourceLink | None
    erased: bool


@dataclass(frozen=True, slots=True)
class MessageView:
    """One raw message."""

    id: UUID
    role: Words
    at: Moment
    source: SourceLink | None
    text: str
    redacted: bool


def present_log(
    page: LogPage,
    conversation_id: UUID,
    *,
    before: int | None = None,
    branch_id: UUID | None = None,
) -> dict[str, object]:
    """Return the context of `inspector/_log.html`.

    Args:
        page: What was read.
        conversation_id: Whose it is.
        before: The seq before which transitions are shown; None for the newest.
        branch_id: The branch that the page shows, so that what is downloaded is what is seen; None
            for the one that its reader chose last.
    """
    search = {"q": page.query} if page.query else {}
    return {
        "conversation_id": conversation_id,
        "download": "download" + ("" if branch_id is None else f"&branch={branch_id}"),
        "query": page.query,
        "transitions": tuple(_transition(row) for row in page.transitions),
        "messages": tuple(_message(row) for row in page.messages),
        "messages_line": _messages_line(page),
        "older": urlencode({**search, "before": page.older_before}) if page.older_before else "",
        "newest": urlencode(search),
        "is_older": before is not None,
    }


def _transition(row: TransitionRow) -> TransitionView:
    label = KINDS.get(row.kind, row.kind.replace("_", " "))
    return TransitionView(row.seq, label, moment(row.created_ms), _turn(row.turn_id), row.erased)


def _message(row: MessageRow) -> MessageView:
    role = reasons.ROLES.get(row.role, row.role)
    source = _turn(row.turn_id, is_answer=row.role != "user")
    return MessageView(row.id, role, moment(row.created_ms), source, row.text, row.redacted)


def _turn(turn_id: UUID | None, *, is_answer: bool = False) -> SourceLink | None:
    return None if turn_id is None else SourceLink(turn_id, gettext("show"), is_answer)


def _messages_line(page: LogPage) -> str:
    count = len(page.messages)
    if not page.query:
        if not page.more_found and not page.stopped:
            return gettext("All messages, newest first.")
        return gettext("The newest %(count)s messages; older ones are found by searching.") % {
            "count": count
        }
    found = ngettext("%(count)s message found.", "%(count)s messages found.", count)
    line = found % {"count": count}
    if page.more_found:
        line = gettext("The newest %(count)s messages with it; there are more.") % {"count": count}
    if page.stopped:
        rest = gettext("Only the newest %(count)s messages were searched.")
        line = f"{line} {rest % {'count': page.searched}}"
    return line


def moment(milliseconds: int) -> Moment:
    """Return a time as text for machines and, in UTC, for people."""
    at = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return Moment(at.isoformat(timespec="milliseconds"), at.strftime("%Y-%m-%d %H:%M:%S"))
