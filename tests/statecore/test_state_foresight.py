"""What people see of turns that are still to be read: what rules find, as the delta brings it."""

from statecore.memory.ledger import Span
from statecore.messages import Message
from statecore.state.fold import EMPTY, fold
from statecore.state.foresight import foreseen
from statecore.state.learning import TurnTexts, delta_of
from statecore.state.operations import Delete, Operation, Target


def said(text: str, number: int = 1) -> TurnTexts:
    message = Message(id=f"m{number}", role="user", text=text, created_ms=0)
    return TurnTexts(f"t{number}", number, number * 10, 1_000, message, None, None, "complete")


def test_what_rules_find_is_there_before_the_delta():
    memory = foreseen(EMPTY, [said("Never call me. My order number is QX-48371.")])

    assert [entry.text for entry in memory.active()] == [
        "Never call me.",
        "My order number is QX-48371.",
    ]
    assert all(entry.seq > memory.as_of for entry in memory.entries)
    assert not memory.is_learned("t1", 1)


def test_the_delta_brings_the_same_entries():
    turn = said("Никогда не звоните мне. 我的订单号是QX-48371。")
    before = foreseen(EMPTY, [turn])

    after = fold([delta_of(turn, EMPTY, None, seq=30, model="", note="")], (), as_of=30)

    assert before.entries
    assert [e.id for e in before.entries] == [e.id for e in after.entries]
    assert [e.sources for e in before.entries] == [e.sources for e in after.entries]


def test_a_later_turn_sees_what_an_earlier_one_would_teach():
    memory = foreseen(
        EMPTY, [said("The budget is 1200 euros."), said("Correction: 900 euros, not 1200.", 2)]
    )

    assert [(e.text, e.status) for e in memory.entries] == [
        ("The budget is 1200 euros.", "superseded"),
        ("Correction: 900 euros, not 1200.", "active"),
    ]


def test_what_a_person_deleted_meanwhile_is_not_shown_again():
    span = Span("m1", 0, len("Never call me."))
    gone = Operation(20, "t1", 1, Delete(Target("m1:0-14", (span,), "Never call me.")), 0)
    memory = fold((), [gone], as_of=20)

    assert foreseen(memory, [said("Never call me.")]).active() == ()


def test_nothing_to_read_changes_nothing():
    assert foreseen(EMPTY, ()) is EMPTY
