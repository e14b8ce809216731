"""Works off one replay of many conversations; woken by a person, or by the sweep."""

from uuid import UUID

from chatapp.celery import app
from chatapp.runtime.answering import counted
from chatapp.services.replay_runs import replay_work


@app.task(name="chatapp.tasks.replays.run", max_retries=0)
def run(run_id: str) -> None:
    """Do what is left of one run."""
    replay_work(UUID(run_id), counted)
