"""PostgreSQL's own ways around a trigger, and how a changed trigger is found."""

import pytest
from django.db import IntegrityError, transaction

from chatapp.store import triggers
from chatapp.store.permits import erasure_permit
from tests.support.sql import execute

pytestmark = pytest.mark.django_db

GUARDED = ("transition", "payload", "message")
REFUSAL = "is never changed or removed"


@pytest.mark.parametrize("noun", GUARDED)
def test_truncate_is_refused(rows, noun):
    # The foreign key's checks wait for the end of the transaction, and TRUNCATE waits for them.
    execute("SET CONSTRAINTS ALL IMMEDIATE")
    with pytest.raises(IntegrityError, match=REFUSAL), transaction.atomic():
        execute(f"TRUNCATE chatapp_{noun} CASCADE")


def test_truncate_is_refused_under_a_permit_for_one_conversation(conversation, rows):
    execute("SET CONSTRAINTS ALL IMMEDIATE")
    with (
        pytest.raises(IntegrityError, match=REFUSAL),
        transaction.atomic(),
        erasure_permit(conversation.id),
    ):
        execute("TRUNCATE chatapp_message CASCADE")


def test_a_function_that_says_something_else_is_reported():
    execute(
        "CREATE OR REPLACE FUNCTION glassbox_payload_rows() RETURNS trigger LANGUAGE plpgsql"
        " AS 'BEGIN RETURN NEW; END'"
    )
    assert triggers.trigger_faults() == (
        triggers.TriggerFault("chatapp_payload", "glassbox_payload_rows", "changed"),
    )


@pytest.mark.parametrize("how", ["DISABLE", "ENABLE REPLICA"])
def test_a_trigger_that_is_switched_off_is_reported(how):
    execute(f"ALTER TABLE chatapp_message {how} TRIGGER glassbox_message_rows")
    assert triggers.trigger_faults() == (
        triggers.TriggerFault("chatapp_message", "glassbox_message_rows", "disabled"),
    )


def test_a_trigger_under_a_condition_is_reported():
    execute("DROP TRIGGER glassbox_message_rows ON chatapp_message")
    execute(
        "CREATE TRIGGER glassbox_message_rows BEFORE UPDATE OR DELETE ON chatapp_message"
        " FOR EACH ROW WHEN (false) EXECUTE FUNCTION glassbox_message_rows()"
    )
    assert triggers.trigger_faults() == (
        triggers.TriggerFault("chatapp_message", "glassbox_message_rows", "missing"),
    )
