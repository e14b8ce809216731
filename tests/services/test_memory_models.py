"""Which model may read a turn in order to label it: nobody whom the person did not choose."""

from dataclasses import replace

import pytest

from chatapp.llm.registry import ModelState
from chatapp.models import Turn
from chatapp.services import memory_models
from chatapp.services.memory_models import is_answering_here, memory_model
from tests.support.people import MODEL, accept, new_process

CHAT = replace(MODEL, name="chat", endpoint="http://one.invalid/v1", for_memory=False)
READER = replace(CHAT, name="reader", for_memory=True)
STRANGER = replace(READER, name="stranger", endpoint="http://two.invalid/v1")
LOCAL = replace(READER, name="local", endpoint="", local=True)
TOY = replace(LOCAL, name="toy", for_memory=False)


@pytest.fixture
def there(monkeypatch):
    """Return a function that says which models there are, and which are not ready."""

    def say(*specs, away=()):
        class Registry:
            def all(self):
                return specs

            def get(self, name):
                return next((spec for spec in specs if spec.name == name), None)

        def model_status(spec):
            return ModelState("starting" if spec in away else "ready", "")

        monkeypatch.setattr(memory_models, "registry", Registry)
        monkeypatch.setattr(memory_models, "model_status", model_status)

    return say


def chosen(answered_by):
    found = memory_model(answered_by)
    return found.model and found.model.name, found.is_ready


def test_who_has_answered_reads_it_again(there):
    there(LOCAL, STRANGER, READER)

    assert chosen("reader") == ("reader", True)


def test_who_has_answered_is_waited_for(there):
    there(LOCAL, READER, away=(READER,))

    assert chosen("reader") == ("reader", False)


def test_else_a_local_model_reads_it(there):
    there(CHAT, STRANGER, READER, TOY, LOCAL)

    assert chosen("chat") == ("local", True)


def test_else_another_model_of_the_same_server(there):
    there(CHAT, STRANGER, READER, TOY)

    assert chosen("chat") == ("reader", True)


def test_a_local_model_that_is_not_there_yet_is_no_reason_to_wait_for_it(there):
    there(CHAT, LOCAL, READER, away=(LOCAL,))

    assert chosen("chat") == ("reader", True)


def test_nobody_else_is_told(there):
    there(CHAT, STRANGER)

    assert chosen("chat") == (None, False)


def test_what_a_local_model_has_answered_leaves_the_machine_for_nobody(there):
    there(TOY, STRANGER, READER)

    assert chosen("toy") == (None, False)


def test_a_model_that_is_gone_has_no_server_any_more(there):
    there(STRANGER, READER)

    assert chosen("gone") == (None, False)


def test_where_no_allowed_model_is_ready_one_is_waited_for(there):
    there(CHAT, LOCAL, away=(LOCAL,))

    assert chosen("chat") == ("local", False)


@pytest.mark.parametrize(("name", "is_busy"), [("local", True), ("toy", True), ("chat", False)])
def test_a_running_turn_of_a_local_model_needs_the_processor(cast, there, name, is_busy):
    there(CHAT, LOCAL, TOY)
    assert not is_answering_here()

    turn_id = accept(cast.access, "Hi", new_process()).turn_id
    Turn.objects.filter(pk=turn_id).update(model_name=name)
    assert is_answering_here() == is_busy

    Turn.objects.filter(pk=turn_id).update(status="failed")
    assert not is_answering_here()
