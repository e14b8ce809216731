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
from tests.support.remembering import learn, remembered

pytestmark = pytest.mark.django_db

NARROW = replace(MODEL, window_tokens=1_000, reply_reserve_tokens=100)
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


def test_an_attempt_tells_its_tier_and_that_of_the_turn_before(cast):
    process = new_process()
    first = say(cast.access, "Name one river.", "The Volga.", process)
    for number in range(9):
        words = f"Tell me of day {number}. " + "river " * 40
        last = say(cast.access, words, "water " * 40, process)
    turn_id = accept(cast.access, "And now?", process).turn_id
    prepare(turn_id, process, NARROW)

    (one,) = turn_row(cast.access, first).attempts
    (before,) = turn_row(cast.access, last).attempts
    (attempt,) = turn_row(cast.access, turn_id).attempts

    assert (one.tier, one.tier_before, one.tokens_before) == (0, None, None)
    assert (one.verbatim_depth, one.window_start_depth) == (1, 1)
    assert (before.tier, before.raw_tier, before.policy, before.strategy) == (
        0,
        0,
        "rolling",
        "elastic",
    )
    assert (attempt.tier_before, attempt.tokens_before) == (0, before.planned_tokens)
    assert attempt.tier == 2
    assert attempt.raw_tier == 3
    assert attempt.window_start_depth == attempt.verbatim_depth > 1
    assert [tier for tier, _ in attempt.tried] == [0, 2]
    assert attempt.planned_tokens == attempt.prompt_tokens
    assert attempt.planned_quality == "exact"


def test_a_report_of_the_provider_leaves_the_planned_figure(cast):
    turn_id = say(cast.access, "Name one river.", "The Volga.", new_process())

    (attempt,) = turn_row(cast.access, turn_id).attempts

    assert (attempt.prompt_tokens, attempt.prompt_quality) == (40, "reported")
    assert attempt.planned_tokens not in {None, 40}
    assert attempt.planned_quality == "exact"


def test_what_is_not_sent_is_told_by_its_entry(cast):
    process = new_process()
    # More than what comes first may ever take of the window.
    for number in range(24):
        rule = f"Always keep seat {100 + number} free for me, my aunt, my bags and my umbrella. "
        learn(cast.access, say(cast.access, rule, "water " * 60, process), "rule")
    turn_id = accept(cast.access, "Which seats?", process).turn_id
    prepare(turn_id, process, NARROW)

    (attempt,) = turn_row(cast.access, turn_id).attempts

    known = {entry.id: entry for entry in remembered(cast.access).entries}
    assert attempt.missing
    assert all(row["entry_id"] in known and row["is_active"] for row in attempt.missing)
    told = {row["id"] for row in attempt.selected}
    assert told.isdisjoint(row["entry_id"] for row in attempt.missing)
    where = [row for row in attempt.selected if row["group"] == "rule"]
    assert all(row["start"] < row["end"] for row in where)


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

    with django_assert_max_num_queries(5):
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
