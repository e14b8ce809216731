"""Thumbs: one row and one transition for each change of mind, nothing for none."""

import json

import pytest

from chatapp.access import conversation_for
from chatapp.models import Conversation, Feedback, Message, Payload, Transition
from chatapp.selectors.feedback import feedback_of, thumb_of
from chatapp.selectors.turns import turn_row
from chatapp.services.conversations import conversation_create, conversation_delete
from chatapp.services.feedback import feedback_give
from chatapp.services.outcomes import Changed, Missing, Unchanged
from chatapp.services.transitions import ConversationGone
from chatapp.store.payloads import open_payload
from chatapp.store.verification import verify_conversation
from tests.support.people import accept, new_process, say

pytestmark = pytest.mark.django_db


@pytest.fixture
def process(cast):
    return new_process()


@pytest.fixture
def answered(cast, process):
    return say(cast.access, "Which river?", "The Po.", process)


def given(cast):
    return list(Feedback.objects.order_by("seq").values_list("thumb", flat=True))


def last_seq(cast):
    return Conversation.objects.values_list("last_seq", flat=True).get(
        pk=cast.access.conversation.id
    )


def replaced(cast, turn_id, kind="regenerate"):
    """Write what the services of the tree write."""
    row = Feedback.objects.create(
        conversation=cast.access.conversation,
        user=cast.alice,
        message=Message.objects.get(turn=turn_id, position=1),
        turn_id=turn_id,
        kind=kind,
        seq=last_seq(cast) + 1,
        created_ms=1,
    )
    return row.id


def test_each_change_of_mind_is_one_row_and_one_transition(cast, answered):
    for thumb in (1, -1, 0):
        outcome = feedback_give(cast.access, answered, thumb)
        assert outcome == Changed(last_seq(cast))
    assert given(cast) == [1, -1, 0]
    kinds = Transition.objects.order_by("-seq").values_list("kind", "turn")[:3]
    assert list(kinds) == [("feedback_given", answered)] * 3
    assert thumb_of(cast.access, answered) == 0


def test_the_log_holds_what_is_needed_to_give_it_again(cast, answered):
    outcome = feedback_give(cast.access, answered, 1)
    payload = Payload.objects.get(transition__seq=outcome.seq, part="input")
    row = Feedback.objects.get()
    assert json.loads(open_payload(payload, cast.access.keys)) == {
        "message": str(row.message_id),
        "thumb": 1,
        "turn": str(answered),
        "user": str(cast.alice.pk),
    }
    assert row.message.role == "assistant"
    assert verify_conversation(cast.access.conversation.id, cast.access.keys).findings == ()


@pytest.mark.parametrize("thumb", [0, 1])
def test_the_same_again_writes_nothing(cast, answered, thumb):
    if thumb:
        feedback_give(cast.access, answered, thumb)
    before = last_seq(cast), given(cast)
    assert feedback_give(cast.access, answered, thumb) == Unchanged()
    assert (last_seq(cast), given(cast)) == before
    assert verify_conversation(cast.access.conversation.id, cast.access.keys).findings == ()


def test_a_turn_without_an_answer_takes_none(cast, process):
    running = accept(cast.access, "And now?", process).turn_id
    assert feedback_give(cast.access, running, 1) == Missing()
    assert given(cast) == []


def test_a_turn_of_another_conversation_takes_none(cast, answered):
    other = conversation_create(cast.owner, model_name="scripted")
    access = conversation_for(cast.alice, other.id)
    assert feedback_give(access, answered, 1) == Missing()
    assert thumb_of(access, answered) is None


def test_a_deleted_conversation_takes_none(cast, answered):
    conversation_delete(cast.access)
    with pytest.raises(ConversationGone):
        feedback_give(cast.access, answered, 1)


def test_a_turn_tells_the_newest_thumb(cast, answered):
    assert turn_row(cast.access, answered).thumb == 0
    for thumb in (1, -1):
        feedback_give(cast.access, answered, thumb)
    assert turn_row(cast.access, answered).thumb == -1


def test_turns_are_told_apart_by_what_is_thought_of_them(cast, process):
    up, down, taken_back, again, none = (
        say(cast.access, f"Question {n}?", "Answer.", process) for n in range(5)
    )
    for turn_id, thumb in ((up, 1), (down, -1), (taken_back, 1), (taken_back, 0)):
        feedback_give(cast.access, turn_id, thumb)
    replaced(cast, again)
    assert feedback_of([cast.access.conversation.id]) == {
        up: "up",
        down: "down",
        taken_back: "none",
        again: "replaced",
        none: "none",
    }


def test_a_thumb_counts_more_than_what_was_done_instead(cast, answered):
    feedback_give(cast.access, answered, 1)
    replaced(cast, answered, "edit")
    assert feedback_of([cast.access.conversation.id]) == {answered: "up"}


def test_nothing_is_thought_of_no_conversation(db):
    assert feedback_of([]) == {}
