"""Rows of conversations and branches: titles sealed, heads reserved and freed."""

import pytest

from chatapp.access import owner_of
from chatapp.ids import new_id
from chatapp.models import Branch, Conversation
from chatapp.services.conversations import conversation_create
from chatapp.store import conversations
from chatapp.vault import SealBroken
from tests.support.people import branch_of, new_process, say

pytestmark = pytest.mark.django_db


def reserve(cast, **changes):
    branch = branch_of(cast.access)
    wanted = {
        "conversation_id": cast.access.conversation.id,
        "branch_id": branch.id,
        "turn_id": new_id(),
        "version": branch.version,
        **changes,
    }
    return conversations.reserve_head(**wanted)


def test_a_title_is_sealed_for_its_conversation(cast):
    keys, row = cast.owner.keys, cast.access.conversation
    other = conversation_create(cast.owner, model_name="")
    row.title = conversations.seal_title(row.id, "Реки", keys)

    assert conversations.title_of(row, keys) == "Реки"
    other.title = row.title
    with pytest.raises(SealBroken):
        conversations.title_of(other, keys)


def test_a_conversation_without_title_has_none(cast):
    assert conversations.title_of(cast.access.conversation, cast.owner.keys) is None


def test_a_conversation_begins_with_its_main_branch(cast):
    conversation, branch = conversations.insert(cast.owner.keys, now_ms=7, model_name="second")

    row = Conversation.objects.get(pk=conversation.id)
    assert (row.created_ms, row.updated_ms, row.model_name) == (7, 7, "second")
    assert Branch.objects.get(conversation=conversation) == branch
    assert (branch.origin, branch.created_seq, branch.active_turn) == ("main", 1, None)


def test_a_free_head_is_reserved_once(cast):
    version = branch_of(cast.access).version

    assert reserve(cast)
    assert not reserve(cast)
    assert branch_of(cast.access).version == version + 1


def test_a_head_that_was_seen_at_another_version_is_not_reserved(cast):
    assert not reserve(cast, version=branch_of(cast.access).version + 1)
    assert branch_of(cast.access).active_turn is None


def test_a_head_is_reserved_within_its_own_conversation_only(cast):
    stranger = conversation_create(owner_of(cast.mallory), model_name="")

    assert not reserve(cast, conversation_id=stranger.id)


def test_only_the_turn_that_holds_the_head_frees_or_moves_it(cast):
    turn_id, other = new_id(), new_id()
    branch = branch_of(cast.access)
    reserve(cast, turn_id=turn_id)

    conversations.release_head(branch.id, other)
    assert not conversations.advance_tip(branch.id, other)
    assert branch_of(cast.access).active_turn == turn_id
    conversations.release_head(branch.id, turn_id)
    assert branch_of(cast.access).active_turn is None


def test_a_retry_reserves_the_head_only_where_nothing_came_after(cast):
    process = new_process()
    tip = say(cast.access, "one", "two", process)
    branch = branch_of(cast.access)

    assert not conversations.reserve_for_retry(branch.id, new_id(), None)
    assert conversations.reserve_for_retry(branch.id, new_id(), tip)
    assert not conversations.reserve_for_retry(branch.id, new_id(), tip)
    assert branch_of(cast.access).version == branch.version + 1
