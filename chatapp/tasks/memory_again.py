"""Reads one turn again that is learned; woken by a person, or by the end of the turn before."""

import asyncio
from uuid import UUID

from chatapp.celery import app
from chatapp.runtime.relearning import relearn


@app.task(name="chatapp.tasks.memory_again.run", max_retries=0)
def run(turn_id: str) -> None:
    """Do one piece of the outbox."""
    asyncio.run(relearn(UUID(turn_id)))
