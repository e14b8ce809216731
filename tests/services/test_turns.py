"""A turn is accepted once, whole, and only on the head it was typed on."""

import pytest

from chatapp.access import conversation_for, owner_of
from chatapp.models import Message, Outbox, TokenCount, Transition, Turn
from chatapp.services.commits import Broken, Measured, turn_commit, turn_fail, turn_interrupt
from chatapp.services.conversations import conversation_create
from chatapp.services.outcomes import Accepted, MovedOn
from chatapp.services.turns import turn_accept, turn_retry, turn_stop
from chatapp.store import attempts, conversations, paths
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

pytestmark = pytest.mark.django_db

NOTHING = Measured(None, None, None, None, "estimated")


def test_accepting_reserves_the_head_and_stores_the_input(cast):
    process = new_process()

    turn_id = accept(cast.access, "Hello there", process).turn_id

    turn = Turn.objects.get(pk=turn_id)
    branch = branch_of(cast.access)
    assert (turn.status, turn.depth, branch.active_turn, branch.version) == (
        "running",
        1,
        turn_id,
        1,
    )
    assert paths.message_by_id(turn.input_message_id, cast.owner.keys).text == "Hello there"
    assert TokenCount.objects.get(message_id=turn.input_message_id).tokenizer == "o200k_base"


def test_the_same_key_gives_the_same_turn_and_one_message(cast):
    process = new_process()
    first = turn_accept(cast.access, typed(cast.access, "Hi", "key-12345"), owner=process)
    again = turn_accept(cast.access, typed(cast.access, "Hi", "key-12345"), owner=process)

    assert isinstance(first, Accepted)
    assert again == Accepted(first.turn_id, duplicate=True, branch_id=first.branch_id)
    assert Message.objects.filter(role="user").count() == 1


def test_a_post_typed_on_an_older_head_is_refused(cast):
    process = new_process()
    stale = typed(cast.access, "blue")
    accept(cast.access, "red", process)

    assert turn_accept(cast.access, stale, owner=process) == MovedOn()


def test_a_foreign_branch_is_refused(cast):
    process = new_process()
    stranger = owner_of(cast.mallory)
    other = conversation_create(stranger, model_name=MODEL.name)
    theirs = conversation_for(cast.mallory, other.id)

    assert turn_accept(cast.access, typed(theirs, "Hi"), owner=process) == MovedOn()
    assert branch_of(theirs).active_turn is None


def test_a_commit_moves_the_tip_and_frees_the_head(cast):
    turn_id = say(cast.access, "One river?", "The Volga.", new_process())

    turn = Turn.objects.get(pk=turn_id)
    branch = branch_of(cast.access)
    assert (branch.tip_id, branch.active_turn) == (turn_id, None)
    assert (turn.status, turn.finish, turn.sum_messages) == ("committed", "complete", 2)
    assert len(bytes(turn.path_hash)) == 32
    assert Outbox.objects.filter(turn=turn, kind="token_counts", done_ms=None).count() == 1


def test_running_sums_grow_along_the_path(cast):
    process = new_process()
    say(cast.access, "one", "two", process)
    turn = Turn.objects.get(pk=say(cast.access, "three", "four", process))

    assert (turn.depth, turn.sum_messages) == (2, 4)
    assert turn.sum_reference_tokens == turn.parent.sum_reference_tokens + 2


def test_a_fenced_owner_commits_nothing(cast):
    process, other = new_process(), new_process()
    turn_id = accept(cast.access, "Hi", process).turn_id
    prepared = prepare(turn_id, process)
    turn_interrupt(turn_id, owner=process)

    done = turn_commit(turn_id, prepared.attempt_id, answered("late"), owner=process, model=MODEL)

    assert not done
    assert not turn_commit(turn_id, prepared.attempt_id, answered("x"), owner=other, model=MODEL)
    assert not Message.objects.filter(role="assistant").exists()


def test_a_failed_turn_frees_the_head_and_keeps_what_was_streamed(cast):
    process = new_process()
    turn_id = accept(cast.access, "Hi", process).turn_id
    prepared = prepare(turn_id, process)

    turn_fail(
        turn_id,
        prepared.attempt_id,
        Broken("network", "cut", "The first", NOTHING),
        owner=process,
        model=MODEL,
    )

    turn = Turn.objects.get(pk=turn_id)
    attempt = turn.attempts.get()
    branch = branch_of(cast.access)
    assert (turn.status, turn.reason, branch.tip_id, branch.active_turn) == (
        "failed",
        "network",
        None,
        None,
    )
    assert attempts.output_of(attempt, cast.owner.keys) == "The first"
    assert b"The first" not in bytes(attempt.output)


def test_retry_keeps_the_turn_id_and_adds_an_attempt(cast):
    process = new_process()
    turn_id = accept(cast.access, "Hi", process).turn_id
    prepare(turn_id, process)
    turn_interrupt(turn_id, owner=process)

    again = turn_retry(cast.access, turn_id, owner=process, model_name=MODEL.name)
    prepare(turn_id, process)

    assert again == Accepted(turn_id)
    assert [a.ordinal for a in Turn.objects.get(pk=turn_id).attempts.order_by("ordinal")] == [1, 2]


def test_retry_is_refused_once_something_else_was_committed(cast):
    process = new_process()
    broken = accept(cast.access, "Hi", process).turn_id
    turn_interrupt(broken, owner=process)
    say(cast.access, "Hello?", "Yes.", process)

    assert turn_retry(cast.access, broken, owner=process, model_name=MODEL.name) == MovedOn()
    assert Turn.objects.get(pk=broken).status == "interrupted"


def test_retry_of_a_committed_turn_changes_nothing(cast):
    process = new_process()
    done = say(cast.access, "Hi", "Hello.", process)
    before = branch_of(cast.access).version

    assert turn_retry(cast.access, done, owner=process, model_name=MODEL.name) == MovedOn()
    assert branch_of(cast.access).version == before


def test_stop_flags_only_a_running_turn_of_the_conversation(cast):
    process = new_process()
    turn_id = accept(cast.access, "Hi", process).turn_id

    assert turn_stop(cast.access, turn_id) == process
    turn_interrupt(turn_id, owner=process)
    assert turn_stop(cast.access, turn_id) is None


def test_every_change_is_one_transition_without_gaps(cast):
    process = new_process()
    say(cast.access, "one", "two", process)
    turn_id = accept(cast.access, "three", process).turn_id
    turn_interrupt(turn_id, owner=process)

    rows = Transition.objects.order_by("seq").values_list("seq", "kind")
    assert list(rows) == [
        (1, "conversation_created"),
        (2, "turn_accepted"),
        (3, "turn_committed"),
        (4, "turn_accepted"),
        (5, "turn_interrupted"),
    ]


def test_the_first_message_names_the_conversation(cast):
    accept(cast.access, "Plan a trip\nto Kazan", new_process())

    cast.access.conversation.refresh_from_db()
    title = conversations.title_of(cast.access.conversation, cast.owner.keys)
    assert title == "Plan a trip"
