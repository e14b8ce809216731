"""The only place that enqueues; a lost message costs the time until the next sweep."""

import logging
from uuid import UUID

from kombu.exceptions import OperationalError

from chatapp.celery import app

logger = logging.getLogger(__name__)


def wake_worker(kind: str, turn_id: UUID) -> None:
    """Wake a worker for one piece of the outbox; the row in the outbox is the truth."""
    try:
        app.send_task(f"chatapp.tasks.{kind}.run", args=[str(turn_id)], retry=False)
    except (OperationalError, OSError):
        logger.warning("No worker could be woken for %s of turn %s", kind, turn_id)
