"""A conversation that leaves with all its branches comes in as the same conversation."""

from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings

from chatapp.access import conversation_for
from chatapp.clock import now_ms
from chatapp.models import Branch, Checkpoint, Conversation, Selection, Transition, Turn
from chatapp.selectors.contract import contract_of
from chatapp.selectors.contract_tree import tree_of
from chatapp.services.conversations import conversation_create
from chatapp.services.importing import DAY_MS, tree_import, tree_import_new
from chatapp.services.outcomes import Imported, NotEmpty
from chatapp.store.branches import viewed_branch
from chatapp.store.verification import verify_conversation
from statecore.contract.hashing import state_hash
from statecore.contract.tree_document import dump_tree, parse_tree
from statecore.contract.tree_hashing import tree_hash, under_places
from statecore.contract.tree_paths import path_of
from statecore.errors import InvalidInput
from tests.statecore.tree_builders import forked, leaf, tree, trees
from tests.support.people import MODEL, new_process, say

pytestmark = pytest.mark.django_db


@pytest.fixture
def empty(cast):
    """Another conversation of the same person."""
    conversation = conversation_create(cast.owner, model_name=MODEL.name)
    return conversation_for(cast.alice, conversation.id)


def come_in(cast, given):
    """Import a tree as a new conversation and return it as it would leave again."""
    access = conversation_for(cast.alice, tree_import_new(cast.owner, given))
    found = tree_of(access)
    # Where a file has no system message, that of the conversation stays in force.
    bare = found if given.system else found.model_copy(update={"system": ()})
    return access, bare


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(trees())
def test_any_tree_comes_in_and_goes_out_as_it_is(cast, drawn):
    access, found = come_in(cast, drawn)
    assert tree_hash(found) == tree_hash(drawn)
    assert parse_tree(dump_tree(found)) == found
    for before, after in zip(drawn.branches, found.branches, strict=True):
        there = conversation_for(cast.alice, access.conversation.id, UUID(after.id))
        state = contract_of(there)
        assert state_hash(state) == state_hash(path_of(tree_of(access), after.id))
        bare = state if drawn.system else state.model_copy(update={"system": None})
        assert state_hash(bare) == state_hash(path_of(drawn, before.id))
    assert verify_conversation(access.conversation.id, access.keys).findings == ()


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(trees())
def test_what_comes_in_again_is_the_same_text_but_for_its_ids(cast, drawn):
    _, once = come_in(cast, drawn)
    given_again = parse_tree(dump_tree(once))
    _, again = come_in(cast, given_again)
    assert dump_tree(under_places(again)) == dump_tree(under_places(once))


def test_inputs_that_are_shared_stay_shared(cast):
    access, _ = come_in(cast, forked())
    rows = Turn.objects.filter(conversation=access.conversation).order_by("accepted_seq")
    inputs = list(rows.values_list("input_message_id", flat=True))
    assert len(inputs) == 4
    assert inputs[2] == inputs[3]
    sums = list(rows.values_list("sum_messages", flat=True))
    assert sums == [2, 4, 4, 4]


def test_the_branch_that_was_looked_at_is_the_one_that_is(cast, empty):
    assert isinstance(tree_import(empty, forked()), Imported)
    assert viewed_branch(empty).origin == "regenerate"
    assert Selection.objects.get(conversation=empty.conversation).user_id == cast.alice.pk


def test_each_branch_and_each_thing_has_its_line_in_the_log(empty):
    tree_import(empty, forked())
    rows = Transition.objects.filter(conversation=empty.conversation).order_by("seq")
    assert list(rows.values_list("seq", flat=True)) == list(range(1, len(rows) + 1))
    kinds = list(rows.values_list("kind", flat=True))
    assert kinds.count("branch_imported") == 2
    made = Branch.objects.filter(conversation=empty.conversation).exclude(origin="main")
    for branch in made:
        assert rows.get(seq=branch.created_seq).kind == "branch_imported"


def test_times_and_title_are_kept(cast):
    given_tree = forked()
    told = given_tree.conversation.model_copy(
        update={"title": "Отпуск", "created_ms": 5_000, "updated_ms": 6_000}
    )
    _, found = come_in(cast, given_tree.model_copy(update={"conversation": told}))
    assert found.conversation.model_copy(update={"id": "c1"}) == told


def test_an_imported_line_can_be_written_on(cast, empty):
    tree_import(empty, forked())
    turn_id = say(empty, "Und weiter?", "Ja.", new_process())
    newest = Turn.objects.get(pk=turn_id)
    assert (newest.depth, newest.branch.origin) == (3, "main")
    assert verify_conversation(empty.conversation.id, empty.keys).findings == ()


def test_checkpoints_are_written_for_every_branch(empty, monkeypatch):
    monkeypatch.setattr("chatapp.store.checkpoints.EVERY_TURNS", 2)
    tree_import(empty, forked())
    assert Checkpoint.objects.count() == 3


def test_a_conversation_with_a_branch_is_not_empty(empty):
    main = Branch.objects.get(conversation=empty.conversation)
    Branch.objects.create(
        conversation=empty.conversation,
        origin="fork",
        left_branch=main,
        created_seq=1,
        created_ms=0,
    )
    assert isinstance(tree_import(empty, forked()), NotEmpty)
    assert not Turn.objects.filter(conversation=empty.conversation).exists()


@pytest.mark.parametrize("name", ["created_ms", "clock_ms"])
def test_a_branch_of_the_future_is_refused_and_nothing_is_made(cast, name):
    later = now_ms() + 2 * DAY_MS
    first, second, third = forked().branches
    wrong = (first, second, third.model_copy(update={name: later}))
    before = Conversation.objects.count()
    with pytest.raises(InvalidInput, match=f"branches 3 → {name}: lies in the future"):
        tree_import_new(cast.owner, forked().model_copy(update={"branches": wrong}))
    assert Conversation.objects.count() == before


def test_too_many_turns_are_refused(cast, monkeypatch):
    monkeypatch.setattr("chatapp.services.importing.MAX_TURNS", 1)
    first = leaf(1)
    long_tree = tree(first, leaf(2, first))
    with pytest.raises(InvalidInput, match="turns: 2 where 1 are the most"):
        tree_import_new(cast.owner, long_tree)
