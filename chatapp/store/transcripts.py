"""Reads a log to be played: each transition with what was sealed beside it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from chatapp.keyring import SpaceKeys
from chatapp.models import Attempt, Transition
from chatapp.store.payloads import open_payload

ROWS_AT_ONCE: Final = 200


@dataclass(frozen=True, slots=True)
class Step:
    """One transition."""

    seq: int
    kind: str
    turn_id: UUID | None
    created_ms: int
    parts: dict[str, bytes]
    """Contents by part; what was erased is empty."""
    is_erased: bool

    def text(self, part: str) -> str:
        """Return a part as text; empty where there is none."""
        return self.parts.get(part, b"").decode()

    def turn(self) -> UUID:
        """Return the turn that it speaks of.

        Raises:
            ValueError: when it speaks of none.
        """
        if self.turn_id is None:
            raise ValueError(f"Transition {self.seq} speaks of no turn.")
        return self.turn_id


def steps_of(conversation_id: UUID, keys: SpaceKeys) -> Iterator[Step]:
    """Yield the transitions of a conversation, by seq."""
    rows = Transition.objects.filter(conversation_id=conversation_id).order_by("seq")
    for row in rows.prefetch_related("payloads").iterator(chunk_size=ROWS_AT_ONCE):
        payloads = list(row.payloads.all())
        opened = {payload.part: open_payload(payload, keys) or b"" for payload in payloads}
        erased = any(payload.body is None for payload in payloads)
        yield Step(row.seq, row.kind, row.turn, row.created_ms, opened, erased)


def attempts_of(conversation_id: UUID) -> list[Attempt]:
    """Return all attempts of a conversation in the order in which they were planned."""
    rows = Attempt.objects.filter(turn__conversation_id=conversation_id)
    found = rows.select_related("plan_input__model", "turn")
    return sorted(found, key=lambda row: (row.plan_input.as_of_seq, row.started_ms, row.ordinal))
