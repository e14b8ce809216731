"""What other processes ask of this one: live text of its turns, and to stop them."""

import asyncio
import logging
from typing import Any
from uuid import UUID

from chatapp import broadcast
from chatapp.runtime.hub import Hub
from chatapp.runtime.jobs import Job
from chatapp.runtime.remote import answer_ask

logger = logging.getLogger(__name__)

RECONNECT_S = 1.0


async def keep_reading(process_id: UUID, hub: Hub, jobs: dict[UUID, Job]) -> None:
    """Answer messages, for ever; a broker that is away for a moment is waited for."""
    while True:
        try:
            layer = broadcast.layer()
            channel = await layer.new_channel()
            await layer.group_add(broadcast.process_group(process_id), channel)
            while True:
                handle(await layer.receive(channel), hub, jobs)
        except Exception:
            # Every broker has errors of its own; stop flags and the database bridge the gap.
            logger.exception("The mailbox lost its broker")
            await asyncio.sleep(RECONNECT_S)


def handle(message: dict[str, Any], hub: Hub, jobs: dict[UUID, Job]) -> None:
    """Act on one message; about turns that are not here it is silent."""
    turn_id = UUID(message["turn"])
    if message["type"] == "turn.stop" and turn_id in jobs:
        jobs[turn_id].cut("stop")
    if message["type"] == "live.ask" and (stream := hub.get(turn_id)) is not None:
        answer_ask(
            stream,
            channel=message["reply"],
            attempt=message["attempt"],
            after=message["after"],
        )
