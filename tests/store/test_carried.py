"""What an imported state carries is read from the transition that brought it."""

import pytest

from chatapp.services.conversations import conversation_delete
from chatapp.services.importing import state_import
from chatapp.store.carried import read_carried
from statecore.contract.carried import Carried
from statecore.contract.document import parse
from tests.statecore.contract_builders import sample

pytestmark = pytest.mark.django_db


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
