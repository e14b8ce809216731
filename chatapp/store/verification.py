"""Checks the log of a conversation, what is sealed beside it, and the rows that it vouches for."""

import hmac
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import F, QuerySet

from chatapp.keyring import KeyErased, SpaceKeys, keys_of
from chatapp.models import (
    Conversation,
    Feedback,
    MemoryDelta,
    Message,
    Operation,
    Payload,
    Transition,
)
from chatapp.store.carried import IMPORTED
from chatapp.store.findings import Finding, FindingKind
from chatapp.store.log import PARTS, record_of
from chatapp.store.payloads import open_payload
from chatapp.store.vouched_rows import ROWS_AT_ONCE, VouchedRows, Witness
from chatapp.store.vouched_turns import VouchedTurns
from chatapp.vault import SealBroken
from statecore.log import LogFault, TransitionRecord, commit_part, unbroken, verify

__all__ = ["Finding", "FindingKind", "Verification", "verify_conversation", "verify_log"]


@dataclass(frozen=True, slots=True)
class Verification:
    """What verifying one conversation brought."""

    conversation_id: UUID
    transitions: int
    """How many were read."""
    findings: tuple[Finding, ...]
    """By seq; none when the log is whole and nothing of it was erased."""


def verify_log(conversation_id: UUID | None = None) -> Iterator[Verification]:
    """Yield what verifying one conversation brought, or each one when none is named.

    Raises:
        KeyUnreadable: when the master key does not open the key of an owner.
    """
    found = Conversation.objects.order_by("id")
    if conversation_id is not None:
        found = found.filter(id=conversation_id)
    for found_id, key_space_id in found.values_list("id", "key_space_id").iterator():
        try:
            keys = keys_of(key_space_id)
        except KeyErased:
            yield Verification(found_id, 0, (Finding("erased", 0, what="key"),))
        else:
            yield verify_conversation(found_id, keys)


def verify_conversation(conversation_id: UUID, keys: SpaceKeys) -> Verification:
    """Check every transition of a conversation, its contents, and the rows that it vouches for.

    Writers may go on meanwhile: the log is checked up to the head that is read first.

    Raises:
        Conversation.DoesNotExist: when there is no such conversation.
    """
    head = Conversation.objects.only("last_seq", "chain").get(id=conversation_id)
    reading = _Reading(conversation_id, keys, head.last_seq)
    faults: tuple[LogFault, ...] = ()
    if not unbroken(reading.records(), keys.log, head=bytes(head.chain)):
        # Only to say where it broke must all transitions be held at once.
        faults = verify(map(record_of, reading.transitions()), keys.log, head=bytes(head.chain))
    chain = [_located(fault, reading.places) for fault in faults]
    newest = max(reading.places, default=0)
    if newest < head.last_seq and Finding("missing", newest + 1) not in chain:
        chain.append(Finding("missing", newest + 1))
    broken = {finding.seq for finding in chain}
    rows = (*reading.row_findings(broken), *_beyond(conversation_id))
    findings = sorted((*chain, *reading.contents, *rows), key=lambda one: one.seq)
    return Verification(conversation_id, len(reading.places), tuple(findings))


class _Reading:
    """One pass over the log of a conversation, with the rows that it vouches for beside it."""

    def __init__(self, conversation_id: UUID, keys: SpaceKeys, last_seq: int) -> None:
        self._conversation_id = conversation_id
        self._keys = keys
        self._last_seq = last_seq
        self._rows = VouchedRows(conversation_id, keys, last_seq)
        self._turns = VouchedTurns(conversation_id, keys)
        self._imported_at: tuple[int, int] | None = None
        """Seq and time of the newest import."""
        self.places: dict[int, tuple[UUID, int]] = {}
        self.contents: list[Finding] = []

    def transitions(self) -> Iterator[Transition]:
        """Yield the transitions up to the head, in order."""
        rows = Transition.objects.filter(
            conversation_id=self._conversation_id, seq__lte=self._last_seq
        )
        ordered = rows.order_by("seq").prefetch_related("payloads")
        yield from ordered.iterator(chunk_size=ROWS_AT_ONCE)

    def records(self) -> Iterator[TransitionRecord]:
        """Yield what the chain is made of, and compare the rows on the way."""
        for row in self.transitions():
            self.places[row.seq] = (row.id, row.created_ms)
            self._see(row)
            yield record_of(row)

    def row_findings(self, broken: AbstractSet[int]) -> Iterator[Finding]:
        """Yield what is not right with rows, where the log itself is as it was written."""
        for table in self._rows.tables():
            yield from table.end(broken)
        rows = Transition.objects.filter(
            conversation_id=self._conversation_id, seq__gt=self._last_seq, turn__isnull=False
        )
        later = {turn_id for turn_id in rows.values_list("turn", flat=True) if turn_id}
        yield from self._turns.end(broken, later)

    def _see(self, row: Transition) -> None:
        contents = _Contents(row, self._keys)
        self.contents.extend(contents.findings)
        if row.kind == IMPORTED:
            self._imported_at = (row.seq, row.created_ms)
        imported = self._imported_at is not None and row.created_ms == self._imported_at[1]
        witness = Witness(row, contents.bodies, frozenset(contents.erased), imported)
        said = self._rows.settle(witness)
        answer: bytes | None = b"".join(message.body or b"" for message in said)
        if row.output and not said:
            answer = contents.bodies.get("output")
        self._turns.see(
            row,
            input_id=said[0].id if said else None,
            answer=answer,
            asked=contents.bodies.get("request"),
            is_imported=imported,
        )


def _located(fault: LogFault, places: Mapping[int, tuple[UUID, int]]) -> Finding:
    if fault.kind == "missing":
        return Finding("missing", fault.seq)
    row_id, created_ms = places[fault.seq]
    return Finding(fault.kind, fault.seq, row_id, created_ms)


def _beyond(conversation_id: UUID) -> Iterator[Finding]:
    """Yield the rows after the newest seq; one statement each: writers cannot mislead it."""
    newest = F("conversation__last_seq")
    here = {"conversation_id": conversation_id}
    tables: tuple[tuple[QuerySet[Any], str], ...] = (
        (Transition.objects.filter(seq__gt=newest, **here), "row"),
        (Message.objects.filter(seq__gt=newest, **here), "message row"),
        (Operation.objects.filter(seq__gt=newest, **here), "operation row"),
        (Feedback.objects.filter(seq__gt=newest, **here), "feedback row"),
        (
            MemoryDelta.objects.filter(
                turn__conversation_id=conversation_id, seq__gt=F("turn__conversation__last_seq")
            ),
            "memory row",
        ),
    )
    for rows, noun in tables:
        for row_id, seq, created_ms in rows.values_list("id", "seq", "created_ms"):
            yield Finding("changed", seq, row_id, created_ms, f"{noun} beyond the newest seq")


class _Contents:
    """What is sealed beside one transition: what of it is right, and what is not."""

    def __init__(self, row: Transition, keys: SpaceKeys) -> None:
        self.bodies: dict[str, bytes] = {}
        """The parts that are what was written."""
        states: dict[FindingKind, list[str]] = {}
        payloads = {payload.part: payload for payload in row.payloads.all()}
        for part in sorted({*PARTS, *payloads}):
            commitment = bytes(getattr(row, part)) if part in PARTS else b""
            state = self._open(part, commitment, payloads.get(part), keys)
            if state is not None:
                states.setdefault(state, []).append(part)
        self.erased = tuple(states.get("erased", ()))
        self.findings = [
            Finding(state, row.seq, row.id, row.created_ms, ", ".join(parts))
            for state, parts in states.items()
        ]

    def _open(
        self, part: str, commitment: bytes, payload: Payload | None, keys: SpaceKeys
    ) -> FindingKind | None:
        if payload is None:
            return "missing" if commitment else None
        if payload.body is None and payload.erased_ms is not None and commitment:
            return "erased"
        if payload.body is None or payload.erased_ms is not None:
            return "changed"
        try:
            body = open_payload(payload, keys) or b""
        except SealBroken:
            return "changed"
        if not hmac.compare_digest(commit_part(keys.log, part, body), commitment):
            return "changed"
        self.bodies[part] = body
        return None
