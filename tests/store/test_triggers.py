"""The triggers: what the database itself refuses, and how a missing one is found."""

# ruff: noqa: S608  # the statements are built from the constants of this file
import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction

from chatapp.models import Message, Payload, Transition
from chatapp.store import triggers
from chatapp.store.permits import erasure_permit
from tests.support.sql import execute

pytestmark = pytest.mark.django_db

REFUSAL = "is never changed or removed"
GUARDED = {"transition": Transition, "payload": Payload, "message": Message}


@pytest.mark.parametrize(("noun", "model"), GUARDED.items())
def test_no_row_is_deleted(rows, noun, model):
    with pytest.raises(IntegrityError, match=REFUSAL), transaction.atomic():
        execute(f"DELETE FROM chatapp_{noun}")
    assert model.objects.count() == 1


@pytest.mark.parametrize(("noun", "model"), GUARDED.items())
def test_the_orm_is_refused_as_well(rows, noun, model):
    with pytest.raises(IntegrityError, match=REFUSAL), transaction.atomic():
        model.objects.all().delete()


@pytest.mark.parametrize(
    ("noun", "change"),
    [
        ("transition", "kind = 'commit'"),
        ("transition", "seq = 9"),
        ("transition", "chain = input"),
        ("payload", "body = NULL, erased_ms = 5"),
        ("payload", "part = 'output'"),
        ("message", "role = 'assistant'"),
        ("message", "redacted_ms = 5"),
    ],
)
def test_no_row_is_changed(rows, noun, change):
    with pytest.raises(IntegrityError, match=REFUSAL), transaction.atomic():
        execute(f"UPDATE chatapp_{noun} SET {change}")


@pytest.mark.parametrize(
    "change",
    ["body = NULL, erased_ms = 5", "erased_ms = 5, body = NULL, part = part"],
)
def test_a_permit_lets_a_payload_be_erased(conversation, rows, change):
    with erasure_permit(conversation.id):
        execute(f"UPDATE chatapp_payload SET {change}")
    assert Payload.objects.values_list("body", "erased_ms").get() == (None, 5)


@pytest.mark.parametrize(
    ("noun", "change"),
    [
        ("transition", "kind = 'commit'"),
        ("transition", "created_ms = created_ms"),
        ("payload", "erased_ms = 5"),
        ("payload", "body = NULL"),
        ("payload", "body = NULL, erased_ms = 5, part = 'output'"),
        ("message", "role = 'assistant', redacted_ms = 5"),
        ("message", "seq = 2, redacted_ms = 5"),
        ("message", "created_ms = 1, redacted_ms = 5"),
        ("message", "body = NULL"),
    ],
)
def test_a_permit_lets_nothing_else_be_changed(conversation, rows, noun, change):
    with (
        pytest.raises(IntegrityError),
        transaction.atomic(),
        erasure_permit(conversation.id),
    ):
        execute(f"UPDATE chatapp_{noun} SET {change}")


def test_a_permit_lets_a_message_be_redacted(conversation, rows):
    with erasure_permit(conversation.id):
        Message.objects.filter(id=rows.message.id).update(body=b"redacted", redacted_ms=5)
    assert bytes(Message.objects.get().body) == b"redacted"


@pytest.mark.parametrize(("noun", "model"), GUARDED.items())
def test_a_permit_for_one_conversation_leaves_the_others_guarded(
    rows, make_conversation, make_rows, noun, model
):
    other = make_conversation()
    make_rows(other)
    with (
        pytest.raises(IntegrityError, match=REFUSAL),
        transaction.atomic(),
        erasure_permit(other.id),
    ):
        execute(f"DELETE FROM chatapp_{noun}")
    assert model.objects.count() == 2


def test_a_permit_lets_all_rows_of_its_conversation_go(conversation, rows):
    with erasure_permit(conversation.id):
        conversation.delete()
    assert not Transition.objects.exists()
    assert not Payload.objects.exists()
    assert not Message.objects.exists()


def test_a_conversation_that_is_deleted_without_a_permit_stays_whole(conversation, rows):
    with pytest.raises(IntegrityError, match=REFUSAL), transaction.atomic():
        conversation.delete()
    assert Payload.objects.count() == 1


@pytest.mark.parametrize(
    ("noun", "key"), [("transition", "seq"), ("payload", "part"), ("message", "id")]
)
def test_an_upsert_is_refused(rows, noun, key):
    conflict = {"seq": "conversation_id, seq", "part": "transition_id, part", "id": "id"}[key]
    with pytest.raises(IntegrityError), transaction.atomic():
        execute(
            f"INSERT INTO chatapp_{noun} SELECT * FROM chatapp_{noun} WHERE true"
            f" ON CONFLICT ({conflict}) DO UPDATE SET id = EXCLUDED.id"
        )


def test_a_migrated_database_has_every_trigger():
    assert triggers.trigger_faults() == ()


@pytest.mark.django_db(transaction=True)
def test_the_migration_goes_back_and_forth():
    try:
        call_command("migrate", "chatapp", "0001", verbosity=0)
        assert {fault.state for fault in triggers.trigger_faults()} == {"missing"}
    finally:
        call_command("migrate", verbosity=0)
    assert triggers.trigger_faults() == ()


def test_installing_twice_is_the_same_as_once():
    triggers.install()
    assert triggers.trigger_faults() == ()


def test_removed_triggers_are_all_reported():
    triggers.remove()
    faults = triggers.trigger_faults()
    assert {fault.table for fault in faults} == {f"chatapp_{noun}" for noun in GUARDED}
    assert {fault.state for fault in faults} == {"missing"}


def test_faults_are_found_with_one_query(django_assert_num_queries):
    with django_assert_num_queries(1):
        triggers.trigger_faults()
