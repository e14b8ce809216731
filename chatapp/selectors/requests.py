"""Reads the exact request of an attempt."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from chatapp.access import Access
from chatapp.models import Attempt, Message, Snapshot
from chatapp.store import attempts, paths
from statecore.context.manifest import message_ids
from statecore.models import spec_from_document
from statecore.requests import Request
from statecore.routing.wire import wire_request


@dataclass(frozen=True, slots=True)
class SentRequest:
    """A request as it was sent."""

    body: dict[str, Any]
    """In the provider's field names."""
    proven: bool
    """Its commitment, made before it was sent, is the one of what is shown."""
    request: Request
    """The same before the adapter wrote it in the provider's field names."""


def sent_request(access: Access, attempt_id: UUID) -> SentRequest | None:
    """Return what an attempt sent, rebuilt from its blocks; None when there is no such attempt."""
    attempt = Attempt.objects.filter(pk=attempt_id, turn__conversation=access.conversation).first()
    if attempt is None:
        return None
    blocks = attempts.stored_blocks(attempt, access.keys)
    wanted = [UUID(text) for text in message_ids(blocks)]
    rows = Message.objects.filter(pk__in=wanted).values_list(
        "id", "turn_id", "role", "body", "created_ms"
    )
    messages = {str(row[0]): paths.decode_row(row, "", access.keys) for row in rows}
    request, proven = attempts.stored_request(attempt, blocks, messages, access.keys)
    spec = Snapshot.objects.values_list("body", flat=True).get(pk=attempt.model_hash)
    return SentRequest(wire_request(request, spec_from_document(spec)), proven, request)
