"""The machine makes legal moves only, and says which rule forbids another."""

import pytest

from statecore.memory.ledger import Span
from statecore.workflow.documents import definition_of
from statecore.workflow.machine import (
    GivenValue,
    HeldValue,
    IllegalMove,
    WorkflowState,
    advance,
    is_over,
    legal_moves,
    moves,
    retried,
    start,
)
from tests.statecore.workflow_builders import SMALL, changed, given

LEND = definition_of(SMALL)
CRITICAL = definition_of(
    changed("moves", 0, "mode", to="propose")
    | {"moves": [SMALL["moves"][0] | {"mode": "propose", "critical": True}, SMALL["moves"][1]]}
)


def test_it_begins_in_the_first_state_and_holds_nothing():
    assert start(LEND) == WorkflowState("lend", 3, "ask")
    assert not is_over(LEND, start(LEND))


def test_it_lists_the_moves_with_what_they_need():
    lend, again = moves(LEND, start(LEND))

    assert (lend.name, lend.target, lend.is_legal) == ("lend", "lent", True)
    assert lend.needs == ("title", "pages")
    assert (again.name, again.needs, again.broken_rules) == ("ask_again", (), ())


def test_a_move_that_is_not_legal_says_why():
    held = (HeldValue("pages", "501", critical=False),)
    state = WorkflowState("lend", 3, "ask", held, retry_count=1)

    lend, again = moves(LEND, state)

    assert lend.broken_rules == ("Thick books stay.",)
    assert again.broken_rules == ("ask has been asked again 1 times, which is the limit",)
    assert legal_moves(LEND, state) == ()


def test_values_keep_their_exact_text_and_where_it_was_said():
    title = GivenValue("title", " Le «Grand»  Meaulnes ", Span("m7", 3, 25))

    after = advance(LEND, start(LEND), "lend", [title, *given(pages="500")], confirmed=False)

    assert after.step == "lent"
    assert is_over(LEND, after)
    assert after.values == (
        HeldValue("pages", "500", critical=False),
        HeldValue("title", " Le «Grand»  Meaulnes ", critical=True, source=Span("m7", 3, 25)),
    )
    assert [held.key for held in after.critical()] == ["title"]


def test_the_given_state_stays_as_it_was():
    state = start(LEND)

    advance(LEND, state, "ask_again", confirmed=False)

    assert state == start(LEND)


@pytest.mark.parametrize(
    ("move", "values", "rule"),
    [
        ("lend", {"title": "Emma", "pages": "501"}, "Thick books stay."),
        ("lend", {"title": "Emma"}, "pages is not known yet"),
        ("lend", {"pages": "20"}, "title is not known yet"),
        ("lend", {"title": "Emma", "pages": "many"}, "pages must be a number such as 79.90"),
        ("lend", {"author": "Austen"}, "it brings no value for author"),
        ("ask_again", {"title": "Emma"}, "it brings no value for title"),
        ("burn", {}, "from here lead only lend, ask_again"),
    ],
)
def test_an_illegal_move_names_the_place_and_the_rule(move, values, rule):
    with pytest.raises(IllegalMove) as raised:
        advance(LEND, start(LEND), move, given(**values), confirmed=True)

    assert str(raised.value).startswith(f"lend, ask → {move}: {rule}")
    assert (raised.value.step, raised.value.move) == ("ask", move)
    assert raised.value.rule.startswith(rule)


def test_a_critical_move_needs_the_yes_of_the_user():
    values = given(title="Emma", pages="20")

    with pytest.raises(IllegalMove, match="the user has to confirm it first"):
        advance(CRITICAL, start(CRITICAL), "lend", values, confirmed=False)

    assert advance(CRITICAL, start(CRITICAL), "lend", values, confirmed=True).step == "lent"


def test_a_yes_does_not_stand_in_for_a_rule():
    with pytest.raises(IllegalMove, match="Thick books stay"):
        advance(CRITICAL, start(CRITICAL), "lend", given(title="Emma", pages="900"), confirmed=True)


def test_nothing_leads_out_of_an_end():
    state = WorkflowState("lend", 3, "lent")

    assert moves(LEND, state) == ()
    with pytest.raises(IllegalMove, match="the workflow has ended here"):
        advance(LEND, state, "lend", confirmed=True)


def test_asking_again_counts_up_to_the_limit_of_the_step():
    once = retried(LEND, start(LEND))

    assert once.retry_count == 1
    with pytest.raises(IllegalMove, match="lend, ask → again: ask has been asked again 1 times"):
        retried(LEND, once)
    with pytest.raises(IllegalMove, match="which is the limit"):
        advance(LEND, once, "ask_again", confirmed=False)


def test_staying_counts_as_asking_again_and_leaving_starts_anew():
    stayed = advance(LEND, start(LEND), "ask_again", confirmed=False)
    left = advance(LEND, stayed, "lend", given(title="Emma", pages="20"), confirmed=False)

    assert (stayed.step, stayed.retry_count) == ("ask", 1)
    assert (left.step, left.retry_count) == ("lent", 0)


def test_a_step_without_a_limit_may_be_asked_as_often_as_needed():
    free = definition_of(changed("states", 0, to={"name": "ask"}))
    state = start(free)

    for _ in range(20):
        state = retried(free, state)

    assert state.retry_count == 20


def test_a_later_value_takes_the_place_of_an_earlier_one():
    values = [*given(title="Emma", pages="20"), GivenValue("title", "Persuasion")]

    after = advance(LEND, start(LEND), "lend", values, confirmed=False)

    assert {held.key: held.value for held in after.values}["title"] == "Persuasion"


@pytest.mark.parametrize(
    ("state", "rule"),
    [
        (WorkflowState("other", 3, "ask"), "this is version 3, not lend 3"),
        (WorkflowState("lend", 2, "ask"), "this is version 2, not lend 3"),
        (WorkflowState("lend", 3, "away"), "there is no state 'away'"),
    ],
)
def test_a_state_of_something_else_is_refused(state, rule):
    with pytest.raises(IllegalMove, match=rule):
        moves(LEND, state)


def test_a_held_value_that_the_definition_does_not_know_changes_nothing():
    state = WorkflowState("lend", 3, "ask", (HeldValue("old", "x", critical=True),))

    assert moves(LEND, state) == moves(LEND, start(LEND))
    assert advance(LEND, state, "ask_again", confirmed=False).values == state.values
