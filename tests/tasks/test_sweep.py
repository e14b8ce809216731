"""The task that finds what was lost, and the names by which tasks are called."""

import pytest
from kombu.exceptions import OperationalError

from chatapp.celery import app
from chatapp.ids import new_id
from chatapp.jobs import wake_worker
from chatapp.models import MemoryDelta, Outbox
from chatapp.store import outbox
from chatapp.tasks.sweep import sweep_outbox
from tests.support.people import new_process, say


@pytest.fixture
def sent(monkeypatch):
    """Messages to workers as (name, arguments)."""
    found = []

    def send_task(name, args, **options):
        found.append((name, args))

    monkeypatch.setattr(app, "send_task", send_task)
    return found


@pytest.mark.django_db(transaction=True)
def test_it_does_all_that_waits(cast, scripted_models, pool_closed):
    process = new_process()
    for text in ("one", "two"):
        say(cast.access, text, "answer", process)

    sweep_outbox()

    assert Outbox.objects.count() == 4
    assert not Outbox.objects.filter(done_ms=None).exists()
    assert MemoryDelta.objects.count() == 2


def test_every_scheduled_task_exists():
    app.loader.import_default_modules()

    scheduled = {entry["task"] for entry in app.conf.beat_schedule.values()}
    assert scheduled
    assert scheduled <= set(app.tasks)


def test_every_kind_of_work_has_its_task(sent):
    app.loader.import_default_modules()

    for kind in (*outbox.KINDS, outbox.MEMORY_AGAIN):
        wake_worker(kind, new_id())

    assert {name for name, _ in sent} <= set(app.tasks)
    assert len(sent) == 3


def test_a_message_to_a_worker_holds_ids_only(sent):
    turn_id = new_id()

    wake_worker(outbox.TOKEN_COUNTS, turn_id)

    assert sent == [("chatapp.tasks.token_counts.run", [str(turn_id)])]


@pytest.mark.parametrize("error", [OperationalError("gone"), ConnectionRefusedError("gone")])
def test_a_broker_that_is_away_stops_nothing(monkeypatch, caplog, error):
    def send_task(*args, **options):
        raise error

    monkeypatch.setattr(app, "send_task", send_task)

    wake_worker(outbox.TOKEN_COUNTS, new_id())

    assert "No worker could be woken" in caplog.text
