"""Conversations made, renamed, given another model and deleted, each with its transition."""

import pytest

from chatapp.access import conversation_for
from chatapp.models import (
    Attempt,
    Branch,
    Conversation,
    Message,
    PartialText,
    Payload,
    Transition,
    Turn,
)
from chatapp.services.commits import Broken, Measured, turn_commit, turn_fail, turn_interrupt
from chatapp.services.conversations import (
    conversation_choose_model,
    conversation_create,
    conversation_delete,
    conversation_rename,
)
from chatapp.services.transitions import ConversationGone
from chatapp.services.turns import turn_accept, turn_retry
from chatapp.store import conversations, partials, paths
from chatapp.store.payloads import open_payload
from chatapp.store.verification import verify_conversation
from chatapp.wiring import chat_template
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


def kinds(access):
    rows = Transition.objects.filter(conversation=access.conversation).order_by("seq")
    return list(rows.values_list("kind", flat=True))


def newest_payloads(access):
    rows = Payload.objects.filter(transition__conversation=access.conversation)
    newest = Transition.objects.filter(conversation=access.conversation).order_by("seq").last()
    return {row.part: open_payload(row, access.keys) for row in rows.filter(transition=newest)}


def test_a_new_conversation_has_one_empty_branch_and_its_system_prompt(cast):
    conversation = conversation_create(cast.owner, model_name="second")

    branch = Branch.objects.get(conversation=conversation)
    message = Message.objects.get(conversation=conversation)
    assert (branch.origin, branch.tip_id, branch.version) == ("main", None, 0)
    assert (message.role, message.turn_id) == ("system", None)
    prompt = paths.message_by_id(message.id, cast.owner.keys)
    assert prompt.text == chat_template().system
    assert conversation.model_name == "second"
    assert conversation.title is None


def test_every_change_of_a_conversation_is_one_transition(cast):
    conversation_rename(cast.access, "Rivers")
    renamed = newest_payloads(cast.access)
    conversation_choose_model(cast.access, "second")
    chosen = newest_payloads(cast.access)

    assert kinds(cast.access) == ["conversation_created", "conversation_renamed", "model_chosen"]
    assert renamed == {"input": b"Rivers"}
    assert chosen == {"input": b"second"}
    assert verify_conversation(cast.access.conversation.id, cast.owner.keys).findings == ()


def test_a_title_given_by_hand_is_not_replaced_by_the_first_message(cast):
    conversation_rename(cast.access, "Rivers")
    accept(cast.access, "Plan a trip", new_process())

    row = Conversation.objects.get(pk=cast.access.conversation.id)
    assert conversations.title_of(row, cast.owner.keys) == "Rivers"
    assert row.title_by_user


def test_a_rename_does_not_make_a_conversation_the_newest(cast):
    before = Conversation.objects.get(pk=cast.access.conversation.id).updated_ms

    conversation_rename(cast.access, "Rivers")

    assert Conversation.objects.get(pk=cast.access.conversation.id).updated_ms == before


def test_deleting_erases_every_text_and_the_skeleton_still_verifies(cast):
    say(cast.access, "A secret?", "Yes.", new_process())
    conversation_rename(cast.access, "Secrets")

    conversation_delete(cast.access)

    found = verify_conversation(cast.access.conversation.id, cast.owner.keys)
    assert {finding.kind for finding in found.findings} == {"erased"}
    assert found.transitions == len(kinds(cast.access)) == 5
    assert kinds(cast.access)[-1] == "conversation_deleted"
    assert not Payload.objects.exclude(body=None).exists()
    assert not Message.objects.exclude(body=b"").exists()


def test_deleting_one_conversation_leaves_the_others(cast):
    process = new_process()
    other = conversation_for(cast.alice, conversation_create(cast.owner, model_name="").id)
    say(other, "A river?", "The Volga.", process)
    say(cast.access, "A secret?", "Yes.", process)

    conversation_delete(cast.access)

    assert verify_conversation(other.conversation.id, cast.owner.keys).findings == ()
    turn = Turn.objects.get(conversation=other.conversation)
    messages = paths.messages_of(paths.walk(turn.id, budget_tokens=100), cast.owner.keys)
    assert [message.text for message in messages[turn.id]] == ["A river?", "The Volga."]


@pytest.fixture
def running(cast):
    """A turn with an attempt and partial text whose conversation is deleted under it."""
    process = new_process()
    turn_id = accept(cast.access, "A secret?", process).turn_id
    attempt_id = prepare(turn_id, process).attempt_id
    partials.append([partials.Partial(attempt_id, 1, 1, "Half of", cast.owner.keys)])
    conversation_delete(cast.access)
    return turn_id, attempt_id, process


def test_a_running_turn_ends_with_its_conversation(cast, running):
    turn_id, attempt_id, _ = running

    turn = Turn.objects.get(pk=turn_id)
    attempt = Attempt.objects.get(pk=attempt_id)
    assert (turn.status, turn.reason, turn.owner_id) == ("interrupted", "deleted", None)
    assert (attempt.status, attempt.output) == ("interrupted", None)
    assert not PartialText.objects.exists()


def test_its_owner_can_write_nothing_more(cast, running):
    turn_id, attempt_id, process = running
    nothing = Measured(None, None, None, None, "estimated")
    before = Transition.objects.count()

    committed = turn_commit(turn_id, attempt_id, answered("late"), owner=process, model=MODEL)
    failed = turn_fail(
        turn_id, attempt_id, Broken("network", "", "late", nothing), owner=process, model=MODEL
    )
    interrupted = turn_interrupt(turn_id, owner=process)

    assert (committed, failed, interrupted) == (False, False, None)
    assert not Message.objects.exclude(body=b"").exists()
    assert Attempt.objects.get(pk=attempt_id).output is None
    assert Transition.objects.count() == before


LATE = {
    "accept": lambda access, turn_id, process: turn_accept(
        access, typed(access, "late"), owner=process
    ),
    "retry": lambda access, turn_id, process: turn_retry(
        access, turn_id, owner=process, model_name=MODEL.name
    ),
    "rename": lambda access, turn_id, process: conversation_rename(access, "late"),
    "choose": lambda access, turn_id, process: conversation_choose_model(access, "late"),
    "delete": lambda access, turn_id, process: conversation_delete(access),
}


@pytest.mark.parametrize("change", LATE)
def test_a_change_that_comes_after_the_deletion_writes_nothing(cast, change):
    # The page had loaded the conversation before it was deleted by another tab.
    process = new_process()
    turn_id = accept(cast.access, "Hi", process).turn_id
    turn_interrupt(turn_id, owner=process)
    stale = conversation_for(cast.alice, cast.access.conversation.id)
    conversation_delete(cast.access)
    before = Transition.objects.count(), branch_of(cast.access).version

    with pytest.raises(ConversationGone):
        LATE[change](stale, turn_id, process)

    assert (Transition.objects.count(), branch_of(cast.access).version) == before
    assert not Message.objects.exclude(body=b"").exists()
    assert Conversation.objects.get(pk=stale.conversation.id).title is None
    assert Turn.objects.get(pk=turn_id).status == "interrupted"
