"""All of a conversation is read at once: branches, turns with their own messages, the system's."""

import pytest

from chatapp.models import Branch, Turn
from chatapp.services.importing import tree_import
from chatapp.store.whole_tree import (
    count_turns,
    name_of,
    newest_seq,
    read_branches,
    read_systems,
    read_tree,
    seal_name,
    selected_branch,
)
from tests.statecore.tree_builders import forked

pytestmark = pytest.mark.django_db


@pytest.fixture
def grown(cast):
    tree_import(cast.access, forked())
    return cast.access


def test_turns_come_by_their_seq_with_the_messages_that_are_their_own(grown):
    found = read_tree(grown.conversation.id, grown.keys)
    assert [[message.text for message in row.messages] for row in found] == [
        ["Question 1.", "Answer 1."],
        ["Question 2.", "Answer 2."],
        ["Question 3.", "Answer 3."],
        ["Answer 4."],
    ]
    assert [row.input_of for row in found] == [None, None, None, found[2].id]
    assert count_turns(grown.conversation.id) == 4


def test_the_main_line_comes_first_whatever_was_made_when(grown):
    Branch.objects.filter(conversation=grown.conversation, origin="main").update(created_seq=999)
    origins = [branch.origin for branch in read_branches(grown.conversation.id)]
    assert origins == ["main", "edit", "regenerate"]


def test_a_name_is_sealed_with_its_branch(grown):
    branch = read_branches(grown.conversation.id)[1]
    assert name_of(branch, grown.keys) is None
    branch.name = seal_name(branch.id, "План Б", grown.keys)
    assert b"\xd0\x9f" not in branch.name
    assert name_of(branch, grown.keys) == "План Б"
    assert seal_name(branch.id, None, grown.keys) is None


def test_who_has_chosen_nothing_has_selected_nothing(cast, grown):
    assert selected_branch(grown.conversation.id, cast.mallory.pk) is None
    chosen = selected_branch(grown.conversation.id, cast.alice.pk)
    assert chosen == read_branches(grown.conversation.id)[2].id


def test_system_messages_are_those_that_some_turn_was_asked_under(grown):
    conversation_id = grown.conversation.id
    first = Turn.objects.filter(conversation=conversation_id).order_by("accepted_seq").first()

    def seqs(*accepted):
        return [row.seq for row in read_systems(conversation_id, grown.keys, accepted)]

    assert seqs(first.accepted_seq) == [1]
    assert seqs() == [1]
    assert newest_seq(conversation_id) > first.accepted_seq
