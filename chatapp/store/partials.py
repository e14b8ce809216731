"""Appends and reads the partial text of running attempts."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from chatapp.keyring import SpaceKeys
from chatapp.models import PartialText
from chatapp.store.sealing import seal_text, unseal_text


@dataclass(frozen=True, slots=True)
class Partial:
    """A stretch of streamed text that is to be appended."""

    attempt_id: UUID
    ordinal: int
    last_seq: int
    text: str
    keys: SpaceKeys


def append(partials: Sequence[Partial]) -> None:
    """Append stretches of many streams in one transaction."""
    rows = [
        PartialText(
            attempt_id=part.attempt_id,
            ordinal=part.ordinal,
            last_seq=part.last_seq,
            body=seal_text(
                part.keys,
                "chatapp_partialtext",
                "body",
                _place(part.attempt_id, part.ordinal),
                part.text,
            ),
        )
        for part in partials
    ]
    with transaction.atomic():
        PartialText.objects.bulk_create(rows)


def read(attempt_id: UUID, keys: SpaceKeys) -> tuple[str, int]:
    """Return the text stored so far and the sequence number of its last chunk."""
    rows = PartialText.objects.filter(attempt_id=attempt_id).order_by("ordinal")
    text, last_seq = [], 0
    for ordinal, seq, body in rows.values_list("ordinal", "last_seq", "body"):
        place = _place(attempt_id, ordinal)
        text.append(unseal_text(keys, "chatapp_partialtext", "body", place, bytes(body)))
        last_seq = seq
    return "".join(text), last_seq


def drop(attempt_id: UUID) -> None:
    """Drop the partial text of an attempt that has ended."""
    PartialText.objects.filter(attempt_id=attempt_id).delete()


def _place(attempt_id: UUID, ordinal: int) -> str:
    # The row id is made by the database, so the place is named by attempt and order.
    return f"{attempt_id}/{ordinal}"
