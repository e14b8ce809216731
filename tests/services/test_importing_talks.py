"""A conversation in which everything was done moves with all its branches."""

from uuid import UUID

import pytest

from chatapp.access import conversation_for
from chatapp.ids import new_id
from chatapp.models import Branch, Turn
from chatapp.selectors.contract import contract_of
from chatapp.selectors.contract_tree import tree_of
from chatapp.services.branching import (
    branch_archive,
    branch_fork,
    branch_name,
    branch_redo,
    branch_roll_back,
    branch_select,
)
from chatapp.services.commits import turn_commit, turn_interrupt
from chatapp.services.importing import tree_import_new
from chatapp.services.memory import field_set, memory_add, memory_delete
from chatapp.services.outcomes import Accepted, Forked, RolledBack
from chatapp.services.turns import NewInput, turn_accept, turn_edit, turn_regenerate
from chatapp.store.branches import viewed_branch
from chatapp.store.verification import verify_conversation
from statecore.contract.hashing import state_hash
from statecore.contract.tree_document import dump_tree, parse_tree
from statecore.contract.tree_hashing import tree_hash
from statecore.contract.tree_paths import path_of
from statecore.state.operations import FieldSet
from tests.support.people import MODEL, answered, new_process, prepare
from tests.support.remembering import learn, remembered

pytestmark = pytest.mark.django_db


@pytest.fixture
def talk(cast):
    return _Talk(cast.access)


class _Talk:
    """Talks on the branch that is looked at."""

    def __init__(self, access) -> None:
        self.access = access
        self.process = new_process()

    def _typed(self, text):
        branch = viewed_branch(self.access)
        return NewInput(text, new_id().hex, branch.id, branch.version, MODEL.name)

    def _answered(self, accepted, answer):
        assert isinstance(accepted, Accepted)
        found = prepare(accepted.turn_id, self.process)
        assert turn_commit(
            accepted.turn_id, found.attempt_id, answered(answer), owner=self.process, model=MODEL
        )
        return accepted.turn_id

    def says(self, text, answer="Хорошо."):
        return self._answered(
            turn_accept(self.access, self._typed(text), owner=self.process), answer
        )

    def edits(self, turn_id, text):
        found = turn_edit(self.access, turn_id, self._typed(text), owner=self.process)
        return self._answered(found, "好的。")

    def regenerates(self, turn_id):
        found = turn_regenerate(
            self.access, turn_id, key=new_id().hex, model_name=MODEL.name, owner=self.process
        )
        return self._answered(found, "Another answer.")

    def breaks_off(self, text):
        found = turn_accept(self.access, self._typed(text), owner=self.process)
        turn_interrupt(found.turn_id, owner=self.process)
        return found.turn_id


@pytest.fixture
def lived(talk):
    """A conversation with every kind of branch, and memory on several of them."""
    access = talk.access
    first = talk.says("Мой бюджет 900 евро. Отель в Риме.")
    learn(access, first, "rule")
    second = talk.says("不要海鲜。")
    main = viewed_branch(access).id
    edited = talk.edits(second, "The code is 4711.")
    learn(access, edited, "fact")
    memory_add(access, "task", "On the edited line only.")
    talk.regenerates(edited)
    forked = branch_fork(access, first, "План Б")
    assert isinstance(forked, Forked)
    third = talk.says("Weiter.")
    talk.says("Und noch weiter.")
    assert isinstance(branch_roll_back(access, third), RolledBack)
    memory_add(access, "task", "At the turn that was rolled back to.")
    talk.says("Anders.")
    assert isinstance(branch_roll_back(access, first), RolledBack)
    field_set(access, FieldSet("step", "2"))
    assert isinstance(branch_redo(access), RolledBack)
    branch_select(access, main)
    memory_delete(access, remembered(access).entries[0].id)
    talk.breaks_off("Und jetzt?")
    unnamed = Branch.objects.filter(conversation=access.conversation, origin="regenerate").get()
    branch_name(access, unnamed.id, "备选")
    branch_archive(access, unnamed.id, archived=True)
    branch_select(access, forked.branch_id)
    assert isinstance(branch_roll_back(access, first), RolledBack)
    return conversation_for(_owner(access), access.conversation.id)


def _owner(access):
    return access.conversation.key_space.owner


def states(access, tree):
    found = {}
    for branch in tree.branches:
        there = conversation_for(_owner(access), access.conversation.id, UUID(branch.id))
        found[branch.id] = contract_of(there)
    return found


def test_it_is_one_document_of_which_every_branch_is_the_state_that_its_page_gives_out(lived):
    tree = tree_of(lived)
    assert parse_tree(dump_tree(tree)) == tree
    origins = {branch.origin for branch in tree.branches}
    assert origins == {"main", "edit", "regenerate", "fork", "rollback"}
    for branch_id, state in states(lived, tree).items():
        assert path_of(tree, branch_id) == state.model_copy(
            update={"request_meta": path_of(tree, branch_id).request_meta}
        )


def test_it_comes_in_elsewhere_as_it_was_and_so_does_every_branch(cast, lived):
    tree = tree_of(lived)
    access = conversation_for(cast.alice, tree_import_new(cast.owner, parse_tree(dump_tree(tree))))
    moved = tree_of(access)
    assert tree_hash(moved) == tree_hash(tree)
    here, there = states(lived, tree), states(access, moved)
    assert [state_hash(state) for state in here.values()] == [
        state_hash(state) for state in there.values()
    ]
    assert len({state_hash(state) for state in here.values()}) == len(here)
    for one in (lived, access):
        assert verify_conversation(one.conversation.id, one.keys).findings == ()


def test_what_was_rolled_back_can_be_redone_elsewhere(cast, lived):
    tree = tree_of(lived)
    access = conversation_for(cast.alice, tree_import_new(cast.owner, tree))
    assert viewed_branch(access).redo_tip is not None
    assert isinstance(branch_redo(lived), RolledBack)
    assert isinstance(branch_redo(access), RolledBack)
    assert state_hash(contract_of(access)) == state_hash(contract_of(lived))
    assert Turn.objects.filter(conversation=access.conversation).count() == len(tree.turns)
