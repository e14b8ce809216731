"""The outbox is worked off, whoever wakes it."""

import pytest

from chatapp.clock import now_ms
from chatapp.models import Outbox, TokenCount
from chatapp.services import sweeping
from chatapp.services.counting import turn_count_tokens
from chatapp.services.sweeping import BATCH, PAUSE_MS, outbox_sweep, outbox_wake
from chatapp.store import outbox
from tests.support.people import new_process, say

pytestmark = pytest.mark.django_db


@pytest.fixture
def turns(cast):
    """Three turns that wait to be counted, oldest first."""
    process = new_process()
    return [say(cast.access, f"question {n}", "answer", process) for n in range(3)]


@pytest.fixture
def counted(monkeypatch):
    """The turns that were counted, in order; one of them cannot be."""
    found = []
    broken = set()

    def count(turn_id):
        if turn_id in broken:
            raise RuntimeError("no ranks")
        found.append(turn_id)
        turn_count_tokens(turn_id)

    monkeypatch.setattr(sweeping, "turn_count_tokens", count)
    return found, broken


def waiting():
    return Outbox.objects.filter(kind="token_counts", done_ms=None)


def test_what_waits_is_done_oldest_first(turns, counted):
    assert outbox_sweep() == 3

    assert counted[0] == turns
    assert not waiting().exists()
    assert outbox_sweep() == 0


def test_a_piece_that_fails_is_put_off_and_holds_up_nobody(turns, counted, caplog):
    found, broken = counted
    broken.add(turns[0])

    assert outbox_sweep() == 2

    row = waiting().get()
    assert (row.turn_id, row.tries) == (turns[0], 1)
    assert now_ms() < row.not_before_ms <= now_ms() + PAUSE_MS
    assert found == turns[1:]
    assert str(turns[0]) in caplog.text
    assert "question" not in caplog.text


def test_what_was_put_off_is_done_later(turns, counted):
    found, broken = counted
    broken.add(turns[0])
    outbox_sweep()
    broken.clear()

    assert outbox_sweep() == 0
    Outbox.objects.update(not_before_ms=0)
    assert outbox_sweep() == 1
    assert found[-1] == turns[0]


def test_one_sweep_takes_a_bounded_batch(turns, monkeypatch):
    monkeypatch.setattr(sweeping, "BATCH", 2)

    assert outbox_sweep() == 2
    assert len(outbox.waiting(outbox.TOKEN_COUNTS, now_ms(), BATCH)) == 1


def test_without_a_broker_the_work_is_done_here(turns, settings):
    settings.REDIS_URL = ""

    outbox_wake(turns[-1])

    assert TokenCount.objects.filter(tokenizer="cl100k_base").count() == 6


def test_with_a_broker_a_worker_is_woken_and_nothing_done_here(turns, settings, monkeypatch):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    woken = []
    monkeypatch.setattr(sweeping, "wake_worker", lambda *args: woken.append(args))

    outbox_wake(turns[-1])

    assert woken == [("token_counts", turns[-1]), ("memory_delta", turns[-1])]
    assert waiting().count() == 3
