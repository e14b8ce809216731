"""One turn with its texts and attempts, as presenters get it."""

from dataclasses import replace
from decimal import Decimal

import pytest

from chatapp.access import conversation_for, owner_of
from chatapp.selectors.turns import (
    running_turns,
    turn_model,
    turn_owner,
    turn_partial,
    turn_row,
    turn_rows,
)
from chatapp.services.commits import Broken, Measured, turn_commit, turn_fail, turn_interrupt
from chatapp.services.conversations import conversation_create
from chatapp.services.turns import turn_retry
from chatapp.store import partials
from statecore.models import ModelPrices
from tests.support.people import MODEL, accept, answered, branch_of, new_process, prepare, say

pytestmark = pytest.mark.django_db

NOTHING = Measured(None, None, None, None, "estimated")


@pytest.fixture
def theirs(cast):
    """A stranger's conversation."""
    stranger = conversation_create(owner_of(cast.mallory), model_name="")
    return conversation_for(cast.mallory, stranger.id)


def test_an_answered_turn_has_its_texts_and_figures(cast):
    process = new_process()
    turn_id = accept(cast.access, "Name one river.", process).turn_id
    attempt_id = prepare(turn_id, process).attempt_id
    priced = replace(MODEL, prices=ModelPrices(input_usd=1.0, output_usd=2.0))
    answer = answered("The Volga.")
    turn_commit(turn_id, attempt_id, answer, owner=process, model=priced)

    row = turn_row(cast.access, turn_id)

    assert (row.status, row.finish, row.depth, row.parent_id) == ("committed", "complete", 1, None)
    assert (row.input_text, row.answer_text, row.partial_text) == (
        "Name one river.",
        "The Volga.",
        None,
    )
    (attempt,) = row.attempts
    assert (attempt.id, attempt.ordinal, attempt.status) == (attempt_id, 1, "succeeded")
    assert (attempt.prompt_tokens, attempt.completion_tokens) == (40, 7)
    assert attempt.cost_usd == Decimal("0.000054")
    assert attempt.window_tokens == MODEL.window_tokens
    assert 0 < attempt.rho_sent < 1
    assert (attempt.output_text, attempt.detail, attempt.dropped_turns) == (None, None, 0)


def test_a_running_turn_has_the_partial_text_so_far(cast):
    process = new_process()
    turn_id = accept(cast.access, "Hi", process).turn_id
    attempt_id = prepare(turn_id, process).attempt_id
    partials.append([partials.Partial(attempt_id, 1, 3, "Half of", cast.owner.keys)])

    row = turn_row(cast.access, turn_id)

    assert (row.status, row.answer_text, row.partial_text) == ("running", None, "Half of")
    assert turn_partial(cast.access, turn_id) == (str(attempt_id), "Half of", 3)


def test_a_broken_turn_shows_the_text_of_its_newest_attempt(cast):
    process = new_process()
    turn_id = accept(cast.access, "Hi", process).turn_id
    first = prepare(turn_id, process).attempt_id
    turn_fail(
        turn_id, first, Broken("network", "reset", "first try", NOTHING), owner=process, model=MODEL
    )
    failed = turn_row(cast.access, turn_id)
    turn_retry(cast.access, turn_id, owner=process, model_name=MODEL.name)
    retried = turn_row(cast.access, turn_id)
    prepare(turn_id, process)
    turn_interrupt(turn_id, owner=process)

    row = turn_row(cast.access, turn_id)

    assert (retried.status, retried.partial_text) == ("running", None)
    assert (failed.status, failed.reason, failed.partial_text) == ("failed", "network", "first try")
    assert failed.attempts[0].detail == "reset"
    assert [attempt.ordinal for attempt in row.attempts] == [1, 2]
    assert row.attempts[0].output_text == "first try"


def test_what_broke_off_was_seen_until_something_else_was_committed(cast):
    process = new_process()
    broken = accept(cast.access, "Hi", process).turn_id
    turn_interrupt(broken, owner=process)

    assert turn_row(cast.access, broken).seen
    answered_turn = say(cast.access, "Hello?", "Yes.", process)
    assert not turn_row(cast.access, broken).seen
    assert turn_row(cast.access, answered_turn).seen


def test_a_turn_of_another_conversation_is_none(cast, theirs):
    turn_id = say(cast.access, "A secret?", "Yes.", new_process())

    assert turn_row(theirs, turn_id) is None
    assert turn_rows(theirs, [turn_id], tip=turn_id) == ()
    assert turn_owner(theirs, turn_id) is None
    assert turn_partial(theirs, turn_id) == ("", "", 0)
    assert turn_model(theirs, turn_id) == ""
    assert running_turns(theirs) == []


def test_turns_come_in_the_order_in_which_they_were_accepted(cast):
    process = new_process()
    ids = [say(cast.access, text, "yes", process) for text in ("one", "two", "three")]

    rows = turn_rows(cast.access, ids[::-1], tip=branch_of(cast.access).tip_id)

    assert [row.id for row in rows] == ids


def test_many_turns_cost_as_many_queries_as_one(cast, django_assert_max_num_queries):
    process = new_process()
    ids = [say(cast.access, text, "yes", process) for text in ("one", "two", "three")]

    with django_assert_max_num_queries(4):
        turn_rows(cast.access, ids, tip=ids[-1])


def test_the_owner_of_a_turn_is_known_while_it_runs(cast):
    process = new_process()
    turn_id = accept(cast.access, "Hi", process).turn_id

    assert turn_owner(cast.access, turn_id) == process
    assert running_turns(cast.access) == [(turn_id, process)]
    turn_interrupt(turn_id, owner=process)
    assert turn_owner(cast.access, turn_id) is None
    assert running_turns(cast.access) == []


def test_a_turn_names_the_model_that_it_was_last_asked_of(cast):
    process = new_process()
    turn_id = accept(cast.access, "Hi", process).turn_id
    turn_interrupt(turn_id, owner=process)
    turn_retry(cast.access, turn_id, owner=process, model_name="second")

    assert turn_model(cast.access, turn_id) == "second"
