"""Two who act on one tree at once: one after the other, nothing twice, nothing lost."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection

from chatapp.models import Branch, Feedback, Turn
from chatapp.services.branching import branch_archive, branch_fork, branch_roll_back, branch_select
from chatapp.services.commits import turn_commit
from chatapp.services.outcomes import Accepted, Archived, Busy, Changed, Forked, MovedOn, RolledBack
from chatapp.services.turns import turn_accept, turn_edit, turn_regenerate
from chatapp.store.verification import verify_conversation
from tests.support.people import (
    MODEL,
    accept,
    answered,
    branch_of,
    new_process,
    prepare,
    say,
    typed,
)

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*acts: Callable[[], Any]) -> list[Any]:
    """Do all acts at the same time, each on a connection of its own; what came of each."""
    start = Barrier(len(acts))

    def one(act: Callable[[], Any]) -> Any:
        try:
            start.wait(timeout=30)
            return act()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return [done.result() for done in [pool.submit(one, act) for act in acts]]


def kinds_of(outcomes: Sequence[Any]) -> set[type]:
    return {type(outcome) for outcome in outcomes}


@pytest.fixture
def process(cast):
    return new_process()


@pytest.fixture
def said(cast, process):
    """Two turns on the main line."""
    return [say(cast.access, text, "Yes.", process) for text in ("one", "two")]


def is_sound(access) -> bool:
    return verify_conversation(access.conversation.id, access.keys).findings == ()


def test_of_two_posts_on_one_head_one_wins_and_the_other_has_moved_on(cast, process, said):
    posts = [typed(cast.access, text) for text in ("red", "blue")]

    outcomes = at_once(
        *(lambda post=post: turn_accept(cast.access, post, owner=process) for post in posts)
    )

    assert kinds_of(outcomes) == {Accepted, MovedOn}
    assert Turn.objects.filter(status="running").count() == 1
    assert is_sound(cast.access)


def test_an_edit_that_is_sent_twice_at_once_is_one_branch_and_one_judgement(cast, process, said):
    new = typed(cast.access, "uno")

    outcomes = at_once(*[lambda: turn_edit(cast.access, said[0], new, owner=process)] * 2)

    assert kinds_of(outcomes) == {Accepted}
    assert sorted(outcome.duplicate for outcome in outcomes) == [False, True]
    assert len({(outcome.turn_id, outcome.branch_id) for outcome in outcomes}) == 1
    assert Branch.objects.filter(origin="edit").count() == 1
    assert Feedback.objects.count() == 1
    assert is_sound(cast.access)


def test_a_rollback_and_a_post_at_once_never_both_take_the_head(cast, process, said):
    new = typed(cast.access, "three")

    rolled, posted = at_once(
        lambda: branch_roll_back(cast.access, said[0]),
        lambda: turn_accept(cast.access, new, owner=process),
    )

    assert kinds_of([rolled, posted]) in ({RolledBack, MovedOn}, {Busy, Accepted})
    branch = branch_of(cast.access)
    running = Turn.objects.filter(status="running").first()
    assert branch.active_turn == (None if running is None else running.id)
    assert running is None or running.parent_id == branch.tip_id
    assert is_sound(cast.access)


def test_an_archive_and_a_post_at_once_never_leave_an_answer_where_nobody_looks(
    cast, process, said
):
    fork = branch_fork(cast.access, said[0], "Other way")
    assert isinstance(fork, Forked)
    new = typed(cast.access, "three", "the-one-key")
    version = Branch.objects.get(pk=fork.branch_id).version
    there = type(new)("three", new.key, fork.branch_id, version, MODEL.name)

    put_away, posted = at_once(
        lambda: branch_archive(cast.access, fork.branch_id, archived=True),
        lambda: turn_accept(cast.access, there, owner=process),
    )

    assert kinds_of([put_away, posted]) in ({Changed, Archived}, {Busy, Accepted})
    assert is_sound(cast.access)


def test_a_commit_and_acts_on_the_tree_at_once_wait_for_each_other_in_turn(cast, process, said):
    turn_id = accept(cast.access, "three", process).turn_id
    prepared = prepare(turn_id, process)
    main = branch_of(cast.access).id

    done, forked, again, chosen = at_once(
        lambda: turn_commit(
            turn_id, prepared.attempt_id, answered("Yes."), owner=process, model=MODEL
        ),
        lambda: branch_fork(cast.access, said[1], "Other way"),
        lambda: turn_regenerate(
            cast.access, said[1], key="again-123", model_name=MODEL.name, owner=process
        ),
        lambda: branch_select(cast.access, main),
    )

    assert done
    assert isinstance(forked, Forked)
    assert isinstance(again, Accepted)
    assert chosen is not None
    assert branch_of(cast.access).tip_id == turn_id
    assert Branch.objects.count() == 3
    assert is_sound(cast.access)


def test_many_who_fork_and_post_at_once_leave_a_log_without_gaps(cast, process, said):
    posts = [typed(cast.access, f"post {number}") for number in range(3)]

    outcomes = at_once(
        *(lambda new=new: turn_accept(cast.access, new, owner=process) for new in posts),
        *(lambda: branch_fork(cast.access, said[0], "Other way") for _ in range(3)),
        lambda: branch_roll_back(cast.access, said[0]),
    )

    assert None not in outcomes
    assert is_sound(cast.access)
