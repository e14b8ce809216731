"""SQLite's own ways around a trigger, and how a changed trigger is found."""

# ruff: noqa: S608  # the statements are built from the constants of this file
import pytest
from django.db import IntegrityError, OperationalError, connection, transaction

from chatapp.models import Message, Payload, Transition
from chatapp.store import triggers
from tests.support.sql import execute

pytestmark = pytest.mark.django_db

GUARDED = ("transition", "payload", "message")
REFUSAL = "is never changed or removed"


@pytest.mark.parametrize("noun", GUARDED)
@pytest.mark.parametrize("recursive", ["ON", "OFF"])
def test_insert_or_replace_does_not_slip_past(rows, noun, recursive):
    execute(f"PRAGMA recursive_triggers = {recursive}")
    try:
        with pytest.raises(IntegrityError, match=REFUSAL), transaction.atomic():
            execute(f"INSERT OR REPLACE INTO chatapp_{noun} SELECT * FROM chatapp_{noun}")
    finally:
        execute("PRAGMA recursive_triggers = ON")


def test_insert_or_replace_does_not_slip_past_under_another_id(rows):
    execute("CREATE TEMP TABLE forged AS SELECT * FROM chatapp_transition")
    execute("UPDATE forged SET id = 'ff', kind = 'forged'")
    with pytest.raises(IntegrityError, match=REFUSAL), transaction.atomic():
        execute("INSERT OR REPLACE INTO chatapp_transition SELECT * FROM forged")
    assert Transition.objects.get().kind == "accept"


def test_a_trigger_that_says_something_else_is_reported():
    execute("DROP TRIGGER glassbox_payload_update")
    execute(
        "CREATE TRIGGER glassbox_payload_update BEFORE UPDATE ON chatapp_payload"
        " WHEN 0 BEGIN SELECT RAISE(ABORT, 'never'); END"
    )
    assert triggers.trigger_faults() == (
        triggers.TriggerFault("chatapp_payload", "glassbox_payload_update", "changed"),
    )


def rebuild(model):
    with connection.schema_editor() as editor:
        editor._remake_table(model)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("model", [Payload, Message])
def test_a_rebuilt_table_loses_its_triggers_and_installing_heals_it(model):
    try:
        rebuild(model)
        faults = triggers.trigger_faults()
        assert {(fault.table, fault.state) for fault in faults} == {
            (model._meta.db_table, "missing")
        }
    finally:
        triggers.install()
    assert triggers.trigger_faults() == ()


@pytest.mark.django_db(transaction=True)
def test_the_log_is_rebuilt_only_while_the_triggers_are_removed():
    with pytest.raises(OperationalError, match="error in trigger"):
        rebuild(Transition)
    try:
        triggers.remove()
        rebuild(Transition)
    finally:
        triggers.install()
    assert triggers.trigger_faults() == ()
