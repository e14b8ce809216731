"""What the panel and the header read of branches."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from chatapp.access import conversation_for, owner_of
from chatapp.selectors.branches import (
    branch_count,
    branch_list,
    every_branch,
    fork_limit_reached,
    line_at,
    selected_branch,
    shown_branch,
    shown_line,
)
from chatapp.selectors.conversations import conversation_page
from chatapp.selectors.inspector import looked_at
from chatapp.selectors.turns import running_turns
from chatapp.services.branching import branch_archive, branch_name, branch_roll_back, branch_select
from chatapp.services.conversations import conversation_create
from chatapp.services.turns import turn_accept
from tests.support.people import branch_of, new_process
from tests.support.versions import draft, edit, fork, on, talk

pytestmark = pytest.mark.django_db


@pytest.fixture
def process():
    return new_process()


def labels(rows):
    return [row.line.name or f"{row.line.origin} {row.line.number}" for row in rows]


def test_a_conversation_begins_with_its_main_line(cast):
    found = branch_list(cast.access)

    (row,) = found.rows
    assert (row.line.is_main, row.is_current, row.left_after, row.turns) == (True, True, None, 0)
    assert (found.open_count, found.archived_count, found.more) == (1, 0, 0)
    assert selected_branch(cast.access) is None
    assert shown_line(cast.access) == row.line


def test_a_branch_says_where_it_left_and_how_far_it_goes(cast, process):
    first = talk(cast.access, "First", process)
    second = talk(cast.access, "Второй", process)
    talk(cast.access, "Third", process)
    side = fork(cast.access, second, "Side")
    talk(cast.access, "On the side", process)

    main, row = branch_list(cast.access).rows

    assert (row.id, row.is_current, main.is_current) == (side, True, False)
    assert (row.left_after.depth, row.left_after.text) == (2, "Второй")
    assert (row.turns, row.depth, main.turns) == (1, 3, 3)
    assert row.left_branch == first.branch_id


def test_the_main_line_comes_first_then_what_is_looked_at_then_what_was_used_last(cast, process):
    first = talk(cast.access, "First", process)
    ids = {name: fork(on(cast.access, first.branch_id), first, name) for name in ("A", "B", "C")}
    talk(on(cast.access, ids["B"]), "Later", process)

    rows = branch_list(on(cast.access, ids["A"])).rows

    assert labels(rows) == ["main 0", "A", "B", "C"]


def test_alternatives_are_numbered_as_they_were_made_and_keep_their_number(cast, process):
    first = talk(cast.access, "First", process)
    one = edit(cast.access, first, "One", process)
    fork(cast.access, one, "Named fork")
    two = edit(on(cast.access, first.branch_id), first, "Two", process)
    assert labels(every_branch(cast.access)) == ["main 0", "edit 1", "Named fork", "edit 2"]

    branch_name(cast.access, one.branch_id, "其他")

    assert labels(every_branch(cast.access)) == ["main 0", "其他", "Named fork", "edit 2"]
    assert line_at(cast.access, two.branch_id).number == 2


def test_archived_branches_are_shown_when_asked_for(cast, process):
    first = talk(cast.access, "First", process)
    side = fork(cast.access, first, "Side")
    branch_select(cast.access, first.branch_id)
    branch_archive(cast.access, side, archived=True)

    found = branch_list(cast.access)

    assert (labels(found.rows), found.archived_count) == (["main 0"], 1)
    assert labels(branch_list(cast.access, with_archived=True).rows) == ["main 0", "Side"]
    assert branch_count(cast.access) == 1
    assert [row.is_archived for row in every_branch(cast.access)] == [False, True]


def test_a_hundred_branches_come_in_pages_of_as_many_queries(cast, process):
    first = talk(cast.access, "First", process)
    main = on(cast.access, first.branch_id)
    counts = []
    for many in (30, 70):
        for number in range(many):
            fork(main, first, f"Way {number}")
        with CaptureQueriesContext(connection) as queries:
            found = branch_list(main)
        counts.append(len(queries))

    assert counts[0] == counts[1]
    assert (len(found.rows), found.more) == (20, 81)
    assert len(branch_list(main, shown=200).rows) == 101


def test_how_deep_named_branches_are_nested_is_known_before_one_more_is_tried(
    cast, process, settings
):
    settings.GLASSBOX_NAMED_FORK_DEPTH = 2
    first = talk(cast.access, "First", process)
    assert conversation_page(cast.access).fork_limit is None

    fork(cast.access, first, "One")
    edit(cast.access, first, "Unnamed ones do not count", process)
    assert conversation_page(cast.access).fork_limit is None
    fork(cast.access, first, "Two")

    assert conversation_page(cast.access).fork_limit == 2
    assert fork_limit_reached(shown_branch(cast.access)) == 2
    assert fork_limit_reached(branch_of(cast.access)) is None


def test_a_page_says_what_a_rollback_has_left_behind(cast, process):
    turns = [talk(cast.access, text, process) for text in ("First", "Second", "Third")]
    assert conversation_page(cast.access).rolled_back is None

    branch_roll_back(cast.access, turns[0].id)

    page = conversation_page(cast.access)
    assert (page.rolled_back.depth, page.rolled_back.kept, page.tip_id) == (1, 2, turns[0].id)


def test_the_inspector_looks_at_the_newest_turn_of_the_branch(cast, process):
    first = talk(cast.access, "First", process)
    second = talk(cast.access, "Second", process)
    other = edit(cast.access, second, "Other", process)
    main = on(cast.access, first.branch_id)

    assert looked_at(main).turn.id == second.id
    assert looked_at(cast.access).turn.id == other.id
    assert looked_at(main, other.id).is_newest is False
    branch_roll_back(main, first.id)
    assert looked_at(main).turn.id == first.id


def test_only_the_running_turn_of_the_branch_is_running_there(cast, process):
    first = talk(cast.access, "First", process)
    main, side = on(cast.access, first.branch_id), on(cast.access, fork(cast.access, first, "Side"))
    accepted = turn_accept(side, draft(side, "Elsewhere"), owner=process)

    assert running_turns(main) == []
    assert running_turns(side) == [(accepted.turn_id, process)]
    assert [row.is_running for row in branch_list(main).rows] == [False, True]


def test_a_stranger_reads_no_name_of_a_branch(cast, process):
    side = fork(cast.access, talk(cast.access, "First", process), "Secret name")
    theirs = conversation_for(
        cast.mallory, conversation_create(owner_of(cast.mallory), model_name="").id
    )

    assert line_at(theirs, side) is None
    assert labels(every_branch(theirs)) == ["main 0"]
