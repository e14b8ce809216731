"""Attempts as rows: blocks are kept once, sealed; outputs and details open for their owner only."""

import pytest

from chatapp.access import owner_of
from chatapp.models import Attempt, RequestBlock, Snapshot
from chatapp.services.conversations import conversation_create
from chatapp.store import attempts
from chatapp.vault import SealBroken
from statecore.context.manifest import Block
from tests.support.people import accept, new_process, prepare

pytestmark = pytest.mark.django_db

BLOCKS = (Block(b"[1]"), Block(b"[2]"), Block(b"[3]"))


@pytest.fixture
def attempt(cast):
    process = new_process()
    turn_id = accept(cast.access, "Hi", process).turn_id
    return Attempt.objects.get(pk=prepare(turn_id, process).attempt_id)


def keep(cast, blocks, conversation=None):
    conversation = conversation or cast.access.conversation
    return attempts.keep_blocks(conversation.id, blocks, cast.owner.keys)


def test_blocks_are_named_in_order_and_kept_once(cast):
    first = keep(cast, BLOCKS[:2])
    second = keep(cast, BLOCKS)

    assert second[:2] == first
    assert RequestBlock.objects.count() == 3


def test_a_block_that_comes_twice_in_one_request_is_kept_once(cast):
    ids = keep(cast, (BLOCKS[0], BLOCKS[1], BLOCKS[0]))

    assert ids[0] == ids[2]
    assert RequestBlock.objects.count() == 2


def test_conversations_share_no_blocks(cast):
    other = conversation_create(cast.owner, model_name="")

    assert set(keep(cast, BLOCKS)).isdisjoint(keep(cast, BLOCKS, other))


def test_keeping_blocks_costs_two_queries(cast, django_assert_num_queries):
    with django_assert_num_queries(2):
        keep(cast, BLOCKS)
    with django_assert_num_queries(1):
        keep(cast, BLOCKS)


def test_blocks_are_sealed_and_come_back_in_order(cast, attempt):
    attempt.manifest = keep(cast, BLOCKS[::-1])

    assert attempts.stored_blocks(attempt, cast.owner.keys) == BLOCKS[::-1]
    assert not any(b"[1]" in bytes(row.body) for row in RequestBlock.objects.all())


def test_two_people_s_equal_blocks_have_different_digests(cast):
    theirs = owner_of(cast.mallory)
    conversation = conversation_create(theirs, model_name="")

    keep(cast, BLOCKS[:1])
    attempts.keep_blocks(conversation.id, BLOCKS[:1], theirs.keys)

    assert len({bytes(row.digest) for row in RequestBlock.objects.all()}) == 2


def test_a_snapshot_is_kept_once_under_its_hash():
    for _ in range(2):
        attempts.keep_snapshot("0" * 64, "model", {"name": "scripted"})

    assert Snapshot.objects.get().body == {"name": "scripted"}


def test_output_and_detail_open_for_their_owner_only(cast, attempt):
    keys, strange = cast.owner.keys, owner_of(cast.mallory).keys
    attempt.output = attempts.seal_output(attempt.id, "The first", keys)
    attempt.detail = attempts.seal_detail(attempt.id, "HTTP 500", keys)

    assert attempts.output_of(attempt, keys) == "The first"
    assert attempts.detail_of(attempt, keys) == "HTTP 500"
    with pytest.raises(SealBroken):
        attempts.output_of(attempt, strange)


def test_output_does_not_pass_for_detail(cast, attempt):
    keys = cast.owner.keys
    attempt.detail = attempts.seal_output(attempt.id, "The first", keys)

    with pytest.raises(SealBroken):
        attempts.detail_of(attempt, keys)
