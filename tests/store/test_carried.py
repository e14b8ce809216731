"""What an imported state carries is read from the transition that brought it."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from chatapp.keyring import keys_of
from chatapp.services.conversations import conversation_delete
from chatapp.services.importing import state_import
from chatapp.store.carried import read_carried
from chatapp.store.contexts import read_context
from statecore.contract.carried import Carried
from statecore.contract.document import parse
from tests.statecore.contract_builders import sample
from tests.support.people import MODEL, accept, new_process, prepare

pytestmark = pytest.mark.django_db

MAX_QUERIES = 8


def carried(access):
    return read_carried(access.conversation.id, access.keys)


def test_a_conversation_that_began_here_carries_nothing(cast):
    assert carried(cast.access) == Carried()


def test_an_imported_one_carries_what_came_with_it(cast):
    state_import(cast.access, parse(sample("state.1.ru.json")))
    assert [field.key for field in carried(cast.access).contract_fields] == [
        "locale",
        "safety_mode",
        "channel",
    ]
    assert [fact.content for fact in carried(cast.access).facts] == ["заказ 50122"]


def test_a_deleted_conversation_carries_nothing_any_more(cast):
    state_import(cast.access, parse(sample("state.1.ru.json")))
    conversation_delete(cast.access)
    assert carried(cast.access) == Carried()


def test_a_plan_is_told_what_an_imported_state_carries(cast):
    process = new_process()
    state_import(cast.access, parse(sample("state.1.ru.json")))
    turn_id = accept(cast.access, "Что с возвратом?", process).turn_id

    with CaptureQueriesContext(connection) as queries:
        context = read_context(turn_id, process, model=MODEL, keys_of=keys_of)

    assert [field.key for field in context.state.contract] == ["channel", "locale", "safety_mode"]
    assert [fact.content for fact in context.state.facts] == ["заказ 50122"]
    assert context.state.workflow == carried(cast.access).workflow
    assert len(queries) <= MAX_QUERIES
    sent = prepare(turn_id, process).request.messages
    assert "locale: ru" in sent[0].text
    assert any("заказ 50122" in message.text for message in sent)


def test_a_conversation_that_began_here_is_planned_without(cast):
    process = new_process()
    turn_id = accept(cast.access, "Hi", process).turn_id

    state = read_context(turn_id, process, model=MODEL, keys_of=keys_of).state

    assert (state.contract, state.facts, state.workflow) == ((), (), None)
