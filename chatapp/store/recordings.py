"""Seals and opens what providers have streamed."""

from typing import Final
from uuid import UUID

from chatapp.keyring import SpaceKeys
from chatapp.models import Attempt
from chatapp.store.sealing import seal, unseal
from statecore.routing.recording import Recording, decode_recording, encode_recording

COLUMN: Final = ("chatapp_attempt", "recording")


def seal_recording(attempt_id: UUID, recording: Recording, keys: SpaceKeys) -> bytes:
    """Return a recording ready to be stored with its attempt."""
    return seal(keys, *COLUMN, attempt_id, encode_recording(recording))


def recording_of(attempt: Attempt, keys: SpaceKeys) -> Recording | None:
    """Return the recording of an attempt, or None where there is none."""
    if attempt.recording is None:
        return None
    return decode_recording(unseal(keys, *COLUMN, attempt.id, bytes(attempt.recording)))
