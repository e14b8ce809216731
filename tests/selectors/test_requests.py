"""The exact request of an attempt, rebuilt from what was stored."""

import pytest

from chatapp.ids import new_id
from chatapp.models import Attempt, Message
from chatapp.selectors.requests import sent_request
from chatapp.store.sealing import seal
from statecore.messages import Message as CoreMessage
from statecore.messages import encode_body
from tests.support.people import accept, new_process, prepare, say
from tests.support.tamper import guards_down

pytestmark = pytest.mark.django_db


def test_it_is_rebuilt_from_blocks_and_proven(cast):
    process = new_process()
    say(cast.access, "one", "two", process)
    prepared = prepare(accept(cast.access, "three", process).turn_id, process)

    found = sent_request(cast.access, prepared.attempt_id)

    assert found.proven
    assert [message["content"] for message in found.body["messages"][1:]] == ["one", "two", "three"]
    assert found.body["model"] == "scripted"


def test_it_costs_the_same_for_every_length(cast, django_assert_num_queries):
    process = new_process()
    for number in range(20):
        say(cast.access, f"question {number}", "answer", process)
    newest = Attempt.objects.order_by("id").last()

    with django_assert_num_queries(4):
        sent_request(cast.access, newest.id)


def test_an_exchanged_message_is_seen(cast):
    process = new_process()
    prepared = prepare(accept(cast.access, "one", process).turn_id, process)
    message = Message.objects.get(role="user")
    other = encode_body(CoreMessage(str(message.id), "user", "two", 0))
    with guards_down():
        Message.objects.filter(pk=message.id).update(
            body=seal(cast.owner.keys, "chatapp_message", "body", message.id, other)
        )

    found = sent_request(cast.access, prepared.attempt_id)

    assert not found.proven
    assert found.body["messages"][-1]["content"] == "two"


def test_there_is_none_of_an_unknown_attempt(cast):
    assert sent_request(cast.access, new_id()) is None
