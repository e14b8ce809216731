"""Labelling a turn again adds what memory lacked, and brings back nothing that was deleted."""

import pytest

from chatapp.models import MemoryDelta, Transition
from chatapp.services.memory import memory_delete, memory_undo
from chatapp.services.outcomes import Missing, Relabelled, Unchanged
from chatapp.services.relabelling import label_question, memory_label_again
from chatapp.store.verification import verify_conversation
from statecore.memory.labels import CheckedLabels
from tests.support.people import accept, new_process, say
from tests.support.remembering import last_seq, learn, remembered, texts

pytestmark = pytest.mark.django_db

FIRST = "The meeting room has a round table."
SECOND = "在三楼有一个小厨房。"


@pytest.fixture
def process(cast):
    return new_process()


@pytest.fixture
def turn_id(cast, process):
    """A turn of two sentences, of which the first was learned."""
    found = say(cast.access, f"{FIRST} {SECOND}", "Noted.", process)
    learn(cast.access, found, text=FIRST)
    return found


def labels_of(access, turn_id, kind="fact"):
    question = label_question(access, turn_id)
    return CheckedLabels({sentence.number: kind for sentence in question.asked})


def test_the_question_asks_about_the_sentences_of_the_turn(cast, turn_id):
    question = label_question(cast.access, turn_id)

    assert [sentence.text for sentence in question.asked] == [FIRST, SECOND]


def test_what_memory_lacked_is_added_in_its_place(cast, turn_id, process):
    labels = labels_of(cast.access, turn_id)
    say(cast.access, "Later.", "Yes.", process)
    delta = MemoryDelta.objects.get()

    outcome = memory_label_again(cast.access, turn_id, labels)

    first, second = remembered(cast.access).entries
    assert (first.text, second.text) == (FIRST, SECOND)
    assert (second.author, second.kind, second.depth) == ("model", "fact", 1)
    assert (second.quote, second.said_seq) == (SECOND, first.said_seq)
    assert outcome == Relabelled((last_seq(cast.access),))
    assert MemoryDelta.objects.get() == delta
    assert Transition.objects.get(seq=outcome.seqs[0]).kind == "memory_added"
    assert verify_conversation(cast.access.conversation.id, cast.access.keys).findings == ()


def test_a_labelling_that_finds_nothing_new_writes_nothing(cast, turn_id):
    labels = labels_of(cast.access, turn_id)
    memory_label_again(cast.access, turn_id, labels)
    before = last_seq(cast.access)

    assert memory_label_again(cast.access, turn_id, labels) == Unchanged()
    assert last_seq(cast.access) == before


def test_rules_alone_may_find_nothing(cast, turn_id):
    assert memory_label_again(cast.access, turn_id, None) == Unchanged()


def test_what_was_deleted_stays_deleted(cast, turn_id):
    labels = labels_of(cast.access, turn_id)
    memory_delete(cast.access, remembered(cast.access).entries[0].id)

    memory_label_again(cast.access, turn_id, labels)

    assert texts(remembered(cast.access)) == [SECOND]


def test_what_it_added_can_be_taken_back(cast, turn_id):
    outcome = memory_label_again(cast.access, turn_id, labels_of(cast.access, turn_id))

    memory_undo(cast.access, outcome.seqs[0])

    assert texts(remembered(cast.access)) == [FIRST]


def test_a_turn_that_waits_or_runs_or_is_unknown_is_not_labelled_again(cast, turn_id, process):
    labels = labels_of(cast.access, turn_id)
    waiting = say(cast.access, FIRST, "Yes.", process)
    running = accept(cast.access, FIRST, process).turn_id

    for found in (waiting, running, cast.access.conversation.id):
        assert memory_label_again(cast.access, found, labels) == Missing()
    assert label_question(cast.access, running) is None
