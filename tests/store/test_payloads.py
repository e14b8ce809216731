"""Sealed contents: opened by their owner only, erased only under a permit, then really gone."""

from pathlib import Path

import pytest
from django.db import connection

from chatapp.models import Payload, Transition
from chatapp.store.log import Change
from chatapp.store.payloads import erase_payloads, open_payload
from chatapp.store.permits import PermitMissing, erasure_permit
from chatapp.vault import SealBroken

pytestmark = pytest.mark.django_db


def payload_of(conversation, seq, part):
    return Payload.objects.get(
        transition__conversation=conversation, transition__seq=seq, part=part
    )


def test_a_content_opens_in_its_own_row_only(written, keys):
    one, other = payload_of(written, 1, "input"), payload_of(written, 2, "input")
    assert open_payload(one, keys) == b"question 0"
    one.body = other.body
    with pytest.raises(SealBroken):
        open_payload(one, keys)


def test_erasure_takes_all_contents_and_leaves_the_transitions(written, keys):
    with erasure_permit(written.id) as permit:
        erased = erase_payloads(written.id, permit)
    assert erased == Payload.objects.count() == 13
    assert not Payload.objects.exclude(body=None).exists()
    assert not Payload.objects.filter(erased_ms=None).exists()
    assert Transition.objects.count() == 5
    assert open_payload(payload_of(written, 1, "input"), keys) is None


def test_what_is_erased_stays_as_it_was_erased(written):
    with erasure_permit(written.id) as permit:
        erase_payloads(written.id, permit)
    before = list(Payload.objects.order_by("id").values_list("id", "erased_ms"))
    with erasure_permit(written.id) as permit:
        assert erase_payloads(written.id, permit) == 0
    assert list(Payload.objects.order_by("id").values_list("id", "erased_ms")) == before


def test_other_conversations_keep_their_contents(written, make_conversation, append, keys):
    other = make_conversation()
    append(other, Change(kind="renamed", input=b"kept"))
    with erasure_permit(written.id) as permit:
        erase_payloads(written.id, permit)
    assert open_payload(payload_of(other, 1, "input"), keys) == b"kept"


def test_a_permit_for_another_conversation_erases_nothing(written, make_conversation):
    with erasure_permit(make_conversation().id) as permit, pytest.raises(PermitMissing):
        erase_payloads(written.id, permit)


@pytest.mark.django_db(transaction=True)
def test_erased_bytes_are_in_no_database_file_any_more(written):
    sealed = [bytes(row.body) for row in Payload.objects.all()]
    with erasure_permit(written.id) as permit:
        erase_payloads(written.id, permit)
    if connection.vendor == "sqlite":
        path = Path(connection.settings_dict["NAME"])
        stored = b"".join(file.read_bytes() for file in path.parent.glob(f"{path.name}*"))
        assert [blob for blob in sealed if blob in stored] == []
    assert Payload.objects.exclude(body=None).count() == 0
