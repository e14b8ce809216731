"""The rows that the log vouches for: messages, what turns taught, what people did and thought."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from chatapp.keyring import SpaceKeys
from chatapp.models import Feedback, MemoryDelta, Message, Operation, Transition
from chatapp.store import feedback, memory_path, operations
from chatapp.store.sealing import unseal
from chatapp.store.vouching import Place, Row, Rows
from chatapp.vault import SealBroken
from statecore.errors import InvalidInput
from statecore.state.codec import decode_operation
from statecore.state.operations import scope_of

ROWS_AT_ONCE: Final = 500

SYSTEM_KINDS: Final = ("conversation_created", "system_message_set")
ACCEPTED: Final = "turn_accepted"
COMMITTED: Final = "turn_committed"
LEARNED: Final = "memory_learned"
OPERATIONS: Final = (
    "memory_edited",
    "memory_deleted",
    "memory_pinned",
    "memory_added",
    "memory_undone",
    "field_set",
    "field_removed",
)

MESSAGE: Final = ("chatapp_message", "body")

_DECODER: Final = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Witness:
    """One transition, with those of its contents that are what was written."""

    row: Transition
    bodies: Mapping[str, bytes]
    erased: frozenset[str]
    """Parts whose contents were erased."""
    is_imported: bool = False
    """It was written for a state that came from elsewhere."""

    def place(self, part: str, *, first_position: int = 0, joined: bool = False) -> Place:
        """Return the place that it has for rows.

        Args:
            part: of the transition, whose contents are those of the rows.
            first_position: of the first row.
            joined: several rows may stand in it one after the other.
        """
        body = self.bodies.get(part)
        pieces: tuple[bytes, ...] | None = None
        if body is not None:
            pieces = _split(body) if joined else (body,)
        return Place(
            seq=self.row.seq,
            created_ms=self.row.created_ms,
            part=part,
            commitment=bytes(getattr(self.row, part)),
            pieces=pieces,
            is_erased=part in self.erased,
            first_position=first_position,
            turn_id=self.row.turn,
            is_imported=self.is_imported,
        )


def _split(body: bytes) -> tuple[bytes, ...]:
    """Return the documents that stand in a body one after the other."""
    text, at, pieces = body.decode(), 0, []
    try:
        while at < len(text):
            _, end = _DECODER.raw_decode(text, at)
            pieces.append(text[at:end].encode())
            at = end
    except json.JSONDecodeError:
        return (body,)
    return tuple(pieces)


@dataclass(frozen=True, slots=True)
class MessageRow(Row):
    """A message beside the transition that brought it."""

    turn_id: UUID | None = None
    role: str = ""

    def deviations(self, place: Place) -> Iterator[str]:
        """Yield the names of columns that the log contradicts."""
        if self.turn_id != place.turn_id:
            yield "turn"
        if self.role != self._role_in(place):
            yield "role"
        if self.created_ms != place.created_ms and not place.is_imported:
            yield "time"

    def _role_in(self, place: Place) -> str:
        if place.part == "input":
            return "system" if place.turn_id is None else "user"
        if b'"tool_call_id"' in (self.body or b"") and "tool_call_id" in json.loads(
            self.body or b""
        ):
            return "tool"
        return "assistant"


@dataclass(frozen=True, slots=True)
class DeltaRow(Row):
    """What a turn taught, beside the transition that says so."""

    turn_id: UUID | None = None

    def deviations(self, place: Place) -> Iterator[str]:
        """Yield the names of columns that the log contradicts."""
        if self.turn_id != place.turn_id:
            yield "turn"


@dataclass(frozen=True, slots=True)
class ThumbRow(Row):
    """What a person thought of an answer; all that the log holds of it stands in its columns."""

    def deviations(self, place: Place) -> Iterator[str]:
        """Yield the names of columns that the log contradicts."""
        if self.created_ms != place.created_ms and not place.is_imported:
            yield "time"


@dataclass(frozen=True, slots=True)
class OperationRow(Row):
    """What a person did to memory, beside the transition that says so."""

    turn_id: UUID | None = None
    scope: str = ""
    target: bytes = b""
    keys: SpaceKeys | None = None

    def deviations(self, place: Place) -> Iterator[str]:
        """Yield the names of columns that the log contradicts."""
        if self.turn_id != place.turn_id:
            yield "turn"
        if self.keys is None or self.body is None:
            return
        try:
            told = decode_operation(self.body)
        except InvalidInput:
            # Written by a newer version: its body is vouched for, its columns are not.
            return
        if self.scope != scope_of(told.action):
            yield "scope"
        if self.target != operations.target_of(told.action, self.keys):
            yield "target"
        if self.created_ms != told.created_ms:
            yield "time"


class VouchedRows:
    """Goes through the rows of a conversation beside its transitions, seq by seq."""

    def __init__(self, conversation_id: UUID, keys: SpaceKeys, last_seq: int) -> None:
        self._messages = _Table("message", _messages(conversation_id, keys, last_seq), keys)
        self._deltas = _Table("memory", _deltas(conversation_id, keys, last_seq), keys)
        self._operations = _Table("operation", _operations(conversation_id, keys, last_seq), keys)
        self._thumbs = _Table("feedback", _thumbs(conversation_id, last_seq), keys)

    def settle(self, witness: Witness) -> tuple[MessageRow, ...]:
        """Compare all rows up to the seq of a transition; return its messages if all are whole."""
        kind, seq = witness.row.kind, witness.row.seq
        place = witness.place("output") if kind == LEARNED else None
        self._deltas.settle(seq, place)
        place = witness.place("input") if kind in OPERATIONS else None
        self._operations.settle(seq, place)
        self._thumbs.settle(seq, witness.place("input") if kind == feedback.GIVEN else None)
        found = self._messages.settle(seq, _message_place(witness))
        return tuple(row for row in found if isinstance(row, MessageRow))

    def tables(self) -> tuple[Rows, ...]:
        """Return the tables with all that is left in them, once all transitions were seen."""
        tables = (self._messages, self._deltas, self._operations, self._thumbs)
        return tuple(one.ended() for one in tables)


def _message_place(witness: Witness) -> Place | None:
    kind = witness.row.kind
    # A turn that only regenerates shares its input.
    if kind in SYSTEM_KINDS or (kind == ACCEPTED and witness.row.input):
        return witness.place("input")
    if kind == COMMITTED and witness.row.output:
        return witness.place("output", first_position=1, joined=True)
    return None


class _Table:
    """The rows of one table, read by seq while the log is read."""

    def __init__(self, noun: str, rows: Iterator[Row], keys: SpaceKeys) -> None:
        self._rows = Rows(noun, keys.log)
        self._coming = rows
        self._next = next(rows, None)

    def settle(self, seq: int, place: Place | None) -> list[Row]:
        """Compare the rows of a seq; those of seqs before it, that no transition has, are strays.

        Returns:
            The rows, if all of them stand there as they were written.
        """
        # A seq without a transition has no place for rows.
        self._rows.settle(None, self._until(seq - 1))
        found = self._until(seq)
        if place is None and not found:
            return []
        return found if self._rows.settle(place, found) else []

    def ended(self) -> Rows:
        self._rows.settle(None, [*([] if self._next is None else [self._next]), *self._coming])
        return self._rows

    def _until(self, seq: int) -> list[Row]:
        found = []
        while self._next is not None and self._next.seq <= seq:
            found.append(self._next)
            self._next = next(self._coming, None)
        return found


def _messages(conversation_id: UUID, keys: SpaceKeys, last_seq: int) -> Iterator[Row]:
    found = Message.objects.filter(conversation_id=conversation_id, seq__lte=last_seq)
    ordered = found.order_by("seq", "position", "id").values_list(
        "id", "seq", "created_ms", "body", "position", "redacted_ms", "turn_id", "role"
    )
    for row_id, seq, created_ms, body, position, redacted_ms, turn_id, role in ordered.iterator(
        chunk_size=ROWS_AT_ONCE
    ):
        opened = _opened(MESSAGE, row_id, bytes(body), keys)
        redacted = redacted_ms is not None
        yield MessageRow(row_id, seq, created_ms, opened, position, redacted, turn_id, role)


def _deltas(conversation_id: UUID, keys: SpaceKeys, last_seq: int) -> Iterator[Row]:
    found = MemoryDelta.objects.filter(turn__conversation_id=conversation_id, seq__lte=last_seq)
    ordered = found.order_by("seq", "id").values_list("id", "seq", "created_ms", "body", "turn_id")
    for row_id, seq, created_ms, body, turn_id in ordered.iterator(chunk_size=ROWS_AT_ONCE):
        opened = _opened(memory_path.DELTA, row_id, bytes(body), keys)
        yield DeltaRow(row_id, seq, created_ms, opened, turn_id=turn_id)


def _operations(conversation_id: UUID, keys: SpaceKeys, last_seq: int) -> Iterator[Row]:
    found = Operation.objects.filter(conversation_id=conversation_id, seq__lte=last_seq)
    ordered = found.order_by("seq", "id").values_list(
        "id", "seq", "created_ms", "body", "turn_id", "scope", "target"
    )
    for row_id, seq, created_ms, body, turn_id, scope, target in ordered.iterator(
        chunk_size=ROWS_AT_ONCE
    ):
        opened = _opened(operations.OPERATION, row_id, bytes(body), keys)
        yield OperationRow(
            row_id,
            seq,
            created_ms,
            opened,
            turn_id=turn_id,
            scope=scope,
            target=bytes(target),
            keys=keys,
        )


def _thumbs(conversation_id: UUID, last_seq: int) -> Iterator[Row]:
    found = Feedback.objects.filter(
        conversation_id=conversation_id, seq__lte=last_seq, kind=Feedback.Kind.THUMB
    )
    ordered = found.order_by("seq", "id").values_list(
        "id", "seq", "created_ms", "turn_id", "message_id", "user_id", "thumb"
    )
    for row_id, seq, created_ms, turn_id, message_id, user_id, thumb in ordered.iterator(
        chunk_size=ROWS_AT_ONCE
    ):
        told = feedback.Judgement(turn_id, message_id, user_id, thumb)
        body = feedback.encode_judgement(told)
        yield ThumbRow(row_id, seq, created_ms, body)


def _opened(column: tuple[str, str], row_id: UUID, body: bytes, keys: SpaceKeys) -> bytes | None:
    try:
        return unseal(keys, *column, row_id, body)
    except SealBroken:
        return None
