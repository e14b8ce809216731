"""Reads the log of a conversation: its transitions, and the raw messages with a search."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final
from uuid import UUID

from chatapp.access import Access
from chatapp.models import Conversation, Message, Payload, Transition
from chatapp.store.paths import decode_row
from statecore.messages import Role

TRANSITIONS_PAGE: Final = 50
MESSAGES_SHOWN: Final = 50

MESSAGES_SEARCHED: Final = 5_000
"""Messages that one search opens, the newest first: each must be unsealed to be looked into."""


@dataclass(frozen=True, slots=True)
class TransitionRow:
    """One change of the conversation, without its contents."""

    seq: int
    kind: str
    created_ms: int
    turn_id: UUID | None
    erased: bool
    """Its contents, or some of them, were erased; that it happened still stands."""


@dataclass(frozen=True, slots=True)
class MessageRow:
    """One raw message, as it was said."""

    id: UUID
    role: Role
    turn_id: UUID | None
    """None for the system's."""
    created_ms: int
    text: str
    redacted: bool
    """Words of it, or all of them, were taken out."""


@dataclass(frozen=True, slots=True)
class LogPage:
    """A page of the log with raw messages beside it."""

    transitions: tuple[TransitionRow, ...]
    """Newest first."""
    older_before: int | None
    """The seq to ask for older transitions before; None when there are none."""
    total: int
    """Transitions in all."""
    messages: tuple[MessageRow, ...]
    """Newest first: those that were found, or the newest ones when nothing is searched."""
    query: str
    searched: int
    """How many messages were looked into; 0 when nothing is searched."""
    more_found: bool
    """There are more messages like these than are shown."""
    stopped: bool
    """Older messages were not looked into: the search ended at its limit."""


def log_page(access: Access, *, query: str = "", before: int | None = None) -> LogPage:
    """Return a page of the log; four queries, whatever the conversation holds.

    Args:
        access: the conversation.
        query: what messages must hold, whatever its case; empty for the newest ones.
        before: shows transitions older than this seq; None for the newest.
    """
    total = Conversation.objects.values_list("last_seq", flat=True).get(pk=access.conversation.id)
    transitions, older_before = _transitions(access, before)
    wanted = query.strip()
    found = _Search(access, wanted.casefold())
    messages = tuple(islice(found.rows(), MESSAGES_SHOWN + 1))
    return LogPage(
        transitions=transitions,
        older_before=older_before,
        total=total,
        messages=messages[:MESSAGES_SHOWN],
        query=wanted,
        searched=found.opened if wanted else 0,
        more_found=len(messages) > MESSAGES_SHOWN,
        stopped=bool(wanted) and found.stopped,
    )


def _transitions(
    access: Access, before: int | None
) -> tuple[tuple[TransitionRow, ...], int | None]:
    rows = Transition.objects.filter(conversation=access.conversation)
    if before is not None:
        rows = rows.filter(seq__lt=before)
    ordered = rows.order_by("-seq").values_list("id", "seq", "kind", "created_ms", "turn")
    found = list(ordered[: TRANSITIONS_PAGE + 1])
    shown = found[:TRANSITIONS_PAGE]
    erased = set(
        Payload.objects.filter(
            transition_id__in=[row[0] for row in shown], erased_ms__isnull=False
        ).values_list("transition_id", flat=True)
    )
    transitions = tuple(
        TransitionRow(seq, kind, created_ms, turn_id, row_id in erased)
        for row_id, seq, kind, created_ms, turn_id in shown
    )
    return transitions, shown[-1][1] if len(found) > TRANSITIONS_PAGE else None


class _Search:
    """Goes through the messages of a conversation, the newest first."""

    def __init__(self, access: Access, folded: str) -> None:
        self._access = access
        self._folded = folded
        self.opened = 0
        self.stopped = False

    def rows(self) -> Iterator[MessageRow]:
        """Yield those that hold what is searched."""
        messages = Message.objects.filter(conversation=self._access.conversation)
        ordered = messages.order_by("-seq", "-position").values_list(
            "id", "turn_id", "role", "body", "created_ms", "redacted_ms"
        )
        limit = MESSAGES_SEARCHED if self._folded else MESSAGES_SHOWN + 1
        for row in ordered[: limit + 1]:
            if self.opened == limit:
                self.stopped = True
                return
            self.opened += 1
            message = self._opened(row)
            if self._folded in message.text.casefold():
                yield message

    def _opened(self, row: tuple[Any, ...]) -> MessageRow:
        message_id, turn_id, role, body, created_ms, redacted_ms = row
        text = decode_row(row[:5], "", self._access.keys).text if body else ""
        return MessageRow(message_id, role, turn_id, created_ms, text, redacted_ms is not None)
