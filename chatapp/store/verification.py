"""Checks the log of a conversation against its chain, its head and its sealed contents."""

import hmac
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal
from uuid import UUID

from django.db.models import F

from chatapp.keyring import KeyErased, SpaceKeys, keys_of
from chatapp.models import Conversation, Payload, Transition
from chatapp.store.log import PARTS, record_of
from chatapp.store.payloads import open_payload
from chatapp.vault import SealBroken
from statecore.log import FaultKind, LogFault, TransitionRecord, commit_part, verify

ROWS_AT_ONCE: Final = 500

FindingKind = FaultKind | Literal["erased"]
"""erased: contents were erased under a permit, or with their key; this is no fault."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that verification found; a fault unless it is an erasure."""

    kind: FindingKind
    seq: int
    row_id: UUID | None = None
    """The transition; None when no row stands there."""
    created_ms: int | None = None
    """When the transition was written; None when no row stands there."""
    what: str = "transition"
    """What of the row is meant: the transition itself, or parts of its contents."""

    @property
    def is_fault(self) -> bool:
        """Whether the log is not what was written."""
        return self.kind != "erased"


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
    """Check every transition of a conversation and what is sealed beside it.

    Writers may go on meanwhile: the log is checked up to the head that is read first.

    Raises:
        Conversation.DoesNotExist: when there is no such conversation.
    """
    head = Conversation.objects.only("last_seq", "chain").get(id=conversation_id)
    rows = Transition.objects.filter(conversation_id=conversation_id, seq__lte=head.last_seq)
    places: dict[int, tuple[UUID, int]] = {}
    contents: list[Finding] = []

    def records() -> Iterator[TransitionRecord]:
        ordered = rows.order_by("seq").prefetch_related("payloads")
        for row in ordered.iterator(chunk_size=ROWS_AT_ONCE):
            places[row.seq] = (row.id, row.created_ms)
            contents.extend(_content_findings(row, keys))
            yield record_of(row)

    faults = verify(records(), keys.log, head=bytes(head.chain))
    chain = [_located(fault, places) for fault in faults]
    newest = max(places, default=0)
    if newest < head.last_seq and Finding("missing", newest + 1) not in chain:
        chain.append(Finding("missing", newest + 1))
    findings = sorted((*chain, *contents, *_beyond(conversation_id)), key=lambda one: one.seq)
    return Verification(conversation_id, len(places), tuple(findings))


def _located(fault: LogFault, places: Mapping[int, tuple[UUID, int]]) -> Finding:
    if fault.kind == "missing":
        return Finding("missing", fault.seq)
    row_id, created_ms = places[fault.seq]
    return Finding(fault.kind, fault.seq, row_id, created_ms)


def _beyond(conversation_id: UUID) -> Iterator[Finding]:
    """Yield the rows after the newest seq; one statement, so that writers cannot mislead it."""
    rows = Transition.objects.filter(
        conversation_id=conversation_id, seq__gt=F("conversation__last_seq")
    )
    for row_id, seq, created_ms in rows.values_list("id", "seq", "created_ms"):
        yield Finding("changed", seq, row_id, created_ms, "row beyond the newest seq")


def _content_findings(row: Transition, keys: SpaceKeys) -> Iterator[Finding]:
    payloads = {payload.part: payload for payload in row.payloads.all()}
    states: dict[FindingKind, list[str]] = {}
    for part in sorted({*PARTS, *payloads}):
        commitment = bytes(getattr(row, part)) if part in PARTS else b""
        state = _content_state(part, commitment, payloads.get(part), keys)
        if state is not None:
            states.setdefault(state, []).append(part)
    for state, parts in states.items():
        yield Finding(state, row.seq, row.id, row.created_ms, ", ".join(parts))


def _content_state(
    part: str, commitment: bytes, payload: Payload | None, keys: SpaceKeys
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
    return None if hmac.compare_digest(commit_part(keys.log, part, body), commitment) else "changed"
