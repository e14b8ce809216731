"""A whole conversation is one document, whatever happens while it is read."""

import pytest

from chatapp.access import conversation_for
from chatapp.models import Branch, Selection, Turn
from chatapp.selectors import contract_tree
from chatapp.selectors.contract import TooLong, contract_of
from chatapp.selectors.contract_tree import tree_of
from chatapp.services.importing import tree_import
from statecore.contract.hashing import state_hash
from statecore.contract.tree_paths import path_of
from statecore.contract.tree_schema import TreeSystem
from tests.statecore.contract_builders import said
from tests.statecore.tree_builders import forked
from tests.support.people import accept, new_process, say
from tests.support.remembering import learn

pytestmark = pytest.mark.django_db


@pytest.fixture
def process(cast):
    return new_process()


def test_a_conversation_on_one_line_is_its_state(cast, process):
    learn(cast.access, say(cast.access, "Мой бюджет 900 евро.", "Хорошо.", process), "rule")
    accept(cast.access, "Und jetzt?", process)
    found = tree_of(cast.access)
    assert [branch.origin for branch in found.branches] == ["main"]
    assert [turn.status for turn in found.turns] == ["committed", "running"]
    state = contract_of(cast.access)
    assert state_hash(path_of(found, found.selected)) == state_hash(state)
    assert path_of(found, found.selected).request_meta == state.request_meta


def test_a_branch_that_was_archived_is_not_looked_at(cast):
    tree_import(cast.access, forked())
    chosen = Selection.objects.get(conversation=cast.access.conversation)
    Branch.objects.filter(pk=chosen.branch_id).update(archived_ms=5)
    found = tree_of(cast.access)
    assert found.selected == found.branches[0].id


def test_what_waits_is_part_of_its_own_branch_only(cast, process):
    tree_import(cast.access, forked())
    accept(cast.access, "And now?", process)
    main = Branch.objects.get(conversation=cast.access.conversation, origin="main")
    other = Branch.objects.create(
        conversation=cast.access.conversation,
        origin="fork",
        left_branch=main,
        tip=main.tip,
        created_seq=99,
        created_ms=0,
    )

    def count(branch):
        named = conversation_for(cast.alice, cast.access.conversation.id, branch.id)
        return len(contract_of(named).turns)

    assert (count(main), count(other)) == (3, 2)


def test_only_system_messages_that_were_ever_in_force_are_given_out(cast):
    assert [message.seq for message in tree_of(cast.access).system] == [1]
    told = TreeSystem(**dict(said("s", "system", "Be brief.")), seq=0)
    tree_import(cast.access, forked().model_copy(update={"system": (told,)}))
    # The one that the conversation began with was never sent.
    assert [message.text for message in tree_of(cast.access).system] == ["Be brief."]


def test_a_conversation_that_changes_while_it_is_read_is_read_again(cast, process, monkeypatch):
    say(cast.access, "One.", "Yes.", process)
    read = contract_tree._read
    seen = []

    def said_meanwhile(access, as_of):
        found = read(access, as_of)
        if not seen:
            say(cast.access, "Two.", "Yes.", process)
        seen.append(as_of)
        return found

    monkeypatch.setattr(contract_tree, "_read", said_meanwhile)
    assert len(tree_of(cast.access).turns) == 2
    assert len(seen) == 2


def test_a_conversation_with_too_many_turns_is_not_given_out(cast, process, monkeypatch):
    say(cast.access, "One.", "Yes.", process)
    monkeypatch.setattr("chatapp.store.whole_path.MAX_TURNS", 0)
    assert tree_of(cast.access) == TooLong(1, 0)


def test_the_number_of_queries_does_not_grow_with_the_tree(
    cast, process, django_assert_max_num_queries
):
    tree_import(cast.access, forked())
    for number in range(4):
        say(cast.access, f"{number}", "Yes.", process)
    assert Turn.objects.count() == 8
    with django_assert_max_num_queries(12):
        tree_of(cast.access)
