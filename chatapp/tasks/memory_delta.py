"""Learns what one turn taught; woken after its commit."""

import asyncio
from uuid import UUID

from chatapp.celery import app
from chatapp.runtime.learning import learn


@app.task(name="chatapp.tasks.memory_delta.run", max_retries=0)
def run(turn_id: str) -> None:
    """Do what waits on the path of the turn."""
    asyncio.run(learn(UUID(turn_id)))
