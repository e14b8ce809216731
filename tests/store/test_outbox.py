"""The outbox: one row for a kind of work of a turn, waiting until it is done."""

import pytest

from chatapp.models import Outbox
from chatapp.store import outbox
from chatapp.store.outbox import CLAIM_MS, KINDS, MEMORY_AGAIN, MEMORY_DELTA, TOKEN_COUNTS
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


def row(turn_id, kind=TOKEN_COUNTS):
    return Outbox.objects.get(turn=turn_id, kind=kind)


def test_the_oldest_work_comes_first(turns):
    assert waiting() == [turns[2], turns[0], turns[1]]
    assert waiting(limit=1) == [turns[2]]


def test_work_of_another_kind_waits_elsewhere(turns):
    assert outbox.waiting("summaries", NOW_MS, 10) == []


def test_a_commit_leaves_every_kind_of_work_once(cast, turns):
    outbox.put(cast.access.conversation.id, turns[0], NOW_MS)

    rows = Outbox.objects.filter(turn=turns[0])
    assert sorted(rows.values_list("kind", flat=True)) == sorted(KINDS)
    assert set(rows.values_list("created_ms", flat=True)) == {2_000}


def test_done_work_waits_no_more(turns):
    outbox.done(turns[2], TOKEN_COUNTS, NOW_MS)
    outbox.done(turns[2], TOKEN_COUNTS, NOW_MS + 1)

    assert turns[2] not in waiting()
    assert row(turns[2]).done_ms == NOW_MS


def test_postponed_work_waits_until_its_time_and_counts_its_tries(turns):
    for _ in range(2):
        outbox.postpone(turns[2], TOKEN_COUNTS, NOW_MS + 1)

    assert turns[2] not in waiting(NOW_MS)
    assert turns[2] in waiting(NOW_MS + 1)
    assert row(turns[2]).tries == 2


def test_done_work_is_not_postponed(turns):
    outbox.done(turns[0], TOKEN_COUNTS, NOW_MS)

    outbox.postpone(turns[0], TOKEN_COUNTS, NOW_MS)

    assert row(turns[0]).tries == 0


# Claims.


def claim(turn_id, now_ms):
    return outbox.claim(turn_id, MEMORY_DELTA, now_ms)


def test_of_two_workers_one_gets_the_work(turns):
    assert claim(turns[0], NOW_MS) == NOW_MS + CLAIM_MS
    assert claim(turns[0], NOW_MS) is None
    assert claim(turns[0], NOW_MS + CLAIM_MS - 1) is None
    assert claim(turns[1], NOW_MS) is not None


def test_a_claim_is_of_one_kind(turns):
    claim(turns[0], NOW_MS)

    assert turns[0] in waiting()
    assert turns[0] not in outbox.waiting(MEMORY_DELTA, NOW_MS, 10)


def test_the_work_of_a_killed_worker_is_free_again(turns):
    until_ms = claim(turns[0], NOW_MS)

    assert turns[0] in outbox.waiting(MEMORY_DELTA, until_ms, 10)
    assert claim(turns[0], until_ms) == until_ms + CLAIM_MS


def test_a_renewed_claim_holds_for_longer(turns):
    held_ms = claim(turns[0], NOW_MS)

    held_ms = outbox.renew(turns[0], MEMORY_DELTA, held_ms, NOW_MS + 5_000)

    assert held_ms == NOW_MS + 5_000 + CLAIM_MS
    assert claim(turns[0], held_ms - 1) is None


def test_a_claim_that_was_lost_is_not_renewed(turns):
    lost_ms = claim(turns[0], NOW_MS)
    claim(turns[0], lost_ms)

    assert outbox.renew(turns[0], MEMORY_DELTA, lost_ms, lost_ms + 1) is None
    assert row(turns[0], MEMORY_DELTA).not_before_ms == lost_ms + CLAIM_MS


def test_done_work_is_neither_claimed_nor_renewed(turns):
    held_ms = claim(turns[0], NOW_MS)
    outbox.done(turns[0], MEMORY_DELTA, NOW_MS)

    assert outbox.renew(turns[0], MEMORY_DELTA, held_ms, NOW_MS) is None
    assert claim(turns[0], held_ms) is None


def test_tries_count_how_often_work_was_put_off(turns):
    for _ in range(2):
        outbox.postpone(turns[0], MEMORY_DELTA, NOW_MS)

    assert outbox.tries(turns[0], MEMORY_DELTA) == 2
    assert outbox.tries(turns[1], MEMORY_DELTA) == 0


def test_work_that_was_done_is_opened_again_and_what_waits_is_left(turns, cast):
    conversation_id = cast.access.conversation.id
    assert outbox.put_again(conversation_id, turns, MEMORY_AGAIN, NOW_MS) == len(turns)
    outbox.give_up(turns[0], MEMORY_AGAIN, NOW_MS + 1)
    outbox.postpone(turns[1], MEMORY_AGAIN, NOW_MS + 9)

    assert outbox.put_again(conversation_id, turns, MEMORY_AGAIN, NOW_MS + 2) == 1

    opened, left = row(turns[0], MEMORY_AGAIN), row(turns[1], MEMORY_AGAIN)
    assert (opened.done_ms, opened.tries, opened.created_ms) == (None, 0, NOW_MS + 2)
    assert (left.tries, left.created_ms) == (1, NOW_MS)


def test_a_conversation_in_which_somebody_works_is_left_alone(turns, cast):
    here = cast.access.conversation.id
    outbox.put_again(here, turns, MEMORY_AGAIN, NOW_MS)
    assert outbox.idle(MEMORY_AGAIN, NOW_MS, 10) == turns
    assert outbox.idle(MEMORY_AGAIN, NOW_MS, 1, conversation_id=here) == turns[:1]
    assert outbox.idle(MEMORY_AGAIN, NOW_MS, 10, conversation_id=turns[0]) == []

    outbox.claim(turns[0], MEMORY_AGAIN, NOW_MS)

    assert outbox.idle(MEMORY_AGAIN, NOW_MS, 10) == []
    assert outbox.idle(MEMORY_AGAIN, NOW_MS + CLAIM_MS, 10) == turns


def test_what_was_put_off_holds_up_no_other_turn(turns, cast):
    outbox.put_again(cast.access.conversation.id, turns, MEMORY_AGAIN, NOW_MS)

    outbox.postpone(turns[0], MEMORY_AGAIN, NOW_MS + 1)

    assert outbox.idle(MEMORY_AGAIN, NOW_MS, 10) == turns[1:]
