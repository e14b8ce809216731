"""The outbox: one row for a kind of work of a turn, waiting until it is done."""

import pytest

from chatapp.models import Outbox
from chatapp.store import outbox
from chatapp.store.outbox import TOKEN_COUNTS
from tests.support.people import new_process, say

pytestmark = pytest.mark.django_db

NOW_MS = 5_000


@pytest.fixture
def turns(cast):
    """Three turns, whose work came in the order third, first, second."""
    process = new_process()
    made = [say(cast.access, "Hi", "Hello.", process) for _ in range(3)]
    for created_ms, turn_id in zip((2_000, 3_000, 1_000), made, strict=True):
        Outbox.objects.filter(turn=turn_id).update(created_ms=created_ms)
    return made


def waiting(now_ms=NOW_MS, limit=10):
    return outbox.waiting(TOKEN_COUNTS, now_ms, limit)


def test_the_oldest_work_comes_first(turns):
    assert waiting() == [turns[2], turns[0], turns[1]]
    assert waiting(limit=1) == [turns[2]]


def test_work_of_another_kind_waits_elsewhere(turns):
    assert outbox.waiting("summaries", NOW_MS, 10) == []


def test_work_is_put_once(cast, turns):
    outbox.put(cast.access.conversation.id, turns[0], TOKEN_COUNTS, NOW_MS)

    assert Outbox.objects.filter(turn=turns[0]).count() == 1
    assert Outbox.objects.get(turn=turns[0]).created_ms == 2_000


def test_done_work_waits_no_more(turns):
    outbox.done(turns[2], TOKEN_COUNTS, NOW_MS)
    outbox.done(turns[2], TOKEN_COUNTS, NOW_MS + 1)

    assert turns[2] not in waiting()
    assert Outbox.objects.get(turn=turns[2]).done_ms == NOW_MS


def test_postponed_work_waits_until_its_time_and_counts_its_tries(turns):
    for _ in range(2):
        outbox.postpone(turns[2], TOKEN_COUNTS, NOW_MS + 1)

    assert turns[2] not in waiting(NOW_MS)
    assert turns[2] in waiting(NOW_MS + 1)
    assert Outbox.objects.get(turn=turns[2]).tries == 2


def test_done_work_is_not_postponed(turns):
    outbox.done(turns[0], TOKEN_COUNTS, NOW_MS)

    outbox.postpone(turns[0], TOKEN_COUNTS, NOW_MS)

    assert Outbox.objects.get(turn=turns[0]).tries == 0
