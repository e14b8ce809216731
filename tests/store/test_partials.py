"""Partial text: appended in stretches, read as one, dropped when its attempt ends."""

import pytest
from django.db import IntegrityError, transaction

from chatapp.access import conversation_for, owner_of
from chatapp.models import PartialText
from chatapp.services.conversations import conversation_create
from chatapp.store import partials
from chatapp.store.partials import Partial
from chatapp.vault import SealBroken
from tests.support.people import accept, new_process, prepare

pytestmark = pytest.mark.django_db


@pytest.fixture
def attempt_id(cast):
    process = new_process()
    return prepare(accept(cast.access, "Hi", process).turn_id, process).attempt_id


def append(cast, attempt_id, *stretches):
    partials.append([Partial(attempt_id, *stretch, cast.owner.keys) for stretch in stretches])


def test_stretches_are_read_as_one_text_with_the_last_number(cast, attempt_id):
    append(cast, attempt_id, (1, 4, "Grüße "), (2, 9, "👋 "))
    append(cast, attempt_id, (3, 12, "你好"))

    assert partials.read(attempt_id, cast.owner.keys) == ("Grüße 👋 你好", 12)


def test_nothing_stored_is_no_text(cast, attempt_id):
    assert partials.read(attempt_id, cast.owner.keys) == ("", 0)


def test_many_streams_are_appended_in_one_query(cast, attempt_id, django_assert_num_queries):
    with django_assert_num_queries(3):  # one, between the marks of its transaction
        append(cast, attempt_id, *((n, n, "word ") for n in range(1, 41)))


def test_the_text_is_sealed_in_its_place(cast, attempt_id):
    append(cast, attempt_id, (1, 1, "first "), (2, 2, "second "))
    first, second = PartialText.objects.order_by("ordinal")
    assert b"first" not in bytes(first.body)

    PartialText.objects.filter(pk=first.pk).update(body=second.body)

    with pytest.raises(SealBroken):
        partials.read(attempt_id, cast.owner.keys)


def test_a_stranger_s_keys_do_not_open_it(cast, attempt_id):
    append(cast, attempt_id, (1, 1, "first "))

    with pytest.raises(SealBroken):
        partials.read(attempt_id, owner_of(cast.mallory).keys)


def test_a_stretch_is_stored_once(cast, attempt_id):
    append(cast, attempt_id, (1, 1, "first "))

    with pytest.raises(IntegrityError), transaction.atomic():
        append(cast, attempt_id, (1, 2, "again "))

    assert partials.read(attempt_id, cast.owner.keys) == ("first ", 1)


def test_dropping_takes_one_attempt_s_text(cast, attempt_id):
    process = new_process()
    other = conversation_for(cast.alice, conversation_create(cast.owner, model_name="").id)
    kept = prepare(accept(other, "Hi", process).turn_id, process).attempt_id
    append(cast, attempt_id, (1, 1, "gone"))
    append(cast, kept, (1, 1, "kept"))

    partials.drop(attempt_id)

    assert partials.read(attempt_id, cast.owner.keys) == ("", 0)
    assert partials.read(kept, cast.owner.keys) == ("kept", 1)
