"""What a turn that is read again may add to memory: what it lacks, and nothing a person refused."""

import pytest

from statecore.memory.labels import CheckedLabels
from statecore.messages import Message
from statecore.state.fold import fold
from statecore.state.learning import TurnTexts
from statecore.state.operations import Add, Delete, Edit, Undo
from statecore.state.relearning import lacking
from tests.statecore.memory_builders import LATEST, delta, learned, op, span, target

GARDEN = "The garden faces the mill."
SAMPLES = (
    GARDEN,
    "Сад выходит к старой мельнице.",
    "花园对着老磨坊。",
)


def turn(text, depth=1):
    question = Message("m1", "user", text, created_ms=1)
    return TurnTexts(f"t{depth}", depth, 2 * depth, 1000, question, None, None, "complete")


def found(text, *, deltas=(), operations=(), kind="fact", depth=1):
    memory = fold(deltas, operations, as_of=LATEST)
    added = lacking(turn(text, depth), memory, CheckedLabels({1: kind, 2: kind}))
    return [one.text for one in added]


def place(text):
    return f"m1:0-{len(text)}"


@pytest.mark.parametrize("text", SAMPLES)
def test_what_memory_lacks_is_added_where_it_was_said(text):
    (added,) = lacking(turn(text), fold((), (), as_of=5), CheckedLabels({1: "fact"}))

    assert added == Add("fact", text, span(place(text)), "model", said_seq=2, depth=1)


@pytest.mark.parametrize("text", SAMPLES)
def test_what_memory_has_is_not_added(text):
    assert found(text, deltas=[delta(1, 3, learned(place(text), text))]) == []


@pytest.mark.parametrize("text", SAMPLES)
def test_the_same_words_from_another_turn_are_not_added(text):
    assert found(text, deltas=[delta(2, 5, learned("m2:0-9", text.upper()))]) == []


@pytest.mark.parametrize("text", SAMPLES)
def test_what_was_deleted_stays_so(text):
    learnt = delta(1, 3, learned(place(text), text))

    assert found(text, deltas=[learnt], operations=[op(4, Delete(target(place(text), text)))]) == []
    assert found(text, operations=[op(4, Delete(target(place(text), text)))]) == []


def test_the_words_of_an_edited_entry_are_known_elsewhere_too():
    learnt = delta(2, 3, learned("m2:0-26", GARDEN))
    edit = op(5, Edit(target("m2:0-26", GARDEN), "The garden faces the river."))

    assert found(GARDEN, deltas=[learnt], operations=[edit]) == []


def test_an_addition_that_was_taken_back_is_not_made_again_until_that_is_taken_back():
    added = op(4, Add("fact", GARDEN, span(place(GARDEN)), "model", 2, 1))

    assert found(GARDEN, operations=[added, op(5, Undo(4))]) == []
    assert found(GARDEN, operations=[added, op(5, Undo(4)), op(6, Undo(5))]) == []


def test_words_that_were_deleted_and_are_said_anew_may_be_added():
    learnt = delta(1, 3, learned("m0:0-26", GARDEN))
    gone = op(4, Delete(target("m0:0-26", GARDEN)))

    assert found(GARDEN, deltas=[learnt], operations=[gone], depth=9) == [GARDEN]


@pytest.mark.parametrize(
    ("old", "correction"),
    [
        ("The budget is 1,200 euros.", "No, the budget is 900 euros, not 1,200."),
        ("Бюджет 1200 евро.", "Нет, бюджет 900 евро, а не 1200."),
    ],
)
def test_what_was_corrected_since_is_not_added(old, correction):
    later = delta(2, 5, learned("m2:0-30", correction))

    assert found(old, deltas=[later]) == []
    assert found(old) == [old]


def test_what_the_model_would_skip_is_not_added():
    added = lacking(turn(GARDEN), fold((), (), as_of=5), CheckedLabels({}))

    assert added == ()
