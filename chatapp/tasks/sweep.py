"""Finds outbox work whose message was lost."""

import asyncio

from chatapp.celery import app
from chatapp.runtime.answering import counted
from chatapp.runtime.learning import learn_waiting
from chatapp.runtime.relearning import relearn_waiting
from chatapp.services.replay_runs import replay_work, replays_due
from chatapp.services.sweeping import outbox_sweep


@app.task(name="chatapp.tasks.sweep.sweep_outbox", max_retries=0)
def sweep_outbox() -> None:
    """Do what waits, oldest first; what is quick before what waits for a model."""
    outbox_sweep()
    asyncio.run(_learn())
    for run_id in replays_due():
        replay_work(run_id, counted)


async def _learn() -> None:
    await learn_waiting()
    await relearn_waiting()
