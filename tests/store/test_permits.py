"""Erasure permits: how long they stand, whom they cover, and who sees them."""

import threading
from uuid import UUID

import pytest
from django.db import IntegrityError, connection, transaction

from chatapp.models import Payload
from chatapp.store.permits import PermitMissing, erasure_permit, permit_left_open
from tests.support.sql import execute

ELSEWHERE = UUID(int=7)
ERASE = "UPDATE chatapp_payload SET body = NULL, erased_ms = 5"


def erased_count():
    return Payload.objects.filter(body=None).count()


@pytest.mark.django_db
def test_a_permit_ends_with_its_block(conversation, rows):
    with erasure_permit(conversation.id) as permit:
        pass
    assert not permit.standing
    with pytest.raises(IntegrityError), transaction.atomic():
        execute(ERASE)


def erase_and_fail(conversation):
    with erasure_permit(conversation.id) as permit:
        execute(ERASE)
        raise RuntimeError(permit)


@pytest.mark.django_db
def test_a_failing_block_takes_back_permit_and_erasure(conversation, rows):
    with pytest.raises(RuntimeError) as failure:
        erase_and_fail(conversation)
    (permit,) = failure.value.args
    assert not permit.standing
    assert erased_count() == 0
    with pytest.raises(IntegrityError), transaction.atomic():
        execute(ERASE)


@pytest.mark.django_db
def test_a_permit_without_a_conversation_covers_all(
    conversation, make_conversation, make_rows, rows
):
    make_rows(make_conversation())
    with erasure_permit(None) as permit:
        permit.require(conversation.id)
        execute(ERASE)
    assert erased_count() == 2


@pytest.mark.django_db
def test_a_permit_inside_another_leaves_the_outer_one_standing(conversation, rows):
    with erasure_permit(conversation.id):
        with erasure_permit(ELSEWHERE):
            pass
        execute(ERASE)
    assert erased_count() == 1


@pytest.mark.django_db
def test_a_permit_for_another_conversation_is_not_enough(conversation):
    with erasure_permit(ELSEWHERE) as permit, pytest.raises(PermitMissing):
        permit.require(conversation.id)


@pytest.mark.django_db
def test_a_permit_that_was_taken_back_is_not_enough(conversation):
    with erasure_permit(conversation.id) as permit:
        permit.require(conversation.id)
    with pytest.raises(PermitMissing, match="No erasure permit stands"):
        permit.require(conversation.id)


@pytest.mark.django_db
def test_a_permit_is_seen_while_it_stands_and_not_after(conversation):
    with erasure_permit(conversation.id):
        assert permit_left_open()
    assert not permit_left_open()


@pytest.mark.django_db
def test_a_permit_row_that_somebody_planted_is_seen():
    execute(
        "INSERT INTO chatapp_erasurepermit (id, conversation, created_ms)"
        " VALUES ('00000000000000000000000000000001', NULL, 0)"
    )
    assert permit_left_open()


@pytest.mark.django_db(transaction=True)
def test_another_connection_never_sees_the_permit(conversation, rows):
    seen = []

    def look():
        seen.append(permit_left_open())
        if connection.vendor == "postgresql":
            with pytest.raises(IntegrityError):
                execute("DELETE FROM chatapp_message")
        connection.close()
        seen.append("looked")

    with erasure_permit(None):
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
    assert seen == [False, "looked"]
