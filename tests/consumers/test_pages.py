"""What a socket renders of a turn."""

import pytest

from chatapp.access import conversation_for, owner_of
from chatapp.consumers.pages import render_turn, stored_text
from chatapp.presenters.frames import opening_frame
from chatapp.services.conversations import conversation_create
from chatapp.store import partials
from tests.support.people import accept, branch_of, new_process, prepare, say

pytestmark = pytest.mark.django_db


def test_an_accepted_turn_looks_the_same_before_and_after_it_was_read_back(cast):
    process = new_process()
    accepted = accept(cast.access, "Name one river.", process)

    shown = render_turn(cast.access, accepted.turn_id, "en")

    conversation_id, branch = cast.access.conversation.id, branch_of(cast.access)
    assert shown.owner == process
    assert shown.frame == opening_frame(
        conversation_id, branch.id, accepted, "Name one river.", "scripted"
    )


def test_an_ended_turn_has_no_owner_and_follows_its_parent(cast):
    process = new_process()
    first = say(cast.access, "one", "two", process)
    second = say(cast.access, "three", "four", process)

    shown = render_turn(cast.access, second, "en")

    assert shown.owner is None
    assert (shown.frame["after"], shown.frame["status"]) == (str(first), "committed")


def test_a_turn_of_another_conversation_is_not_shown(cast):
    turn_id = say(cast.access, "A secret?", "Yes.", new_process())
    stranger = owner_of(cast.mallory)
    theirs = conversation_for(cast.mallory, conversation_create(stranger, model_name="").id)

    assert render_turn(theirs, turn_id, "en") is None
    assert stored_text(theirs, turn_id) == ("", "", 0)


def test_the_stored_text_is_that_of_the_newest_attempt(cast):
    process = new_process()
    turn_id = accept(cast.access, "Hi", process).turn_id
    first = prepare(turn_id, process).attempt_id
    partials.append([partials.Partial(first, 1, 4, "broken", cast.owner.keys)])
    second = prepare(turn_id, process).attempt_id
    partials.append([partials.Partial(second, 1, 2, "whole", cast.owner.keys)])

    assert stored_text(cast.access, turn_id) == (str(second), "whole", 2)


def test_a_turn_without_any_attempt_has_no_stored_text(cast):
    turn_id = accept(cast.access, "Hi", new_process()).turn_id

    assert stored_text(cast.access, turn_id) == ("", "", 0)
