"""Checkpoints make plans cheap and change nothing that is remembered."""

from dataclasses import replace

import pytest
from django.db import transaction

from chatapp.models import Checkpoint, Turn
from chatapp.services.memory import (
    field_set,
    memory_add,
    memory_delete,
    memory_edit,
    memory_pin,
    memory_undo,
)
from chatapp.store import memory_path
from chatapp.store.checkpoints import drop_from, write_if_due
from chatapp.store.memory import memory_of, read_memory, waiting_turns
from chatapp.store.sealing import seal
from statecore.state.codec import encode_path_memory
from statecore.state.operations import FieldSet
from tests.support.lengthen import lengthen
from tests.support.people import branch_of, new_process, say
from tests.support.remembering import last_seq, learn, remembered, texts

pytestmark = pytest.mark.django_db


@pytest.fixture
def long(cast):
    """Make a conversation of so many turns; nothing is learned yet."""

    def make(turns):
        say(cast.access, "One.", "Two.", new_process())
        lengthen(cast.access, turns)
        return list(Turn.objects.order_by("depth").values_list("id", flat=True))

    return make


def grown(access, turns):
    """Let a conversation go on until it has so many turns, and return all."""
    missing = turns - Turn.objects.count()
    if missing > 0:
        say(access, "More.", "Yes.", new_process())
    if missing > 1:
        lengthen(access, turns)
    return list(Turn.objects.order_by("depth").values_list("id", flat=True))


def learn_all(access, turns, first=1):
    for number, turn_id in enumerate(turns, start=first):
        learn(access, turn_id, text=f"Fact {number}.", kind="rule" if number % 9 == 0 else "fact")


def walked(access, tip, as_of=None):
    moment = last_seq(access) if as_of is None else as_of
    return memory_path.walk(access.conversation.id, tip, access.keys, as_of=moment)


def whole(access, tip=None, as_of=None):
    moment = last_seq(access) if as_of is None else as_of
    end = tip or branch_of(access).tip_id
    path = memory_path.walk(access.conversation.id, end, access.keys, as_of=moment, whole=True)
    return memory_of(access.conversation.id, path, access.keys, as_of=moment)


def content(memory):
    return memory.entries, memory.fields, memory.removed, memory.rejected, memory.undone


def depths():
    return list(Checkpoint.objects.order_by("turn__depth").values_list("turn__depth", flat=True))


def test_one_is_written_at_every_32nd_turn(cast, long):
    turns = long(70)

    learn_all(cast.access, turns)

    assert depths() == [32, 64]


def test_a_plan_of_200_turns_walks_64_at_most_and_remembers_the_same(cast, long):
    turns = long(200)
    learn_all(cast.access, turns)

    for tip in turns[::13] + turns[-1:]:
        path = walked(cast.access, tip)
        assert len(path.places) <= 64
        assert path.tip.turn_id == tip
        assert content(remembered(cast.access, tip=tip)) == content(whole(cast.access, tip))
    assert len(texts(remembered(cast.access))) == 200
    assert walked(cast.access, turns[-1]).start is not None


def test_it_costs_two_queries_with_a_checkpoint_too(cast, long, django_assert_num_queries):
    turns = long(40)
    learn_all(cast.access, turns)
    as_of = last_seq(cast.access)

    with django_assert_num_queries(2):
        read_memory(cast.access.conversation.id, turns[-1], cast.access.keys, as_of=as_of)


def test_a_plan_of_an_earlier_moment_goes_past_checkpoints_that_are_newer(cast, long):
    turns = long(40)
    learn_all(cast.access, turns)
    as_of = Turn.objects.get(pk=turns[19]).memory_delta.seq

    memory = remembered(cast.access, as_of=as_of)

    assert depths() == [32]
    assert len(walked(cast.access, turns[-1], as_of=as_of).places) == 40
    assert texts(memory) == [f"Fact {number}." for number in range(1, 21)]


def test_what_is_learned_late_drops_the_checkpoints_that_lack_it(cast, long):
    turns = long(100)
    learn_all(cast.access, turns[:39])
    learn_all(cast.access, turns[40:99], first=41)
    assert depths() == [32, 64, 96]

    learn(cast.access, turns[39], text="Late.")
    assert depths() == [32]
    assert "Late." in texts(remembered(cast.access))

    learn(cast.access, turns[99], text="Newest.")
    assert depths() == [32, 96]
    assert content(remembered(cast.access)) == content(whole(cast.access))
    assert "Late." in texts(remembered(cast.access))


def test_a_checkpoint_lists_the_turns_that_wait(cast, long):
    turns = long(40)
    learn_all(cast.access, turns[:10])
    learn_all(cast.access, turns[11:38], first=12)
    access, as_of = cast.access, last_seq(cast.access)

    waiting = waiting_turns(access.conversation.id, turns[-1], access.keys, as_of=as_of)
    memory = remembered(access)

    assert depths() == [32]
    assert waiting == (turns[10], turns[38], turns[39])
    learned = [memory.is_learned(str(turn), depth) for depth, turn in enumerate(turns, start=1)]
    assert [depth for depth, is_learned in enumerate(learned, 1) if not is_learned] == [11, 39, 40]


def test_acts_on_what_a_checkpoint_holds_count_whenever_they_come(cast, long):
    turns = long(40)
    access = cast.access
    early = memory_add(access, "rule", "Added at the newest turn.")
    learn_all(access, turns)
    first, second, third = remembered(access).active()[:3]

    memory_delete(access, first.id)
    memory_edit(access, second.id, "Другие слова。")
    pin = memory_pin(access, third.id, pinned=True)
    field_set(access, FieldSet("city", "上海"))
    assert content(remembered(access)) == content(whole(access))
    memory_undo(access, pin.seq)
    memory_undo(access, early.seq)

    memory = remembered(access)
    assert depths() == [32]
    assert content(memory) == content(whole(access))
    assert first.text not in texts(memory)
    assert "Другие слова。" in texts(memory)
    assert "Added at the newest turn." not in texts(memory)
    assert [field.value for field in memory.fields] == ["上海"]


def test_an_act_that_a_checkpoint_holds_can_be_taken_back(cast, long):
    access = cast.access
    long(10)
    added = memory_add(access, "rule", "Added at the tenth.")
    turns = grown(access, 40)
    learn_all(access, turns)
    assert walked(access, turns[-1]).start.operations[0].seq == added.seq
    assert "Added at the tenth." in texts(remembered(access))

    undo = memory_undo(access, added.seq)
    assert "Added at the tenth." not in texts(remembered(access))

    memory_undo(access, undo.seq)
    assert "Added at the tenth." in texts(remembered(access))


def test_an_act_at_a_turn_that_paths_have_left_drops_no_checkpoint_and_changes_none(cast, long):
    turns = long(70)
    learn_all(cast.access, turns)
    before = texts(remembered(cast.access))

    _at(cast.access, turns[19], lambda: memory_add(cast.access, "rule", "Late act."))

    assert depths() == [32, 64]
    assert texts(remembered(cast.access)) == before == texts(whole(cast.access))
    assert "Late act." in texts(remembered(cast.access, tip=turns[19]))


@pytest.mark.parametrize("depth", [32, 33])
def test_of_what_was_done_at_its_turn_a_path_has_what_came_before_it_went_on(cast, long, depth):
    access = cast.access
    long(32)
    memory_add(access, "rule", "In time.")
    turns = grown(access, depth)
    learn_all(access, turns)
    assert walked(access, turns[31]).start.operations == ()

    _at(access, turns[31], lambda: memory_add(access, "rule", "Done later."))

    there = ["In time.", "Done later."]
    assert {*there} < {*texts(remembered(access, tip=turns[31]))}
    found = [text for text in texts(remembered(access)) if text in there]
    assert found == (there if depth == 32 else there[:1])
    assert content(remembered(access)) == content(whole(access))


def test_what_an_earlier_version_wrote_into_it_of_its_own_turn_is_asked_about_again(cast, long):
    access = cast.access
    long(32)
    memory_add(access, "rule", "In time.")
    turns = grown(access, 33)
    learn_all(access, turns)
    _at(access, turns[31], lambda: memory_add(access, "rule", "Done later."))
    row = Checkpoint.objects.get()
    start, memory = walked(access, turns[31]).start, remembered(access, tip=turns[31])
    old = replace(start, operations=memory.path.operations)
    row.body = seal(access.keys, *memory_path.CHECKPOINT, row.turn_id, encode_path_memory(old))
    row.save()

    assert len(old.operations) == 2
    assert content(remembered(access)) == content(whole(access))
    assert "Done later." not in texts(remembered(access))
    assert "In time." in texts(remembered(access))


def test_it_is_bounded_and_the_full_version_still_has_everything(cast, long):
    turns = long(64)
    for number, turn_id in enumerate(turns, start=1):
        learn(cast.access, turn_id, text=f"{number} " + "долгая фраза " * 100)

    memory = remembered(cast.access)

    assert depths() == [32, 64]
    sealed = [len(bytes(body)) for body in Checkpoint.objects.values_list("body", flat=True)]
    assert max(sealed) <= 65_536 + 64
    assert memory.path.left_out > 0
    assert len(memory.entries) + memory.path.left_out == 64
    assert len(whole(cast.access).entries) == 64


def test_the_full_version_of_a_very_long_path_ends_at_a_checkpoint_too(cast, long, monkeypatch):
    turns = long(100)
    learn_all(cast.access, turns)
    monkeypatch.setattr(memory_path, "WHOLE_TURNS", 40)

    path = memory_path.walk(
        cast.access.conversation.id,
        turns[-1],
        cast.access.keys,
        as_of=last_seq(cast.access),
        whole=True,
    )

    assert path.places[0].depth == 32
    assert content(whole(cast.access)) == content(remembered(cast.access))


def test_writing_it_again_changes_nothing(cast, long):
    turns = long(33)
    learn_all(cast.access, turns)
    before = Checkpoint.objects.values("turn", "as_of_seq").get()

    with transaction.atomic():
        assert not write_if_due(turns[32], cast.access.keys)
        assert not write_if_due(turns[0], cast.access.keys)

    assert Checkpoint.objects.values("turn", "as_of_seq").get() == before


def test_one_that_was_dropped_is_written_again_from_where_the_path_has_come_to(cast, long):
    turns = long(40)
    learn_all(cast.access, turns)
    drop_from(cast.access.conversation.id, 1)
    assert depths() == []

    with transaction.atomic():
        assert write_if_due(turns[-1], cast.access.keys)

    assert depths() == [32]
    assert content(remembered(cast.access)) == content(whole(cast.access))


def test_checkpoints_above_a_late_turn_and_of_other_conversations_stay(cast, long):
    turns = long(70)
    learn_all(cast.access, turns)

    drop_from(turns[0], 1)
    assert depths() == [32, 64]
    drop_from(cast.access.conversation.id, 33)
    assert depths() == [32]


def _at(access, turn_id, act):
    """Act while the branch ends at an older turn."""
    branch = branch_of(access)
    tip = branch.tip_id
    type(branch).objects.filter(pk=branch.id).update(tip_id=turn_id)
    outcome = act()
    type(branch).objects.filter(pk=branch.id).update(tip_id=tip)
    return outcome
