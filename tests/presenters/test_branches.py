"""Branches in words."""

from dataclasses import replace

import pytest

from chatapp.presenters.branches import (
    limit_sentence,
    line_label,
    present_branches,
    present_branches_json,
    rolled_back_sentence,
)
from chatapp.presenters.frames import elsewhere_frame
from chatapp.presenters.turns import turn_view
from chatapp.selectors.rows import RolledBack
from tests.web import branch_samples, samples

CONVERSATION = samples.sample_id(900)


def test_a_branch_is_called_by_its_name_else_by_what_it_is():
    lines = (branch_samples.MAIN, branch_samples.FORK, branch_samples.ALTERNATIVE)

    assert [line_label(line) for line in lines] == [
        "Main line",
        "Поездка без машины",
        "Alternative 2",
    ]


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (None, ""),
        (RolledBack(4, 3), "Rolled back to turn 4. 3 turns are kept."),
        (RolledBack(1, 1), "Rolled back to turn 1. 1 turn is kept."),
    ],
)
def test_a_rollback_says_what_it_has_left_behind(found, sentence):
    assert rolled_back_sentence(found) == sentence


def test_the_limit_is_said_where_it_is_reached():
    assert limit_sentence(None) == ""
    assert limit_sentence(3) == "Named branches may be nested 3 deep here."


def test_a_line_of_the_panel_says_where_the_branch_left_and_how_long_it_is():
    main, current, fork, archived = present_branches(branch_samples.listed(), CONVERSATION)[
        "branches"
    ]

    assert (main.left, main.turns, main.can_change) == ("from the beginning", "12 turns", False)
    assert (current.left, current.is_current) == ("after turn 4: HTTP 缓存是怎么工作的?", True)
    assert (fork.turns, fork.is_running) == ("1 turn", True)
    assert (archived.label, archived.is_archived) == ("更短的回答", True)


def test_a_long_question_is_cut_and_many_branches_come_in_pages():
    left = replace(branch_samples.ROWS[1].left_after, text="word " * 100)
    rows = [branch_samples.row(left_after=left)] * 20
    shown = present_branches(
        branch_samples.listed(rows, more=80, with_archived=False), CONVERSATION
    )

    assert len(shown["branches"][0].left) < 90
    assert (shown["more"], shown["more_label"]) == ("shown=40", "Show more (80 left)")
    assert shown["archived_label"] == ""


def test_archived_branches_can_be_asked_for_and_hidden_again():
    hidden = branch_samples.listed(branch_samples.ROWS[:3], archived_count=2, with_archived=False)

    asked = present_branches(hidden, CONVERSATION)
    shown = present_branches(branch_samples.listed(), CONVERSATION)

    assert asked["archived_label"] == "Show archived branches (2)"
    assert (asked["archived_view"], shown["archived_view"]) == ("archived=on", "")
    assert shown["archived_label"] == "Hide archived branches"
    assert shown["back"] == "shown=4&archived=on"


def test_only_the_branch_that_is_named_has_a_form():
    editing = str(branch_samples.FORK.branch_id)
    rows = present_branches(branch_samples.listed(), CONVERSATION, editing=editing)["branches"]

    assert [row.is_editing for row in rows] == [False, False, True, False]


def test_branches_as_data_have_ids_and_names():
    found = present_branches_json(branch_samples.ROWS, CONVERSATION, None)

    assert found["selected"] is None
    assert [row["label"] for row in found["branches"]][1:3] == [
        "Alternative 2",
        "Поездка без машины",
    ]
    assert found["branches"][0]["left_after"] is None


def test_a_turn_says_its_line_where_it_changes_and_its_place_among_versions():
    plain, edited, regenerated = map(turn_view, branch_samples.TURNS)

    assert (plain.line, plain.inputs, plain.answers) == ("", None, None)
    assert (edited.line, edited.inputs.number, edited.inputs.count) == ("Поездка без машины", 2, 3)
    assert (regenerated.line, regenerated.answers.number) == ("Alternative 2", 2)


def test_another_version_or_name_makes_another_article():
    marks = [turn_view(turn).mark for turn in branch_samples.TURNS]
    edited = branch_samples.TURNS[1]
    renamed = replace(edited, line=replace(edited.line, name="Other"))
    more = replace(edited, siblings=replace(edited.siblings, inputs=branch_samples.step(2, 4)))

    assert len({*marks, turn_view(renamed).mark, turn_view(more).mark}) == 5


@pytest.mark.parametrize(
    ("turn", "can_edit", "can_branch"),
    [
        (samples.turn(), True, True),
        (samples.running_turn(), False, False),
        (samples.broken_turn(), True, False),
        (samples.broken_turn(seen=False), False, False),
    ],
)
def test_what_can_be_done_at_a_turn_depends_on_how_it_stands(turn, can_edit, can_branch):
    view = turn_view(turn)

    assert (view.can_edit, view.can_branch) == (can_edit, can_branch)


def test_a_notice_of_another_page_escapes_the_name():
    line = replace(branch_samples.FORK, name="<img src=x onerror=alert(1)>")

    frame = elsewhere_frame(line, CONVERSATION, "p1")

    assert "<img" not in frame["html"]
    assert (frame["kind"], frame["page"]) == ("selected", "p1")
