"""Reads what came with an imported state and has no rows of its own."""

from typing import Final
from uuid import UUID

from chatapp.keyring import SpaceKeys
from chatapp.models import Payload
from chatapp.store.payloads import open_payload
from statecore.contract.carried import Carried, decode_carried

IMPORTED: Final = "state_imported"
"""Kind of the transition that a state was imported with; its input is what the state carried."""

LATEST_SEQ: Final = 64
"""A state comes in before that seq, so looking for it costs the same in a long conversation."""


def read_carried_in(payload_id: UUID | None, keys: SpaceKeys) -> Carried:
    """Return what a payload says that a conversation carries; one query, none without a payload."""
    found = None if payload_id is None else Payload.objects.filter(pk=payload_id).first()
    return _carried(found, keys)


def read_carried(conversation_id: UUID, keys: SpaceKeys) -> Carried:
    """Return what an imported conversation carries; nothing for one that began here. One query."""
    payloads = Payload.objects.filter(
        transition__conversation_id=conversation_id,
        transition__seq__lte=LATEST_SEQ,
        transition__kind=IMPORTED,
        part="input",
    )
    return _carried(payloads.first(), keys)


def _carried(payload: Payload | None, keys: SpaceKeys) -> Carried:
    body = None if payload is None else open_payload(payload, keys)
    return Carried() if body is None else decode_carried(body)
