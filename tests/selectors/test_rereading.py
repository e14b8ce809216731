"""How far the newest wish to read turns again is."""

import pytest

from chatapp.access import conversation_for
from chatapp.selectors.rereading import rereading
from chatapp.services.conversations import conversation_create
from chatapp.store import outbox
from tests.support.people import new_process, say

pytestmark = pytest.mark.django_db
KIND = outbox.MEMORY_AGAIN


@pytest.fixture
def turns(cast):
    process = new_process()
    return [say(cast.access, f"question {n}", "answer", process) for n in range(3)]


def put(cast, turns, now_ms):
    return outbox.put_again(cast.access.conversation.id, turns, KIND, now_ms)


def test_without_a_wish_there_is_nothing(cast, turns):
    assert rereading(cast.access) is None


def test_turns_wait_and_some_are_put_off(cast, turns, django_assert_num_queries):
    put(cast, turns, 100)
    outbox.postpone(turns[0], KIND, 900)
    outbox.done(turns[1], KIND, 200)

    with django_assert_num_queries(1):
        found = rereading(cast.access)

    assert (found.since_ms, found.waiting, found.put_off) == (100, 2, 1)
    assert found.ended_ms is None
    assert found.read == (str(turns[1]),)


def test_it_ends_with_its_last_turn_and_says_which_no_model_read(cast, turns):
    put(cast, turns, 100)
    outbox.give_up(turns[0], KIND, 200)
    outbox.done(turns[1], KIND, 300)
    outbox.done(turns[2], KIND, 250)

    found = rereading(cast.access)

    assert (found.waiting, found.unlabelled, found.ended_ms) == (0, 1, 300)
    assert set(found.read) == {str(turns[1]), str(turns[2])}


def test_a_newer_wish_takes_the_place_of_an_older_one(cast, turns):
    put(cast, turns, 100)
    for turn_id in turns:
        outbox.give_up(turn_id, KIND, 200)
    put(cast, turns[:1], 300)
    outbox.done(turns[0], KIND, 400)

    found = rereading(cast.access)

    assert (found.since_ms, found.unlabelled, found.ended_ms) == (300, 0, 400)


def test_another_conversation_s_work_is_not_seen(cast, turns):
    put(cast, turns, 100)
    other = conversation_create(cast.owner, model_name="scripted")

    assert rereading(conversation_for(cast.alice, other.id)) is None
