"""Reads what came with an imported state and has no rows of its own."""

from typing import Final
from uuid import UUID

from chatapp.keyring import SpaceKeys
from chatapp.models import Payload
from chatapp.store.payloads import open_payload
from statecore.contract.carried import Carried, decode_carried

IMPORTED: Final = "state_imported"
"""Kind of the transition that a state was imported with; its input is what the state carried."""


def read_carried(conversation_id: UUID, keys: SpaceKeys) -> Carried:
    """Return what an imported conversation carries; nothing for one that began here. One query."""
    payloads = Payload.objects.filter(
        transition__conversation_id=conversation_id, transition__kind=IMPORTED, part="input"
    )
    row = payloads.first()
    body = None if row is None else open_payload(row, keys)
    return Carried() if body is None else decode_carried(body)
