"""Where in the order of the log broken attempts stand; a page costs the same at any length."""

import pytest

from chatapp.models import Attempt, Turn
from chatapp.selectors.raw_messages import raw_messages, raw_page
from chatapp.services.commits import Broken, Measured, attempt_fail, turn_commit, turn_fail
from chatapp.services.turns import turn_retry
from tests.support.people import MODEL, accept, answered, new_process, prepare, say

pytestmark = pytest.mark.django_db

NOTHING = Measured(None, None, None, None, "estimated")


@pytest.fixture
def process(cast):
    return new_process()


def broken(text):
    return Broken("network", "", text, NOTHING)


def told(access):
    return [(one.state, one.text) for one in raw_messages(access) if one.role != "system"]


def test_an_attempt_that_another_followed_at_once_stands_before_the_answer(cast, process):
    turn_id = accept(cast.access, "Question", process).turn_id
    first = prepare(turn_id, process).attempt_id
    assert attempt_fail(turn_id, first, broken("It be"), owner=process, model=MODEL)
    second = prepare(turn_id, process).attempt_id
    turn_commit(turn_id, second, answered("It began."), owner=process, model=MODEL)

    assert told(cast.access) == [
        ("whole", "Question"),
        ("broken_off", "It be"),
        ("whole", "It began."),
    ]
    found = {one.text: one for one in raw_messages(cast.access)}
    assert found["It be"].seq == Turn.objects.get().committed_seq
    assert (found["It be"].reason, found["It be"].id) == ("network", first)


def test_an_attempt_that_failed_stands_where_it_failed(cast, process):
    turn_id = accept(cast.access, "Question", process).turn_id
    first = prepare(turn_id, process).attempt_id
    turn_fail(turn_id, first, broken("It be"), owner=process, model=MODEL)
    turn_retry(cast.access, turn_id, owner=process, model_name=MODEL.name)
    second = prepare(turn_id, process).attempt_id
    # The clock of a test may not have moved on: the first end after it is the one that counts.
    turn_commit(turn_id, second, answered("It began."), owner=process, model=MODEL)

    seqs = {one.text: one.seq for one in raw_messages(cast.access)}
    assert seqs["Question"] < seqs["It be"] < seqs["It began."]
    for size in (1, 2, 3):
        page, texts = raw_page(cast.access, size=size), []
        while True:
            texts += [one.text for one in page.messages if one.role != "system"]
            if page.next_after is None:
                break
            page = raw_page(cast.access, page.next_after, size=size)
        assert texts == ["Question", "It be", "It began."]


def test_an_attempt_that_wrote_nothing_is_not_shown(cast, process):
    turn_id = accept(cast.access, "Question", process).turn_id
    attempt_id = prepare(turn_id, process).attempt_id
    turn_fail(turn_id, attempt_id, broken(""), owner=process, model=MODEL)
    assert Attempt.objects.count() == 1
    assert told(cast.access) == [("whole", "Question")]


def test_a_page_costs_the_same_however_much_was_said(cast, process, django_assert_max_num_queries):
    for number in range(3):
        say(cast.access, f"Question {number}", "Answer.", process)
    with django_assert_max_num_queries(4):
        raw_page(cast.access)
    for number in range(6):
        say(cast.access, f"Question {number}", "Answer.", process)
    with django_assert_max_num_queries(4):
        raw_page(cast.access)
