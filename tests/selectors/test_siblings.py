"""What stands beside a turn: other inputs, other answers, on whatever branch."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from chatapp.selectors.conversations import conversation_page, older_turns
from chatapp.selectors.siblings import ALONE, siblings_of
from chatapp.services.commits import turn_interrupt
from chatapp.services.turns import turn_accept, turn_regenerate
from tests.support.people import MODEL, new_process
from tests.support.versions import answer, draft, edit, fork, on, regenerate, talk

pytestmark = pytest.mark.django_db


def beside(access, turn):
    return siblings_of(access, [turn])[turn.id]


def test_a_turn_alone_has_nothing_beside_it(cast):
    turn = talk(cast.access, "First", new_process())

    assert beside(cast.access, turn) == ALONE


def test_edits_are_versions_of_the_input_in_the_order_in_which_they_were_said(cast):
    process = new_process()
    talk(cast.access, "Zero", process)
    first = talk(cast.access, "First", process)
    second = edit(cast.access, first, "Second", process)
    third = edit(cast.access, first, "Third", process)

    steps = [beside(cast.access, turn).inputs for turn in (first, second, third)]

    assert [(step.number, step.count) for step in steps] == [(1, 3), (2, 3), (3, 3)]
    assert [step.previous for step in steps] == [None, first.id, second.id]
    assert [step.next for step in steps] == [second.id, third.id, None]
    assert beside(cast.access, second).answers is None


def test_regenerated_answers_are_versions_of_the_answer_and_not_of_the_input(cast):
    process = new_process()
    first = talk(cast.access, "First", process)
    second = regenerate(cast.access, first, "Otherwise", process)

    step = beside(cast.access, second)

    assert step.inputs is None
    assert (step.answers.number, step.answers.count, step.answers.previous) == (2, 2, first.id)


def test_of_an_input_with_several_answers_the_newest_stands_for_it(cast):
    process = new_process()
    first = talk(cast.access, "First", process)
    again = regenerate(cast.access, first, "Otherwise", process)
    other = edit(cast.access, first, "Second", process)

    assert beside(cast.access, other).inputs.previous == again.id
    assert beside(cast.access, first).inputs.next == other.id


def test_what_broke_off_counts_on_its_own_line_only(cast):
    process = new_process()
    first = talk(cast.access, "First", process)
    accepted = turn_regenerate(
        cast.access, first.id, key="k" * 12, model_name=MODEL.name, owner=process
    )
    running = beside(cast.access, first).answers
    assert (running.number, running.count) == (1, 2)

    turn_interrupt(accepted.turn_id, owner=process)

    assert beside(cast.access, first) == ALONE
    page = conversation_page(cast.access)
    (broken,) = page.turns
    assert (broken.id, broken.seen) == (accepted.turn_id, True)
    assert (broken.siblings.answers.number, broken.siblings.answers.previous) == (2, first.id)


def test_other_conversations_and_other_parents_stand_beside_nothing(cast):
    process = new_process()
    first = talk(cast.access, "First", process)
    second = talk(cast.access, "Second", process)

    found = siblings_of(cast.access, [first, second])

    assert found == {first.id: ALONE, second.id: ALONE}


def counted(read):
    with CaptureQueriesContext(connection) as queries:
        read()
    return len(queries)


def test_siblings_and_names_of_lines_cost_a_page_as_many_queries_however_many_there_are(cast):
    process = new_process()
    main = on(cast.access, fork(cast.access, talk(cast.access, "Zero", process), "Way"))
    turns = [talk(main, f"Turn {number}", process) for number in range(4)]
    branch = edit(main, turns[3], "Other", process).branch_id
    few = counted(lambda: conversation_page(on(cast.access, branch)))
    older = counted(lambda: older_turns(main, turns[3].id))

    for turn in turns:
        for number in range(3):
            edit(main, turn, f"Version {number} of {turn.depth}", process)
            regenerate(main, turn, f"Answer {number}", process)

    assert counted(lambda: conversation_page(on(cast.access, branch))) == few
    assert counted(lambda: older_turns(main, turns[3].id)) == older


def test_an_answer_that_is_written_elsewhere_is_not_on_the_page(cast):
    process = new_process()
    first = talk(cast.access, "First", process)
    main = on(cast.access, first.branch_id)
    key = "k" * 12
    accepted = turn_regenerate(cast.access, first.id, key=key, model_name=MODEL.name, owner=process)

    assert [row.id for row in conversation_page(main).turns] == [first.id]
    assert [row.id for row in conversation_page(cast.access).turns] == [accepted.turn_id]
    answer(accepted, "Otherwise", process)
    assert [row.id for row in conversation_page(main).turns] == [first.id]


def test_what_broke_off_is_shown_where_its_line_went_on_and_nowhere_else(cast):
    process = new_process()
    first = talk(cast.access, "First", process)
    main = on(cast.access, first.branch_id)
    broken = broken_off(main, "Lost", process)
    second = talk(main, "Second", process)
    side = on(cast.access, fork(main, first, "Side"))
    talk(side, "Elsewhere", process)
    beyond = on(cast.access, fork(main, second, "Beyond"))

    def inputs(access):
        return [row.input_text for row in conversation_page(access).turns]

    assert inputs(main) == ["First", "Lost", "Second"]
    assert inputs(side) == ["First", "Elsewhere"]
    assert inputs(beyond) == ["First", "Lost", "Second"]
    rows = {row.id: row for row in conversation_page(beyond).turns}
    assert not rows[broken].seen


def broken_off(access, text, process):
    accepted = turn_accept(access, draft(access, text), owner=process)
    turn_interrupt(accepted.turn_id, owner=process)
    return accepted.turn_id
