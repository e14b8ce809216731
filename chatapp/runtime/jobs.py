"""One running turn of this process."""

import asyncio
from dataclasses import dataclass, field
from typing import Literal
from uuid import UUID

from chatapp.keyring import SpaceKeys
from chatapp.runtime.hub import LiveStream
from chatapp.services.attempts import Prepared
from statecore.models import ModelSpec
from statecore.routing.failures import FailureReason

Cause = Literal["stop", "drain", "fenced", "first_token_timeout", "stalled_stream"]
"""Why a running attempt is cut off from within this process."""


@dataclass(eq=False)
class Job:
    """A turn that this process runs, and how it may be cut off."""

    turn_id: UUID
    conversation_id: UUID
    keys: SpaceKeys
    model: ModelSpec
    stream: LiveStream
    prepared: Prepared | None = None
    """Its attempt, where that is stored already."""
    task: asyncio.Task[None] | None = None
    cause: Cause | None = None
    """Set once, by whoever cuts it off first."""
    streaming: bool = False
    """Only while the provider's stream is read may the task be cancelled: the steps before and
    after write to the database and look at `cause` themselves."""
    ended: asyncio.Event = field(default_factory=asyncio.Event)

    def cut(self, cause: Cause) -> None:
        """Cut the attempt off; the first cause counts."""
        if self.cause is not None:
            return
        self.cause = cause
        if self.streaming and self.task is not None:
            self.task.cancel()


def timeout_reason(cause: Cause) -> FailureReason | None:
    """Return the failure that a cause stands for, or None when it is none."""
    if cause in {"first_token_timeout", "stalled_stream"}:
        return FailureReason(cause)
    return None
