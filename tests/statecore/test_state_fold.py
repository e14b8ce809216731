"""What people do to memory outranks what turns taught, on every branch and at any time."""

import pytest

from statecore.memory.ledger import Span
from statecore.memory.session import Expiry
from statecore.state.fold import EMPTY, Memory, fold, path_fold, start_is_usable
from statecore.state.operations import (
    Add,
    Delete,
    Edit,
    FieldSet,
    Pin,
    Rejected,
    RemoveField,
    SetField,
    Undo,
)
from tests.statecore.memory_builders import LATEST, delta, learned, op, span, target

HOTEL = learned("m1:0-20", "The hotel is in Rome.")


def folded(*changes, as_of=LATEST) -> Memory:
    deltas = [change for change in changes if hasattr(change, "learned")]
    operations = [change for change in changes if hasattr(change, "action")]
    return fold(deltas, operations, as_of=as_of)


def told(memory: Memory) -> dict[str, str]:
    return {entry.text: entry.status for entry in memory.entries}


def test_before_anything_was_learned_memory_is_empty():
    assert folded() == Memory(as_of=LATEST, path=path_fold((), (), as_of=LATEST))
    assert EMPTY.active() == ()
    assert not EMPTY.is_learned("t1", 1)


def test_an_entry_is_the_sentence_with_its_source():
    (entry,) = folded(delta(1, 5, HOTEL)).entries
    assert (entry.id, entry.text, entry.quote) == ("m1:0-20", HOTEL.text, HOTEL.text)
    assert (entry.sources, entry.seq, entry.said_seq, entry.depth) == ((HOTEL.span,), 5, 2, 1)
    assert (entry.status, entry.author, entry.changed_seq) == ("active", "rules", None)


# --- said twice


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The hotel is in Rome.", "the  hotel is in rome"),
        ("Бюджет 900 евро.", "бюджет 900 ЕВРО!"),
        ("不要海鲜。", "「不要海鲜」"),
    ],
)
def test_the_same_words_said_twice_are_one_entry_with_both_sources(first, second):
    memory = folded(delta(1, 5, learned("m1:0-20", first)), delta(3, 9, learned("m3:4-20", second)))
    (entry,) = memory.entries
    assert entry.text == first
    assert entry.sources == (span("m1:0-20"), span("m3:4-20"))
    assert (entry.said_seq, entry.depth, entry.seq) == (2, 1, 5)
    assert memory.entry("m3:4-20") is entry
    assert memory.entry("m3:4-21") is None


def test_a_repetition_learned_before_the_first_saying_keeps_its_id_and_takes_the_earlier_source():
    late = delta(1, 9, learned("m1:0-20", "Rome"))
    (entry,) = folded(delta(3, 7, learned("m3:0-4", "Rome")), late).entries
    assert entry.id == "m3:0-4"
    assert entry.sources == (span("m1:0-20"), span("m3:0-4"))
    assert (entry.said_seq, entry.depth) == (2, 1)


def test_the_same_words_of_another_kind_stay_apart():
    twice = (learned("m1:0-9", "Rome"), learned("m1:10-19", "Rome", "goal"))
    assert len(folded(delta(1, 5, *twice)).entries) == 2


@pytest.mark.parametrize(
    ("one", "other"), [("It is 5", "It is -5"), ("-5 °C", "5 °C"), ("₽900", "900"), ("不要", "要")]
)
def test_a_sign_that_means_something_is_no_edge(one, other):
    assert len(folded(delta(1, 5, learned("m1:0-9", one), learned("m1:10-19", other))).entries) == 2


def test_words_said_again_after_they_were_superseded_are_a_new_entry():
    memory = folded(
        delta(1, 3, learned("m1:0-9", "900")),
        delta(2, 5, learned("m2:0-9", "800", supersedes=["m1:0-9"])),
        delta(3, 7, learned("m3:0-9", "900", supersedes=["m2:0-9"])),
    )
    assert [(it.id, it.status) for it in memory.entries] == [
        ("m1:0-9", "superseded"),
        ("m2:0-9", "superseded"),
        ("m3:0-9", "active"),
    ]


# --- deletions

DELETE = Delete(target("m1:0-20", "The hotel is in Rome."))


def test_a_deleted_entry_stays_for_audit_and_is_listed_as_removed():
    memory = folded(delta(1, 3, HOTEL), op(5, DELETE))
    assert told(memory) == {HOTEL.text: "deleted"}
    assert memory.active() == ()
    (removed,) = memory.removed
    assert (removed.seq, removed.sources, removed.text) == (5, (HOTEL.span,), HOTEL.text)
    assert removed.quotes == (HOTEL.text,)


def test_a_deletion_holds_where_the_sentence_was_never_learned():
    memory = folded(op(5, DELETE))
    assert memory.entries == ()
    assert memory.is_removed(Span("m1", 5, 9), "", LATEST)
    assert not memory.is_removed(Span("m1", 20, 29), "", LATEST)


def test_a_sentence_learned_after_its_deletion_is_born_deleted():
    moved = learned("m1:3-25", "hotel is in Rome, they say")
    assert told(folded(op(5, DELETE), delta(1, 9, moved))) == {moved.text: "deleted"}


def test_an_addition_with_the_deleted_place_is_born_deleted():
    add = Add("fact", "Hotel: Rome", span("m1:0-9"), "model")
    assert told(folded(op(5, DELETE), op(9, add))) == {"Hotel: Rome": "deleted"}


def test_an_echo_said_before_the_deletion_and_learned_after_it_is_deleted_and_its_place_too():
    echo = delta(2, 9, learned("m2:7-27", "the hotel is in Rome"), said=4)
    memory = folded(delta(1, 3, HOTEL), op(5, DELETE), echo)
    assert memory.active() == ()
    assert memory.removed[0].sources == (HOTEL.span, span("m2:7-27"))


def test_an_echo_of_the_words_before_an_edit_is_deleted_with_the_edited_entry():
    edit = Edit(target("m1:0-20"), "The hotel is in Milan.")
    delete = Delete(target("m1:0-20", "The hotel is in Milan."))
    echo = delta(2, 9, learned("m2:0-20", HOTEL.text), said=3)
    memory = folded(delta(1, 4, HOTEL), op(5, edit), op(6, delete), echo)
    assert memory.active() == ()


def test_the_same_words_said_anew_after_the_deletion_are_a_new_entry():
    anew = delta(3, 9, learned("m3:0-20", HOTEL.text), said=7)
    memory = folded(delta(1, 3, HOTEL), op(5, DELETE), anew)
    assert [it.id for it in memory.active()] == ["m3:0-20"]


def test_a_person_may_add_the_words_again_that_they_deleted():
    memory = folded(delta(1, 3, HOTEL), op(5, DELETE), op(7, Add("fact", HOTEL.text)))
    assert [it.id for it in memory.active()] == ["op:7"]


def test_an_edit_does_not_bring_back_what_is_deleted_and_an_undo_does():
    changes = (delta(1, 3, HOTEL), op(5, DELETE), op(7, Edit(target("m1:0-20"), "Milan")))
    assert told(folded(*changes)) == {"Milan": "deleted"}
    assert told(folded(*changes, op(9, Undo(5)))) == {"Milan": "active"}
    assert folded(*changes, op(9, Undo(5))).removed == ()


def test_an_undo_of_an_undo_deletes_again():
    changes = (delta(1, 3, HOTEL), op(5, DELETE), op(7, Undo(5)), op(8, Undo(7)))
    assert told(folded(*changes, as_of=7)) == {HOTEL.text: "active"}
    memory = folded(*changes)
    assert told(memory) == {HOTEL.text: "deleted"}
    assert memory.undone == {7}
    assert [it.seq for it in memory.operations] == [5, 7, 8]


def test_a_deletion_takes_the_repetition_along_that_it_was_merged_with():
    again = delta(2, 4, learned("m2:0-20", HOTEL.text), said=3)
    memory = folded(delta(1, 2, HOTEL, said=1), again, op(5, Delete(target("m2:0-20"))))
    assert memory.active() == ()
    assert memory.removed[0].sources == (span("m2:0-20"), HOTEL.span)
    assert memory.removed[0].text == HOTEL.text


# --- edits, pins, additions


def test_an_edit_changes_the_words_and_keeps_the_quote():
    memory = folded(delta(1, 3, HOTEL), op(5, Edit(target("m1:2-9"), "Отель в Милане")))
    (entry,) = memory.entries
    assert (entry.text, entry.quote, entry.changed_seq) == ("Отель в Милане", HOTEL.text, 5)
    assert entry.is_edited


def test_the_last_edit_wins_and_holds_for_what_is_learned_later():
    one, two = (Edit(target("m1:0-20"), text) for text in ("Milan", "罗马"))
    assert told(folded(op(7, two), op(5, one), delta(1, 9, HOTEL))) == {"罗马": "active"}


def test_an_echo_said_before_an_edit_and_learned_after_it_follows_the_edit():
    edit = Edit(target("m1:0-20", HOTEL.text), "The hotel is in Milan.")
    echo = delta(2, 9, learned("m2:0-20", HOTEL.text), said=4)
    (entry,) = folded(delta(1, 3, HOTEL), op(5, edit), echo).entries
    assert entry.text == "The hotel is in Milan."
    assert entry.sources == (HOTEL.span, span("m2:0-20"))


def test_an_edit_into_the_words_of_another_entry_leaves_both_and_the_older_takes_repetitions():
    changes = (
        delta(1, 3, learned("m1:0-9", "Rome"), learned("m1:10-19", "Milan")),
        op(5, Edit(target("m1:0-9"), "Milan")),
        delta(4, 9, learned("m4:0-9", "milan")),
    )
    assert [[it.message_id for it in entry.sources] for entry in folded(*changes).entries] == [
        ["m1", "m4"],
        ["m1"],
    ]


def test_a_pin_is_taken_off_by_the_next_operation_or_by_undo():
    changes = (delta(1, 3, HOTEL), op(5, Pin(target("m1:0-20"), pinned=True)))
    off = op(6, Pin(target("m1:0-20"), pinned=False))
    assert folded(*changes).entries[0].pinned
    assert not folded(*changes, off).entries[0].pinned
    assert not folded(*changes, op(7, Undo(5))).entries[0].pinned
    assert folded(*changes, off, op(7, Undo(6))).entries[0].pinned


def test_an_addition_of_a_person_is_an_entry_without_a_quote():
    (entry,) = folded(op(5, Add("rule", "不要海鲜"), depth=0)).entries
    assert (entry.id, entry.quote, entry.sources) == ("op:5", "", ())
    assert (entry.author, entry.said_seq, entry.depth, entry.is_edited) == ("user", 5, 0, False)


def test_an_addition_with_a_sentence_stands_where_it_was_said():
    add = Add("rule", "No seafood.", span("m2:0-9"), "model", said_seq=4, depth=2)
    memory = folded(op(9, add, depth=5), delta(3, 7, learned("m3:0-9", "Rome")))
    assert [(it.id, it.depth, it.said_seq) for it in memory.entries] == [
        ("op:9", 2, 4),
        ("m3:0-9", 3, 6),
    ]
    assert memory.entry("m2:0-9") == memory.entries[0]


# --- newer choices and goals


def test_what_takes_the_place_of_an_entry_is_named_by_it():
    memory = folded(
        delta(1, 3, learned("m1:0-9", "1,200")),
        delta(2, 5, learned("m2:0-9", "900, not 1,200", supersedes=["m1:0-9", "nowhere"])),
    )
    assert told(memory) == {"1,200": "superseded", "900, not 1,200": "active"}
    assert memory.entries[0].superseded_by == "m2:0-9"


@pytest.mark.parametrize(
    "act", [Pin(target("m1:0-9"), pinned=True), Edit(target("m1:0-9"), "ровно 1200")]
)
@pytest.mark.parametrize("seq", [4, 8])
def test_what_a_person_holds_on_to_is_disputed_and_not_superseded(act, seq):
    changes = (
        delta(1, 3, learned("m1:0-9", "1200")),
        delta(2, 5, learned("m2:0-9", "не 1200, а 900", supersedes=["m1:0-9"])),
        op(seq, act),
    )
    assert {it.status for it in folded(*changes).entries} == {"in_conflict"}
    assert folded(*changes).entries[0].superseded_by is None
    # the person decides by deleting one of the two, or by letting go
    (left,) = folded(*changes, op(9, Delete(target("m1:0-9")))).active()
    assert (left.id, left.status) == ("m2:0-9", "active")
    (left,) = folded(*changes, op(9, Delete(target("m2:0-9")))).active()
    assert (left.id, left.status) == ("m1:0-9", "active")
    assert [it.status for it in folded(*changes, op(9, Undo(seq))).entries] == [
        "superseded",
        "active",
    ]


def goal(turn, seq, text):
    return delta(turn, seq, learned(f"m{turn}:0-9", text, "goal"))


def test_a_later_goal_pauses_the_older_one_however_late_the_older_one_is_learned():
    expected = {"Find a hotel": "paused", "订机票": "active"}
    assert told(folded(goal(1, 5, "Find a hotel"), goal(2, 6, "订机票"))) == expected
    assert told(folded(goal(1, 8, "Find a hotel"), goal(2, 6, "订机票"))) == expected


def test_a_goal_said_again_is_active_again():
    memory = folded(goal(1, 5, "Hotel"), goal(2, 6, "Flight"), goal(3, 7, "hotel"))
    assert told(memory) == {"Hotel": "active", "Flight": "paused"}


def test_the_older_goal_is_active_again_when_the_newer_one_is_deleted():
    memory = folded(goal(1, 5, "Отель"), goal(2, 6, "Билеты"), op(9, Delete(target("m2:0-9"))))
    assert told(memory) == {"Отель": "active", "Билеты": "deleted"}


def test_two_goals_of_one_turn_are_both_active():
    both = (learned("m1:0-9", "Hotel", "goal"), learned("m1:10-19", "Flight", "goal"))
    assert set(told(folded(delta(1, 5, *both))).values()) == {"active"}


# --- session fields


def field_of(*changes):
    (field,) = folded(*changes).fields
    return field


def sets(turn, seq, value, **more):
    return delta(turn, seq, fields=(FieldSet("goal", value, **more),))


def test_a_field_says_who_set_it_when_and_for_how_long():
    expiry = Expiry("idle", 5)
    item = learned("m1:0-9", "Коротко сегодня", "preference", author="model")
    of_turn = delta(1, 5, item, fields=(FieldSet("wish", item.text, expiry, item.span),))
    (field,) = folded(of_turn).fields
    assert (field.setter, field.seq, field.set_ms) == ("model", 5, 1000)
    assert (field.expiry, field.source, field.visible) == (expiry, item.span, True)
    hidden = SetField(FieldSet("wish", "x", visible=False), branch_ms=77)
    field = field_of(of_turn, op(7, hidden))
    assert (field.setter, field.seq, field.set_ms, field.visible) == ("user", 7, 77, False)


def test_the_turn_that_was_said_last_sets_a_field_however_late_the_others_are_learned():
    assert field_of(sets(2, 6, "new"), sets(1, 9, "old")).value == "new"


def test_a_person_outranks_turns_said_before_and_a_turn_said_after_outranks_the_person():
    mine = op(7, SetField(FieldSet("goal", "mine"), branch_ms=1))
    assert field_of(mine, sets(3, 9, "late")).value == "mine"
    assert field_of(mine, sets(4, 9, "said after")).value == "said after"


def test_a_removed_field_stays_removed_until_it_is_set_again():
    gone = (sets(1, 4, "old"), op(7, RemoveField("goal")))
    assert (field_of(*gone).value, field_of(*gone).removed) == ("old", True)
    assert field_of(*gone, sets(3, 9, "late")).removed
    assert not field_of(*gone, sets(4, 9, "anew")).removed
    assert not field_of(*gone, op(8, Undo(7))).removed
    assert folded(op(7, RemoveField("goal"))).fields == ()


def test_a_field_goes_with_the_sentence_that_set_it_and_the_one_before_comes_back():
    first = sets(1, 3, "отель", source=span("m1:0-9"))
    second = sets(2, 5, "билеты", source=span("m2:0-9"))
    delete = op(7, Delete(target("m2:3-9")))
    assert (field_of(second, delete).value, field_of(second, delete).removed) == ("билеты", True)
    assert (field_of(first, second, delete).value, field_of(first, second).value) == (
        "отель",
        "билеты",
    )


def test_a_field_goes_with_an_echo_of_its_words_that_is_learned_after_the_deletion():
    delete = op(7, Delete(target("m1:0-9", "Отель в Риме")))
    echo = sets(2, 9, "отель в риме", source=span("m2:0-9"))
    assert field_of(delete, echo).removed
    assert not field_of(delete, sets(2, 5, "отель в риме", source=span("m2:0-9"))).removed
    assert not field_of(delete, sets(4, 9, "отель в риме", source=span("m4:0-9"))).removed


def test_a_field_says_what_a_person_made_of_its_sentence():
    item = learned("m1:0-9", "Find a hotel.", "goal")
    of_turn = delta(1, 5, item, fields=(FieldSet("goal", item.text, source=item.span),))
    assert field_of(of_turn, op(7, Edit(target("m1:0-9"), "Find a flat."))).value == "Find a flat."


# --- what is given


def test_a_second_delta_of_a_turn_is_not_taken():
    memory = folded(delta(1, 8, learned("m1:0-9", "second")), delta(1, 5, HOTEL))
    assert told(memory) == {HOTEL.text: "active"}


def test_two_items_at_one_place_of_a_delta_are_one():
    twice = (learned("m1:0-9", "Rome"), learned("m1:0-9", "Rome", "goal"))
    (entry,) = folded(delta(1, 5, *twice)).entries
    assert entry.kind == "fact"


def test_rejected_sentences_stand_in_the_order_of_turns():
    late, early = (Rejected(span(place), "", "fact", "secret") for place in ("m2:0-9", "m1:0-9"))
    memory = folded(delta(2, 5, rejected=(late,)), delta(1, 7, rejected=(early,)))
    assert memory.rejected == (early, late)


def test_turns_below_a_checkpoint_count_as_learned_except_those_that_waited():
    settled = path_fold([delta(1, 3, HOTEL)], (), as_of=4).settled(3, ["t2"])
    memory = fold([delta(5, 9)], (), as_of=LATEST, start=settled)
    assert [memory.is_learned(f"t{depth}", depth) for depth in range(1, 6)] == [
        True,
        False,
        True,
        False,
        True,
    ]
    late = delta(2, 12, learned("m2:0-9", "late"))
    memory = fold([late], (), as_of=LATEST, start=settled)
    assert memory.is_learned("t2", 2)
    assert told(memory) == {HOTEL.text: "active", "late": "active"}


def test_a_checkpoint_of_a_later_moment_is_not_usable():
    start = path_fold((), (), as_of=7)
    assert start_is_usable(start, 7)
    assert not start_is_usable(start, 6)


def test_an_operation_in_a_checkpoint_can_still_be_taken_back():
    start = path_fold([delta(1, 3, HOTEL)], [op(5, Pin(target("m1:0-20"), pinned=True))], as_of=6)
    assert fold((), (), as_of=LATEST, start=start).entries[0].pinned
    assert not fold((), [op(7, Undo(5))], as_of=LATEST, start=start).entries[0].pinned


def test_a_deletion_on_one_branch_holds_on_the_other_and_a_pin_does_not():
    trunk = delta(1, 3, HOTEL)
    pin, delete = op(6, Pin(target("m1:0-20"), pinned=True), depth=2), op(7, DELETE, depth=2)
    # the other branch is given what belongs to its own path, and all of conversation scope
    assert not folded(trunk).entries[0].pinned
    assert (
        told(folded(trunk, delete)) == told(folded(trunk, pin, delete)) == {HOTEL.text: "deleted"}
    )
