"""Appending to the log: seqs, chain, sealed contents, and what it costs."""

import threading

import pytest
from django.db import connection, transaction

from chatapp.ids import new_id
from chatapp.models import Conversation, Payload, Transition
from chatapp.store import log
from chatapp.store.payloads import open_payload
from chatapp.store.verification import verify_conversation
from statecore.log import commit_part

pytestmark = pytest.mark.django_db

RENAME = log.Change(kind="renamed", input=b"new title")


def test_the_first_transition_starts_an_empty_chain(conversation):
    assert log.next_seq(conversation.id) == log.Head(seq=1, chain=b"")


def test_the_head_follows_the_newest_transition(conversation, append):
    append(conversation, RENAME, RENAME)
    newest = Transition.objects.get(conversation=conversation, seq=2)
    assert conversation.last_seq == 2
    assert bytes(conversation.chain) == bytes(newest.chain)
    assert log.next_seq(conversation.id) == log.Head(seq=3, chain=bytes(newest.chain))


def test_several_seqs_are_claimed_at_once_and_chained_by_hand(conversation, keys):
    head = log.next_seq(conversation.id, count=3)
    assert head.seq == 1
    for _ in range(3):
        head = log.append_transition(conversation.id, keys, RENAME, head=head, created_ms=1)
    assert head.seq == 4
    assert verify_conversation(conversation.id, keys).findings == ()


def test_an_unknown_conversation_is_refused():
    with pytest.raises(Conversation.DoesNotExist):
        log.next_seq(new_id())


def test_a_transition_holds_commitments_and_no_text(conversation, keys, append):
    turn = new_id()
    append(conversation, log.Change(kind="turn_accepted", turn=turn, input=b"hello"))
    row = Transition.objects.get()
    assert (row.kind, row.turn, row.created_ms) == ("turn_accepted", turn, 2_000)
    assert bytes(row.input) == commit_part(keys.log, "input", b"hello")
    assert (bytes(row.request), bytes(row.output)) == (b"", b"")


def test_parts_that_apply_are_sealed_beside_the_transition(conversation, keys, append):
    append(conversation, log.Change(kind="x", input=b"hello", state_after=b"hash"))
    rows = Payload.objects.all()
    assert {row.part: open_payload(row, keys) for row in rows} == {
        "input": b"hello",
        "state_after": b"hash",
    }
    assert all(b"hello" not in bytes(row.body) for row in rows)


def test_what_is_rolled_back_leaves_no_trace(conversation, keys):
    class Undone(Exception):
        pass

    def append_and_fail():
        with transaction.atomic():
            head = log.next_seq(conversation.id)
            log.append_transition(conversation.id, keys, RENAME, head=head, created_ms=1)
            raise Undone

    with pytest.raises(Undone):
        append_and_fail()
    conversation.refresh_from_db()
    assert (conversation.last_seq, bytes(conversation.chain)) == (0, b"")
    assert not Transition.objects.exists()
    assert not Payload.objects.exists()


def test_two_conversations_have_chains_of_their_own(make_conversation, keys, append):
    first, second = make_conversation(), make_conversation()
    append(first, RENAME)
    append(second, RENAME)
    append(first, RENAME)
    assert (first.last_seq, second.last_seq) == (2, 1)
    assert verify_conversation(first.id, keys).findings == ()
    assert verify_conversation(second.id, keys).findings == ()


@pytest.mark.parametrize(("touch", "expected_ms"), [(False, 1_000), (True, 7_000)])
def test_only_a_touch_makes_the_conversation_recent(conversation, append, touch, expected_ms):
    append(conversation, RENAME, created_ms=7_000, touch=touch)
    assert conversation.updated_ms == expected_ms


def test_a_claim_costs_one_query_and_an_append_three(conversation, keys, django_assert_num_queries):
    everything = log.Change("x", new_id(), b"1", b"2", b"3", b"4", b"5")
    with django_assert_num_queries(1):
        head = log.next_seq(conversation.id)
    with django_assert_num_queries(3):
        log.append_transition(
            conversation.id, keys, everything, head=head, created_ms=1, touch=True
        )


@pytest.mark.django_db(transaction=True)
def test_writers_at_once_leave_one_gapless_chain(conversation, keys):
    barrier = threading.Barrier(6)
    failed = []

    def write():
        barrier.wait()
        try:
            for _ in range(5):
                with transaction.atomic():
                    head = log.next_seq(conversation.id)
                    log.append_transition(conversation.id, keys, RENAME, head=head, created_ms=1)
        except Exception as error:  # noqa: BLE001  # a thread hands its failure to the test
            failed.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=write) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    result = verify_conversation(conversation.id, keys)
    assert (result.transitions, result.findings) == (30, ())
