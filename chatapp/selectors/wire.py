"""Reads one attempt with everything that its wire view shows."""

from dataclasses import dataclass
from uuid import UUID

from chatapp.access import Access
from chatapp.models import Attempt
from chatapp.selectors.inspector import LookedAt, looked_at
from chatapp.selectors.memory import attempt_memory
from chatapp.selectors.requests import SentRequest, sent_request
from chatapp.selectors.rows import AttemptRow
from statecore.state.fold import Memory


@dataclass(frozen=True, slots=True)
class WireRow:
    """One model call: what was sent, and the account of it."""

    looked: LookedAt
    """Its turn, and the one before."""
    attempt: AttemptRow
    sent: SentRequest
    memory: Memory
    """As its plan saw it."""


def wire_row(access: Access, attempt_id: UUID) -> WireRow | None:
    """Return an attempt with its request, or None when the conversation has no such attempt."""
    found = Attempt.objects.filter(pk=attempt_id, turn__conversation=access.conversation)
    turn_id = found.values_list("turn_id", flat=True).first()
    looked = looked_at(access, turn_id) if turn_id else None
    sent = sent_request(access, attempt_id)
    memory = attempt_memory(access, attempt_id)
    if looked is None or sent is None or memory is None:
        return None
    attempt = next(row for row in looked.turn.attempts if row.id == attempt_id)
    return WireRow(looked, attempt, sent, memory)
