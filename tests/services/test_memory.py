"""What a person does to memory: one operation and one transition each, or nothing at all."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection
from django.http import Http404

from chatapp.access import conversation_for
from chatapp.models import Operation, Payload, Transition, Turn
from chatapp.selectors.memory import memory_page
from chatapp.services.conversations import conversation_delete
from chatapp.services.memory import (
    field_remove,
    field_set,
    memory_add,
    memory_delete,
    memory_edit,
    memory_pin,
    memory_undo,
)
from chatapp.services.outcomes import Changed, Missing, Overtaken, Unchanged
from chatapp.services.transitions import ConversationGone
from chatapp.store.payloads import open_payload
from chatapp.store.verification import verify_conversation
from statecore.memory.session import Expiry, status_of
from statecore.state.codec import decode_operation
from statecore.state.operations import FieldSet
from tests.support.people import new_process, say
from tests.support.remembering import last_seq, learn, remembered, texts

pytestmark = pytest.mark.django_db

SENTENCE = "Звони после 18:00."
HOUR_MS = 3_600_000


@pytest.fixture
def process(cast):
    return new_process()


@pytest.fixture
def taught(cast, process):
    """A conversation that remembers one sentence."""
    learn(cast.access, say(cast.access, SENTENCE, "Хорошо.", process), "rule")
    return cast.access


def entry_of(access):
    (entry,) = remembered(access).entries
    return entry


def newest(access):
    """Return the newest transition with the operation that it holds."""
    row = Transition.objects.filter(conversation=access.conversation).order_by("-seq").first()
    payload = Payload.objects.get(transition=row, part="input")
    return row, decode_operation(open_payload(payload, access.keys))


def test_an_edit_gives_an_entry_other_words_and_keeps_what_was_said(taught):
    outcome = memory_edit(taught, entry_of(taught).id, "Звони после 19:00.")

    entry = entry_of(taught)
    assert isinstance(outcome, Changed)
    assert (entry.text, entry.quote) == ("Звони после 19:00.", SENTENCE)
    assert entry.changed_seq == outcome.seq == last_seq(taught)


def test_an_edit_to_the_same_words_is_no_edit(taught):
    before = last_seq(taught)

    assert memory_edit(taught, entry_of(taught).id, SENTENCE) == Unchanged()
    assert last_seq(taught) == before


def test_an_edit_of_what_changed_meanwhile_is_refused(taught):
    name = entry_of(taught).id
    first = memory_edit(taught, name, "Звони после 19:00.", seen=0)

    assert memory_edit(taught, name, "Не звони.", seen=0) == Overtaken()
    assert entry_of(taught).text == "Звони после 19:00."
    assert isinstance(memory_edit(taught, name, "Не звони.", seen=first.seq), Changed)
    assert isinstance(memory_edit(taught, name, "Пиши."), Changed)
    assert entry_of(taught).text == "Пиши."


def test_a_deletion_is_used_no_more_and_kept_for_audit(taught):
    memory_delete(taught, entry_of(taught).id)

    memory = remembered(taught)
    assert texts(memory) == []
    assert [entry.status for entry in memory.entries] == ["deleted"]
    assert [removed.text for removed in memory.removed] == [SENTENCE]


def test_pin_and_unpin(taught):
    name = entry_of(taught).id
    memory_pin(taught, name, pinned=True)
    assert entry_of(taught).pinned
    assert memory_pin(taught, name, pinned=True) == Unchanged()

    memory_pin(taught, name, pinned=False)
    assert not entry_of(taught).pinned


def test_an_addition_is_named_by_its_seq_and_can_be_changed_like_others(cast):
    added = memory_add(cast.access, "rule", "回答要简短。")

    entry = entry_of(cast.access)
    assert (entry.id, entry.kind, entry.author) == (f"op:{added.seq}", "rule", "user")
    memory_edit(cast.access, entry.id, "用中文回答。")
    assert texts(remembered(cast.access)) == ["用中文回答。"]
    memory_delete(cast.access, entry.id)
    assert texts(remembered(cast.access)) == []


@pytest.mark.parametrize("act", ["edit", "delete", "pin"])
def test_what_is_not_there_cannot_be_changed_and_leaves_no_gap(taught, act):
    acts = {
        "edit": lambda name: memory_edit(taught, name, "Other."),
        "delete": lambda name: memory_delete(taught, name),
        "pin": lambda name: memory_pin(taught, name, pinned=True),
    }
    name = entry_of(taught).id
    memory_delete(taught, name)
    before = last_seq(taught)

    assert acts[act](name) == Missing()
    assert acts[act]("no such entry") == Missing()
    assert last_seq(taught) == before
    assert verify_conversation(taught.conversation.id, taught.keys).findings == ()


def test_every_act_can_be_taken_back_and_done_again(taught):
    name = entry_of(taught).id
    acts = [
        memory_edit(taught, name, "Не звони."),
        memory_pin(taught, name, pinned=True),
        memory_add(taught, "fact", "Added."),
        field_set(taught, FieldSet("city", "Perm")),
        memory_delete(taught, name),
    ]
    done = state(taught)

    undos = [memory_undo(taught, act.seq) for act in acts]
    assert state(taught) == ([(SENTENCE, "active", False)], [])
    for undo in undos:
        memory_undo(taught, undo.seq)
    assert state(taught) == done


def state(access):
    memory = remembered(access)
    entries = [(entry.text, entry.status, entry.pinned) for entry in memory.entries]
    return entries, [(field.key, field.value) for field in memory.fields]


def test_only_an_act_that_is_in_force_can_be_taken_back(taught):
    pin = memory_pin(taught, entry_of(taught).id, pinned=True)
    memory_undo(taught, pin.seq)
    before = last_seq(taught)

    assert memory_undo(taught, pin.seq) == Unchanged()
    assert memory_undo(taught, pin.seq - 1) == Missing()
    assert memory_undo(taught, before + 1) == Missing()
    assert last_seq(taught) == before


def test_a_field_is_set_in_branch_time_and_expires_in_it(taught):
    turn = Turn.objects.get()
    Turn.objects.update(branch_ms=turn.branch_ms - 5 * HOUR_MS)

    field_set(taught, FieldSet("city", "上海", Expiry("time", HOUR_MS), visible=False))

    (field,) = remembered(taught).fields
    _, operation = newest(taught)
    paused = operation.created_ms - 5 * HOUR_MS
    assert (field.key, field.value, field.setter, field.visible) == ("city", "上海", "user", False)
    assert field.set_ms == operation.action.branch_ms == paused
    assert status_of(field, paused + HOUR_MS - 1, 0) == "live"
    assert status_of(field, paused + HOUR_MS, 0) == "expired"


def test_the_last_value_of_a_field_counts_until_it_is_removed(taught):
    field_set(taught, FieldSet("city", "Perm"))
    field_set(taught, FieldSet("city", "Omsk"))
    assert [field.value for field in remembered(taught).fields] == ["Omsk"]

    field_remove(taught, "city")
    assert [field.removed for field in remembered(taught).fields] == [True]
    assert field_remove(taught, "city") == Missing()
    assert field_remove(taught, "unknown") == Missing()
    field_set(taught, FieldSet("city", "Ufa"))
    assert [(one.value, one.removed) for one in remembered(taught).fields] == [("Ufa", False)]


def test_a_field_that_was_set_anew_meanwhile_is_not_written_over(taught):
    first = field_set(taught, FieldSet("city", "Perm"))
    second = field_set(taught, FieldSet("city", "Omsk"), seen=first.seq)

    assert field_set(taught, FieldSet("city", "Ufa"), seen=first.seq) == Overtaken()
    field_remove(taught, "city")
    assert field_set(taught, FieldSet("city", "Ufa"), seen=second.seq) == Overtaken()


def test_each_act_has_one_transition_that_holds_it_and_the_log_is_whole(taught):
    name = entry_of(taught).id
    tip = Turn.objects.get()
    pin = memory_pin(taught, name, pinned=True)
    acts = {
        "memory_edited": lambda: memory_edit(taught, name, "Не звони."),
        "memory_added": lambda: memory_add(taught, "fact", "Added."),
        "memory_undone": lambda: memory_undo(taught, pin.seq),
        "field_set": lambda: field_set(taught, FieldSet("city", "Perm")),
        "field_removed": lambda: field_remove(taught, "city"),
        "memory_pinned": lambda: memory_pin(taught, name, pinned=True),
        "memory_deleted": lambda: memory_delete(taught, name),
    }
    for kind, act in acts.items():
        outcome = act()
        row, operation = newest(taught)
        assert (row.kind, row.seq, row.turn) == (kind, outcome.seq, tip.id)
        assert (operation.seq, operation.turn_id) == (outcome.seq, str(tip.id))
        assert operation.depth == tip.depth
        assert operation in remembered(taught).operations
    assert Operation.objects.count() == len(acts) + 1
    assert verify_conversation(taught.conversation.id, taught.keys).findings == ()


def test_the_same_sentence_learned_after_its_deletion_stays_deleted(taught, process):
    memory_delete(taught, entry_of(taught).id)
    echo = say(taught, "Скажи ещё раз.", SENTENCE, process)
    learn(taught, echo, text="Скажи ещё раз.")

    assert texts(remembered(taught)) == ["Скажи ещё раз."]


def test_a_deleted_conversation_takes_no_act_and_keeps_none(taught):
    memory_edit(taught, entry_of(taught).id, "Не звони.")
    conversation_delete(taught)

    with pytest.raises(ConversationGone):
        memory_add(taught, "fact", "Too late.")
    assert Operation.objects.count() == 0


def test_a_stranger_gets_no_access_to_act_with(taught, cast):
    with pytest.raises(Http404):
        conversation_for(cast.mallory, taught.conversation.id)


@pytest.mark.django_db(transaction=True)
def test_two_who_act_at_once_do_so_one_after_the_other(taught):
    name = entry_of(taught).id
    start = Barrier(2)

    def delete():
        try:
            start.wait(timeout=20)
            return memory_delete(taught, name)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        outcomes = {type(done.result()) for done in [pool.submit(delete), pool.submit(delete)]}

    assert outcomes == {Changed, Missing}
    assert Operation.objects.count() == 1
    assert verify_conversation(taught.conversation.id, taught.keys).findings == ()


# What a model has still to read.


def test_what_rules_found_before_the_delta_can_be_deleted_and_stays_so(cast, process):
    turn_id = say(cast.access, SENTENCE, "Хорошо.", process)
    (seen,) = memory_page(cast.access).memory.active()

    assert isinstance(memory_delete(cast.access, seen.id), Changed)
    learn(cast.access, turn_id, "rule")

    assert [entry.status for entry in remembered(cast.access).entries] == ["deleted"]
    assert texts(memory_page(cast.access).memory) == []


def test_what_rules_found_before_the_delta_keeps_its_pin_and_its_new_words(cast, process):
    turn_id = say(cast.access, SENTENCE, "Хорошо.", process)
    (seen,) = memory_page(cast.access).memory.active()

    memory_pin(cast.access, seen.id, pinned=True)
    memory_edit(cast.access, seen.id, "Звони после 19:00.")
    learn(cast.access, turn_id, "rule")

    (entry,) = remembered(cast.access).active()
    assert (entry.text, entry.quote, entry.pinned) == ("Звони после 19:00.", SENTENCE, True)
