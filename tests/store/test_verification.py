"""Verification: what it calls changed, missing, reordered and erased, row by row."""

import pytest

from chatapp import keyring
from chatapp.ids import new_id
from chatapp.models import Conversation, KeySpace, Payload, Transition
from chatapp.store import log, verification
from chatapp.store.payloads import erase_payloads
from chatapp.store.permits import erasure_permit
from chatapp.store.sealing import seal
from chatapp.store.verification import Finding, verify_conversation, verify_log
from tests.support.tamper import guards_down, tamper

pytestmark = pytest.mark.django_db


@pytest.fixture
def findings(written, keys):
    def findings():
        return [
            (finding.kind, finding.seq, finding.what)
            for finding in verify_conversation(written.id, keys).findings
        ]

    return findings


def row_at(conversation, seq):
    return Transition.objects.get(conversation=conversation, seq=seq)


def test_a_log_that_nobody_touched_has_no_finding(written, keys):
    result = verify_conversation(written.id, keys)
    assert (result.conversation_id, result.transitions, result.findings) == (written.id, 5, ())


def test_an_empty_log_has_no_finding(conversation, keys):
    assert verify_conversation(conversation.id, keys).findings == ()


@pytest.mark.parametrize(
    "change",
    [
        "kind = 'renamed'",
        "turn = NULL",
        "created_ms = created_ms + 1",
        "chain = state_before",
    ],
)
def test_a_changed_field_is_found_in_its_row(written, findings, change):
    tamper(f"UPDATE chatapp_transition SET {change} WHERE seq = 3")  # noqa: S608  # from above
    assert findings() == [("changed", 3, "transition")]


def test_a_changed_commitment_is_found_in_row_and_content(findings, written):
    tamper("UPDATE chatapp_transition SET input = output WHERE seq = 3")
    assert findings() == [("changed", 3, "transition"), ("changed", 3, "input")]


def test_a_finding_says_which_row_and_when(written, keys):
    tamper("UPDATE chatapp_transition SET kind = 'renamed' WHERE seq = 3")
    (finding,) = verify_conversation(written.id, keys).findings
    assert finding == Finding("changed", 3, row_at(written, 3).id, 2_000, "transition")
    assert finding.is_fault


@pytest.mark.parametrize("seq", [1, 3, 5])
def test_a_removed_row_is_missing_wherever_it_stood(written, findings, seq):
    with guards_down():
        row_at(written, seq).delete()
    assert findings() == [("missing", seq, "transition")]


def test_a_row_removed_at_the_end_is_missing_even_when_the_head_was_set_back(written, findings):
    with guards_down():
        row_at(written, 5).delete()
        Conversation.objects.update(chain=row_at(written, 4).chain)
    assert findings() == [("missing", 5, "transition")]


def test_a_log_that_was_emptied_is_missing(written, findings):
    with guards_down():
        Transition.objects.all().delete()
        Conversation.objects.update(chain=b"")
    assert findings() == [("missing", 1, "transition")]


def test_rows_that_changed_places_are_reordered(written, findings):
    tamper(
        "UPDATE chatapp_transition SET seq = 99 WHERE seq = 2",
        "UPDATE chatapp_transition SET seq = 2 WHERE seq = 4",
        "UPDATE chatapp_transition SET seq = 4 WHERE seq = 99",
    )
    assert {(kind, seq) for kind, seq, _ in findings()} == {("reordered", 2), ("reordered", 4)}


def test_a_forged_row_at_the_end_is_changed(written, findings):
    forged = row_at(written, 5)
    Transition.objects.create(
        conversation=written, seq=6, kind="forged", created_ms=1, chain=forged.chain
    )
    Conversation.objects.update(last_seq=6)
    assert ("changed", 6, "transition") in findings()


def test_a_row_beyond_the_newest_seq_is_changed(written, findings):
    Transition.objects.create(conversation=written, seq=9, kind="forged", created_ms=1, chain=b"x")
    assert findings() == [("changed", 9, "row beyond the newest seq")]


def test_a_head_that_was_set_back_is_found(written, findings):
    Conversation.objects.update(last_seq=4, chain=row_at(written, 4).chain)
    assert findings() == [("changed", 5, "row beyond the newest seq")]


def test_a_head_with_another_chain_is_found(written, findings):
    Conversation.objects.update(chain=b"x")
    assert {kind for kind, _, _ in findings()} == {"missing"}


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ("body = NULL", "changed"),
        ("erased_ms = 5", "changed"),
        ("body = NULL, erased_ms = 5", "erased"),
    ],
)
def test_contents_are_erased_only_with_a_time_and_without_a_body(written, findings, change, kind):
    payload = Payload.objects.get(transition__seq=2, part="input")
    with guards_down():
        fields = dict(pair.split(" = ") for pair in change.split(", "))
        values = {name: None if value == "NULL" else int(value) for name, value in fields.items()}
        Payload.objects.filter(id=payload.id).update(**values)
    assert findings() == [(kind, 2, "input")]


def test_a_content_that_was_removed_is_missing(written, findings):
    with guards_down():
        Payload.objects.filter(transition__seq=2, part__in=("input", "output")).delete()
    assert findings() == [("missing", 2, "input, output")]


def test_a_damaged_content_is_changed(written, findings):
    payload = Payload.objects.get(transition__seq=2, part="output")
    body = bytearray(payload.body)
    body[-1] ^= 1
    with guards_down():
        Payload.objects.filter(id=payload.id).update(body=bytes(body))
    assert findings() == [("changed", 2, "output")]


def test_a_genuine_content_under_another_part_is_changed(written, keys, findings):
    with guards_down():
        Payload.objects.filter(transition__seq=2, part="input").update(part="state_after")
    assert findings() == [("missing", 2, "input"), ("changed", 2, "state_after")]


@pytest.mark.parametrize("part", ["state_before", "id", "planted"])
def test_a_content_that_nothing_commits_to_is_changed(written, findings, part):
    Payload.objects.create(transition=row_at(written, 1), part=part, body=b"planted")
    assert findings() == [("changed", 1, part)]


def test_a_content_sealed_again_with_other_words_is_changed(written, keys, findings):
    payload = Payload.objects.get(transition__seq=2, part="output")
    body = seal(keys, "chatapp_payload", "body", payload.id, b"what was never said")
    with guards_down():
        Payload.objects.filter(id=payload.id).update(body=body)
    assert findings() == [("changed", 2, "output")]


def test_erased_contents_are_reported_and_are_no_fault(written, keys):
    with erasure_permit(written.id) as permit:
        erase_payloads(written.id, permit)
    found = verify_conversation(written.id, keys).findings
    assert [(finding.kind, finding.seq) for finding in found] == [
        ("erased", seq) for seq in range(1, 6)
    ]
    assert not any(finding.is_fault for finding in found)


def test_tampering_is_still_found_after_erasure(written, keys):
    with erasure_permit(written.id) as permit:
        erase_payloads(written.id, permit)
    tamper("UPDATE chatapp_transition SET kind = 'renamed' WHERE seq = 3")
    faults = [one for one in verify_conversation(written.id, keys).findings if one.is_fault]
    assert [(fault.kind, fault.seq) for fault in faults] == [("changed", 3)]


def test_a_writer_in_between_is_no_finding(written, keys, append, monkeypatch):
    plain_check = verification.unbroken

    def check_after_another_append(records, key, **options):
        append(written, log.Change(kind="renamed", input=b"meanwhile"))
        return plain_check(records, key, **options)

    monkeypatch.setattr(verification, "unbroken", check_after_another_append)
    assert verify_conversation(written.id, keys).findings == ()


def test_the_number_of_queries_does_not_grow_with_the_log(
    written, keys, append, django_assert_num_queries
):
    with django_assert_num_queries(14):
        verify_conversation(written.id, keys)
    append(written, *[log.Change(kind="renamed", input=b"title")] * 40)
    with django_assert_num_queries(14):
        verify_conversation(written.id, keys)


def test_every_conversation_is_verified_under_its_owners_key(written, keys):
    space = keyring.create_key_space(None, KeySpace.Kind.TEAM)
    other = Conversation.objects.create(key_space=space, created_ms=1, updated_ms=1)
    head = log.next_seq(other.id)
    log.append_transition(
        other.id, keyring.keys_of(space.id), log.Change(kind="x"), head=head, created_ms=1
    )
    results = {result.conversation_id: result for result in verify_log()}
    assert results.keys() == {written.id, other.id}
    assert [result.findings for result in results.values()] == [(), ()]


def test_one_conversation_can_be_named(written, make_conversation):
    make_conversation()
    assert [result.conversation_id for result in verify_log(written.id)] == [written.id]


def test_an_unknown_conversation_yields_nothing():
    assert list(verify_log(new_id())) == []


def test_a_destroyed_key_is_an_erasure(written, keys):
    KeySpace.objects.update(wrapped_key=b"")
    keyring.forget(keys.id)
    (result,) = verify_log()
    assert [(one.kind, one.what) for one in result.findings] == [("erased", "key")]
