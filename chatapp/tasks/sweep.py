"""Finds outbox work whose message was lost."""

from chatapp.celery import app
from chatapp.services.sweeping import outbox_sweep


@app.task(name="chatapp.tasks.sweep.sweep_outbox", max_retries=0)
def sweep_outbox() -> None:
    """Do what waits, oldest first."""
    outbox_sweep()
