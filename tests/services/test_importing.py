"""A state that leaves one conversation and comes into another is the same state."""

import pytest

from chatapp.access import conversation_for
from chatapp.models import Tombstone, Transition, Turn
from chatapp.selectors.contract import contract_of
from chatapp.services.conversations import conversation_create
from chatapp.services.importing import state_import
from chatapp.services.memory import field_set, memory_add, memory_delete, memory_edit, memory_undo
from chatapp.services.outcomes import Imported, NotEmpty
from chatapp.store.verification import verify_conversation
from statecore.contract.differences import difference
from statecore.contract.document import dump, parse
from statecore.contract.hashing import state_hash
from statecore.state.operations import FieldSet
from tests.support.people import MODEL, accept, new_process, say
from tests.support.remembering import learn, remembered, texts

pytestmark = pytest.mark.django_db

SAID = (
    ("Мой бюджет 900 евро. Отель в Риме.", "Хорошо."),
    ("不要海鲜。", "好的。"),
    ("The code is 4711.", "Noted."),
)


@pytest.fixture
def process(cast):
    return new_process()


@pytest.fixture
def told(cast, process):
    """A conversation with three turns, what they taught, and what its owner did about it."""
    turns = [say(cast.access, text, answer, process) for text, answer in SAID]
    for turn in turns[:2]:
        learn(cast.access, turn, "rule")
    first, second = remembered(cast.access).entries
    memory_edit(cast.access, first.id, "Budget 1,000.")
    memory_delete(cast.access, second.id)
    added = memory_add(cast.access, "task", "Call the hotel.")
    memory_undo(cast.access, added.seq)
    memory_add(cast.access, "task", "Book a table.")
    field_set(cast.access, FieldSet("step", "2"))
    return cast.access


@pytest.fixture
def empty(cast):
    """Another conversation of the same person."""
    conversation = conversation_create(cast.owner, model_name=MODEL.name)
    return conversation_for(cast.alice, conversation.id)


def again(access):
    return conversation_for_owner(access)


def moved(access, other):
    """Let a state travel as text."""
    outcome = state_import(other, parse(dump(contract_of(access))))
    assert isinstance(outcome, Imported)
    return contract_of(other)


def test_an_imported_state_has_the_same_hash(told, empty):
    before = contract_of(told)
    after = moved(told, empty)
    assert difference(before, after) == ()
    assert state_hash(before) == state_hash(after)
    assert parse(dump(after)) == after


def test_the_log_of_an_imported_conversation_verifies(told, empty):
    moved(told, empty)
    found = verify_conversation(empty.conversation.id, empty.keys)
    assert found.findings == ()
    seqs = Transition.objects.filter(conversation=empty.conversation).values_list("seq", flat=True)
    assert sorted(seqs) == list(range(1, len(seqs) + 1))
