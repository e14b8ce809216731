"""Which branch is looked at, which time it is there, and what lies on its path."""

from dataclasses import replace

import pytest

from chatapp.models import Branch, Selection, Turn
from chatapp.services.branching import branch_fork, branch_roll_back
from chatapp.store import conversations
from chatapp.store.branches import (
    branches_after,
    clock_of,
    committed_branch_ms,
    deepest_named,
    viewed_branch,
)
from tests.support.people import branch_of, new_process, say

pytestmark = pytest.mark.django_db


@pytest.fixture
def said(cast):
    process = new_process()
    return [say(cast.access, text, "Yes.", process) for text in ("one", "two", "three")]


def forked(access, turn_id) -> Branch:
    return Branch.objects.get(pk=branch_fork(access, turn_id, "Other").branch_id)


def test_the_request_comes_before_the_choice_and_the_choice_before_the_main_line(cast, said):
    main = branch_of(cast.access)
    assert viewed_branch(cast.access).id == main.id

    fork = forked(cast.access, said[0])

    assert viewed_branch(cast.access).id == fork.id
    assert viewed_branch(replace(cast.access, branch_id=main.id)).id == main.id


def test_what_somebody_else_has_chosen_moves_nobody(cast, said):
    fork = forked(cast.access, said[0])
    Selection.objects.update(user=cast.mallory)

    assert viewed_branch(cast.access).id == branch_of(cast.access).id != fork.id


def test_a_branch_is_read_with_its_tip_in_one_query(cast, said, django_assert_num_queries):
    with django_assert_num_queries(1):
        branch = viewed_branch(cast.access)
        assert branch.tip.id == said[2]
        assert branch.conversation.id == cast.access.conversation.id


def test_a_turn_ended_at_its_own_time_and_the_time_that_it_took():
    turn = Turn(accepted_ms=5_000, committed_ms=5_700, branch_ms=900)

    assert committed_branch_ms(turn, 9_000) == 1_600
    assert committed_branch_ms(None, 9_000) == 9_000


def test_only_a_clock_that_stands_is_set_going(cast):
    branch = branch_of(cast.access)
    conversations.run_clock(branch, 50, 9_000)
    assert branch_of(cast.access).clock_ms is None

    Branch.objects.update(clock_ms=40)
    conversations.run_clock(branch_of(cast.access), 50, 9_000)
    conversations.run_clock(branch_of(cast.access), 70, 9_999)

    assert clock_of(branch_of(cast.access)).at(9_010) == 60


def test_branches_go_through_a_turn_by_their_tip_or_by_what_was_rolled_back(cast, said):
    main = replace(cast.access, branch_id=branch_of(cast.access).id)
    fork = forked(main, said[1])
    branch_roll_back(main, said[0])

    def found(turn_id):
        after = branches_after(cast.access.conversation.id, turn_id)
        return {one.id: one.only_by_redo for one in after}

    assert found(said[0]) == {main.branch_id: False, fork.id: False}
    assert found(said[1]) == {main.branch_id: True, fork.id: False}
    assert found(said[2]) == {main.branch_id: True}


def test_a_name_counts_together_with_what_was_forked_below_it(cast, said):
    main = branch_of(cast.access)
    alternative = Branch.objects.create(
        conversation=cast.access.conversation,
        origin="edit",
        left_branch=main,
        created_seq=90,
        created_ms=0,
    )
    forked(replace(cast.access, branch_id=alternative.id), said[0])
    forked(cast.access, said[0])

    assert deepest_named(alternative) == 2
    assert deepest_named(main) == 2
