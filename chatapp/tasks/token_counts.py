"""Counts the messages of one turn; woken after its commit."""

from uuid import UUID

from chatapp.celery import app
from chatapp.services.counting import turn_count_tokens


@app.task(name="chatapp.tasks.token_counts.run", max_retries=0)
def run(turn_id: str) -> None:
    """Do one piece of the outbox."""
    turn_count_tokens(UUID(turn_id))
