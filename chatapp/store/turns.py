"""Writes turns and their messages; moves of status are conditional updates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from chatapp.ids import new_id
from chatapp.keyring import SpaceKeys
from chatapp.models import Feature, Message, TokenCount, Turn
from chatapp.store.raw import insert
from chatapp.store.sealing import seal
from statecore.language.features import features
from statecore.messages import Message as CoreMessage
from statecore.messages import encode_body
from statecore.tokens import Count, CountKey

REFERENCE_TOKENIZER = "o200k_base"
"""The tokenizer of the running sums; its counts are there for every message."""


@dataclass(slots=True)
class FeatureHeads:
    """The newest feature of each kind on a path, so that no lookup walks it."""

    heads: dict[str, list[object]]

    def link(self, message: CoreMessage) -> list[Feature]:
        """Return the features of a message, linked to those before it, and move the heads."""
        rows: list[Feature] = []
        for found in features(message.text):
            previous_id, ordinal = self.heads.get(found.kind, [None, 0])
            row = Feature(
                id=new_id(),
                message_id=UUID(message.id),
                kind=found.kind,
                ordinal=int(str(ordinal)) + 1,
                start=found.start,
                end=found.end,
                previous_id=None if previous_id is None else UUID(str(previous_id)),
            )
            self.heads[found.kind] = [str(row.id), row.ordinal]
            rows.append(row)
        return rows


def insert_turn(turn: Turn) -> None:
    """Insert a new turn."""
    insert([turn])


def insert_messages(
    messages: Sequence[CoreMessage],
    *,
    keys: SpaceKeys,
    conversation_id: UUID,
    turn_id: UUID | None,
    seq: int,
    first_position: int,
) -> None:
    """Insert messages of one turn, sealed."""
    insert(
        message_rows(
            messages,
            keys=keys,
            conversation_id=conversation_id,
            turn_id=turn_id,
            seq=seq,
            first_position=first_position,
        )
    )


def message_rows(
    messages: Sequence[CoreMessage],
    *,
    keys: SpaceKeys,
    conversation_id: UUID,
    turn_id: UUID | None,
    seq: int,
    first_position: int,
) -> list[Message]:
    """Return messages of one turn as they are inserted, sealed."""
    return [
        Message(
            id=UUID(message.id),
            conversation_id=conversation_id,
            turn_id=turn_id,
            seq=seq,
            position=first_position + index,
            role=message.role,
            body=seal(keys, "chatapp_message", "body", UUID(message.id), encode_body(message)),
            created_ms=message.created_ms,
        )
        for index, message in enumerate(messages)
    ]


def insert_counts(counts: Mapping[CountKey, Count]) -> None:
    """Insert counts of stored messages; a count that is there stays."""
    insert(count_rows(counts), ignore_conflicts=True)


def count_rows(counts: Mapping[CountKey, Count]) -> list[TokenCount]:
    """Return counts of messages as they are inserted."""
    return [
        TokenCount(
            message_id=UUID(key.message_id),
            tokenizer=key.tokenizer,
            form=key.form,
            tokens=count.tokens,
            quality=count.quality,
        )
        for key, count in counts.items()
    ]


def insert_features(rows: Sequence[Feature]) -> None:
    """Insert linked features."""
    insert(rows)


def take_over(turn_id: UUID, owner: UUID, model_name: str) -> bool:
    """Set a turn that broke off running again under a new owner; False when it is not broken."""
    updated = Turn.objects.filter(pk=turn_id, status__in=("failed", "interrupted")).update(
        status="running",
        owner_id=owner,
        reason="",
        stop_requested=False,
        model_name=model_name,
    )
    return updated == 1


def request_stop(turn_id: UUID) -> bool:
    """Set the stop flag of a running turn; False when it no longer runs."""
    return Turn.objects.filter(pk=turn_id, status="running").update(stop_requested=True) == 1


def break_off(turn_id: UUID, owner: UUID | None, *, status: str, reason: str) -> bool:
    """Move a running turn of an owner to failed or interrupted; False when it was fenced."""
    updated = Turn.objects.filter(pk=turn_id, owner_id=owner, status="running").update(
        status=status, reason=reason, owner=None
    )
    return updated == 1
