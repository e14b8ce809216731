"""Reads what the answer of a turn was made from: the account of the attempt that answered."""

from dataclasses import dataclass
from uuid import UUID

from chatapp.access import Access
from chatapp.selectors.memory import attempt_memory
from chatapp.selectors.rows import AttemptRow, TurnRow
from chatapp.selectors.turns import turn_row
from statecore.state.fold import Memory

ANSWERING = {"succeeded", "stopped"}


@dataclass(frozen=True, slots=True)
class Provenance:
    """A turn with the attempt that answered it, and memory as its plan saw it."""

    turn: TurnRow
    attempt: AttemptRow | None
    """The newest one where none has answered; None where no model was asked here."""
    memory: Memory | None


def provenance_of(access: Access, turn_id: UUID) -> Provenance | None:
    """Return what a turn was made from, on whatever branch; None when there is no such turn."""
    turn = turn_row(access, turn_id)
    if turn is None:
        return None
    attempt = _answering(turn)
    memory = None if attempt is None else attempt_memory(access, attempt.id)
    return Provenance(turn, attempt, memory)


def _answering(turn: TurnRow) -> AttemptRow | None:
    newest_first = turn.attempts[::-1]
    answered = (attempt for attempt in newest_first if attempt.status in ANSWERING)
    return next(answered, newest_first[0] if newest_first else None)
