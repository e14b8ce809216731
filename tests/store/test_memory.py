"""What a path remembers as of a moment, and what a person's acts leave in storage."""

import pytest
from django.db import IntegrityError, transaction

from chatapp.access import conversation_for, owner_of
from chatapp.models import MemoryDelta, Operation, Tombstone
from chatapp.services.conversations import conversation_create
from chatapp.services.memory import (
    field_set,
    memory_add,
    memory_delete,
    memory_edit,
    memory_pin,
    memory_undo,
)
from chatapp.store.memory import insert_delta, read_memory, waiting_turns
from chatapp.store.sealing import digest
from chatapp.vault import SealBroken
from statecore.memory.ledger import entry_id
from statecore.state.operations import FieldSet
from tests.support.people import branch_of, new_process, say
from tests.support.remembering import beside, last_seq, learn, remembered, texts

pytestmark = pytest.mark.django_db

WORDS = ["My flat has 3 rooms.", "Не звони мне до 10:00.", "预算是900元🙂，不要超过。"]


@pytest.fixture
def taught(cast):
    """A conversation of three turns, each of which taught its input."""
    process = new_process()
    for word in WORDS:
        learn(cast.access, say(cast.access, word, "Noted.", process))
    return cast.access


def ids(memory):
    return [entry.id for entry in memory.active()]


def test_nothing_is_remembered_before_the_first_turn(cast):
    memory = remembered(cast.access)

    assert (memory.entries, memory.fields, memory.removed) == ((), (), ())


def test_what_turns_taught_is_remembered_word_for_word_in_every_language(taught):
    assert texts(remembered(taught)) == WORDS


def test_a_plan_of_an_earlier_moment_does_not_see_what_was_learned_later(taught):
    second = MemoryDelta.objects.order_by("seq")[1].seq

    assert texts(remembered(taught, as_of=second)) == WORDS[:2]
    assert texts(remembered(taught, as_of=second - 1)) == WORDS[:1]


def test_a_plan_of_an_earlier_moment_does_not_see_what_a_person_did_later(taught):
    before = last_seq(taught)
    memory_delete(taught, ids(remembered(taught))[0])

    assert texts(remembered(taught)) == WORDS[1:]
    assert texts(remembered(taught, as_of=before)) == WORDS


def test_an_earlier_turn_remembers_only_what_was_said_up_to_it(taught):
    first = MemoryDelta.objects.order_by("seq").first().turn_id

    assert texts(remembered(taught, tip=first)) == WORDS[:1]


def test_additions_stay_on_their_path_and_deletions_hold_on_all(taught):
    tip = branch_of(taught).tip_id
    other = beside(tip)
    memory_add(taught, "rule", "Only on this branch.")
    field_set(taught, FieldSet("city", "Perm"))
    memory_delete(taught, ids(remembered(taught))[0])

    here, there = remembered(taught), remembered(taught, tip=other)

    assert set(texts(here)) == {*WORDS[1:], "Only on this branch."}
    assert texts(there) == WORDS[1:2]
    assert ([field.key for field in here.fields], there.fields) == (["city"], ())


def test_what_was_added_before_the_first_turn_is_inherited_by_every_path(cast):
    memory_add(cast.access, "rule", "Answer in Russian.")
    process = new_process()
    turn_id = say(cast.access, "One.", "Two.", process)

    assert texts(remembered(cast.access)) == ["Answer in Russian."]
    assert texts(remembered(cast.access, tip=beside(turn_id))) == ["Answer in Russian."]


def test_the_turn_of_another_conversation_is_no_path(taught, cast):
    other = conversation_create(cast.owner, model_name="")
    tip = branch_of(taught).tip_id

    memory = read_memory(other.id, tip, cast.owner.keys, as_of=last_seq(taught))

    assert (memory.entries, memory.operations) == ((), ())


def test_nobody_else_s_keys_open_it(taught, cast):
    with pytest.raises(SealBroken):
        read_memory(
            taught.conversation.id,
            branch_of(taught).tip_id,
            owner_of(cast.mallory).keys,
            as_of=last_seq(taught),
        )


def test_a_turn_learns_once_and_the_second_delta_leaves_nothing(taught):
    row = MemoryDelta.objects.order_by("-seq").first()
    again = remembered(taught).path.deltas[-1]

    with pytest.raises(IntegrityError), transaction.atomic():
        insert_delta(taught.conversation.id, again, taught.keys, prompt_hash="x", now_ms=1)

    assert MemoryDelta.objects.get(turn_id=row.turn_id).id == row.id


def test_turns_without_a_delta_wait_oldest_first(cast):
    process = new_process()
    turns = [say(cast.access, word, "Noted.", process) for word in WORDS]
    learned = learn(cast.access, turns[1])

    def waiting(as_of):
        tip = branch_of(cast.access).tip_id
        return waiting_turns(cast.access.conversation.id, tip, cast.access.keys, as_of=as_of)

    assert waiting(last_seq(cast.access)) == (turns[0], turns[2])
    assert waiting(learned.seq - 1) == tuple(turns)


def test_it_costs_two_queries_however_much_was_done(taught, django_assert_num_queries):
    branch, as_of = branch_of(taught), last_seq(taught)
    with django_assert_num_queries(2):
        read_memory(taught.conversation.id, branch.tip_id, taught.keys, as_of=as_of)
    for name in ids(remembered(taught)):
        memory_pin(taught, name, pinned=True)
        memory_edit(taught, name, "Other words.")
    as_of = last_seq(taught)

    with django_assert_num_queries(2):
        read_memory(taught.conversation.id, branch.tip_id, taught.keys, as_of=as_of)
    with django_assert_num_queries(1):
        read_memory(taught.conversation.id, None, taught.keys, as_of=as_of)


def test_what_is_stored_is_sealed(taught):
    memory_edit(taught, ids(remembered(taught))[0], "My flat has 4 rooms.")
    bodies = [
        bytes(body)
        for model in (MemoryDelta, Operation)
        for body in model.objects.values_list("body", flat=True)
    ]

    assert len(bodies) == 4
    for word in ("rooms", "звони", "预算"):
        assert not any(word.encode() in body for body in bodies)


def test_an_act_is_found_by_the_keyed_hash_of_its_source(taught):
    entry = remembered(taught).active()[0]
    memory_edit(taught, entry.id, "Other words.")
    memory_pin(taught, entry.id, pinned=True)
    field_set(taught, FieldSet("city", "Perm"))

    targets = [bytes(target) for target in Operation.objects.values_list("target", flat=True)]

    source = digest(taught.keys, entry_id(entry.sources[0]).encode())
    assert targets.count(source) == 2
    assert targets.count(digest(taught.keys, b"field:city")) == 1


def test_a_deletion_leaves_a_tombstone_for_each_source_while_it_is_in_force(taught):
    process = new_process()
    learn(taught, say(taught, WORDS[0], "Again.", process))
    entry = remembered(taught).active()[0]
    assert len(entry.sources) == 2
    expected = {digest(taught.keys, entry_id(span).encode()) for span in entry.sources}

    def targets():
        return {bytes(target) for target in Tombstone.objects.values_list("target", flat=True)}

    deletion = memory_delete(taught, entry.id)
    assert targets() == expected
    undo = memory_undo(taught, deletion.seq)
    assert targets() == set()
    memory_undo(taught, undo.seq)
    assert targets() == expected
    assert {row.seq for row in Tombstone.objects.all()} == {deletion.seq}


def test_an_addition_that_is_deleted_has_a_tombstone_of_its_own(cast):
    added = memory_add(cast.access, "rule", "Be brief.")

    memory_delete(cast.access, f"op:{added.seq}")

    target = bytes(Tombstone.objects.get().target)
    assert target == digest(cast.access.keys, f"op:{added.seq}".encode())


def test_memory_of_two_conversations_does_not_mix(taught, cast):
    other = conversation_create(cast.owner, model_name="")
    theirs = conversation_for(cast.alice, other.id)
    memory_add(theirs, "rule", "Elsewhere.")

    assert texts(remembered(taught)) == WORDS
    assert texts(remembered(theirs)) == ["Elsewhere."]
