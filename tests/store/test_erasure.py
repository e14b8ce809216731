"""Deleting a conversation leaves commitments and no content, in whatever column it was."""

import pytest
from django.apps import apps
from django.db import models

from chatapp.access import conversation_for
from chatapp.clock import now_ms
from chatapp.models import Attempt, Branch, Checkpoint, Conversation
from chatapp.services.commits import Broken, Measured, turn_fail
from chatapp.services.conversations import conversation_create, conversation_rename
from chatapp.services.memory import field_set, memory_add, memory_delete
from chatapp.store import partials
from chatapp.store.answers import keep_answer
from chatapp.store.erasure import erase_conversation
from chatapp.store.sealing import seal_text
from chatapp.store.verification import verify_conversation
from statecore.state.operations import FieldSet
from tests.support.people import MODEL, accept, new_process, prepare, say
from tests.support.remembering import learn

pytestmark = pytest.mark.django_db

PLANTED = "xylophonewombat"
COMMITMENTS = {
    "attempt.request_commitment",
    "conversation.chain",
    "keyspace.wrapped_key",
    "transition.chain",
    "transition.input",
    "transition.output",
    "transition.request",
    "transition.state_after",
    "transition.state_before",
    "turn.path_hash",
}
"""Columns of bytes that hold no content: keyed hashes, and the key itself."""
TABLES_OF_TEXT = {
    "attempt.detail",
    "attempt.output",
    "branch.name",
    "checkpoint.body",
    "conversation.title",
    "memoryanswer.body",
    "memoryanswer.digest",
    "memorydelta.body",
    "message.body",
    "operation.body",
    "operation.target",
    "partialtext.body",
    "payload.body",
    "requestblock.body",
    "requestblock.digest",
    "tombstone.target",
}
"""Columns that the planted conversation fills."""


def filled_columns():
    """Return every column of bytes or text that holds anything, as table.column."""
    found = set()
    for model in apps.get_app_config("chatapp").get_models():
        for field in model._meta.concrete_fields:
            if isinstance(field, models.BinaryField):
                values = model.objects.values_list(field.attname, flat=True)
                if any(value is not None and bytes(value) for value in values):
                    found.add(f"{model._meta.model_name}.{field.attname}")
    return found


def open_values():
    """Return everything in columns that are not sealed, as text."""
    found = []
    for model in apps.get_app_config("chatapp").get_models():
        names = [
            field.attname
            for field in model._meta.concrete_fields
            if not isinstance(field, models.BinaryField)
        ]
        found += [str(row) for row in model.objects.values_list(*names)]
    return "\n".join(found)


def plant(access):
    """Put the planted word wherever a conversation keeps text."""
    process, keys = new_process(), access.keys
    first = say(access, f"{PLANTED}? https://{PLANTED}.invalid", f"{PLANTED}!", process)
    conversation_rename(access, PLANTED)
    broken = accept(access, PLANTED, process).turn_id
    attempt_id = prepare(broken, process).attempt_id
    nothing = Measured(None, None, None, None, "estimated")
    broke = Broken("server_error", PLANTED, PLANTED, nothing)
    assert turn_fail(broken, attempt_id, broke, owner=process, model=MODEL)
    running = prepare(accept(access, PLANTED, process).turn_id, process).attempt_id
    partials.append([partials.Partial(running, 1, 1, PLANTED, keys)])
    branch = Branch.objects.get(conversation=access.conversation)
    name = seal_text(keys, "chatapp_branch", "name", branch.id, PLANTED)
    Branch.objects.filter(pk=branch.id).update(name=name)
    plant_memory(access, first)


def plant_memory(access, turn_id):
    """Put the planted word wherever memory keeps text."""
    conversation_id, keys = access.conversation.id, access.keys
    learn(access, turn_id)
    added = memory_add(access, "rule", PLANTED)
    memory_delete(access, f"op:{added.seq}")
    field_set(access, FieldSet(PLANTED, PLANTED))
    keep_answer(conversation_id, f"{PLANTED} {conversation_id}".encode(), PLANTED, keys, now_ms())
    body = seal_text(keys, "chatapp_checkpoint", "body", turn_id, PLANTED)
    Checkpoint.objects.create(turn_id=turn_id, as_of_seq=added.seq, body=body)


def test_only_commitments_and_the_key_are_left(cast):
    plant(cast.access)
    before = filled_columns()

    erase_conversation(cast.access.conversation.id, now_ms())

    assert before - COMMITMENTS == TABLES_OF_TEXT
    assert filled_columns() == before & COMMITMENTS


def test_the_open_columns_never_held_the_text(cast):
    plant(cast.access)
    assert PLANTED not in open_values()

    erase_conversation(cast.access.conversation.id, now_ms())

    assert PLANTED not in open_values()


def test_the_log_tells_erased_from_tampered(cast):
    plant(cast.access)
    whole = verify_conversation(cast.access.conversation.id, cast.owner.keys)

    erase_conversation(cast.access.conversation.id, now_ms())

    found = verify_conversation(cast.access.conversation.id, cast.owner.keys)
    assert whole.findings == ()
    assert {finding.kind for finding in found.findings} == {"erased"}
    assert found.transitions == whole.transitions


def test_another_conversation_keeps_everything(cast):
    other = conversation_for(cast.alice, conversation_create(cast.owner, model_name="").id)
    plant(cast.access)
    plant(other)

    erase_conversation(cast.access.conversation.id, now_ms())

    assert filled_columns() == COMMITMENTS | TABLES_OF_TEXT
    assert verify_conversation(other.conversation.id, cast.owner.keys).findings == ()
    assert Conversation.objects.get(pk=other.conversation.id).title is not None
    assert Attempt.objects.exclude(output=None).get().turn.conversation_id == other.conversation.id


def test_erasing_again_is_harmless(cast):
    plant(cast.access)

    for _ in range(2):
        erase_conversation(cast.access.conversation.id, now_ms())

    assert filled_columns() <= COMMITMENTS
