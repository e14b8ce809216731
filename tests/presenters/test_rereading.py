"""Reading again in words: how far it is, what came of it, and what can be taken back."""

import pytest

from chatapp.presenters.rereading import present_rereading, turn_choices
from statecore.state.fold import PathMemory
from statecore.state.operations import Add
from tests.web import memory_samples
from tests.web.memory_samples import NOW_MS

SINCE_MS = NOW_MS - 60_000
ADDED = Add("fact", "Сад выходит к мельнице.", memory_samples.span(), "model")


def shown(found, *operations, undone=()):
    memory = memory_samples.memory(operations=operations, undone=frozenset(undone))
    return present_rereading(found, memory, NOW_MS)


def test_without_a_wish_nothing_is_said():
    assert shown(None) is None


def test_what_ended_long_ago_is_said_no_more():
    assert shown(memory_samples.rereading(ended_ms=NOW_MS - 600_001)) is None
    assert shown(memory_samples.rereading(ended_ms=NOW_MS - 600_000)) is not None


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"waiting": 1}, "1 turn is being read again."),
        ({"waiting": 3, "put_off": 2}, "3 turns are being read again."),
        ({"waiting": 1, "put_off": 1}, "1 turn waits to be read again, until its model is there."),
        (
            {"waiting": 2, "put_off": 2},
            "2 turns wait to be read again, until their model is there.",
        ),
    ],
)
def test_while_it_runs_it_says_how_many_turns_are_left(changes, sentence):
    found = shown(memory_samples.rereading(ended_ms=None, **changes))

    assert (found.is_running, found.sentence) == (True, sentence)


def test_nothing_new_is_said_too():
    found = shown(memory_samples.rereading())

    assert (found.is_running, found.sentence) == (False, "Read again: nothing new.")


def test_what_no_model_read_is_said():
    sentence = shown(memory_samples.rereading(unlabelled=2)).sentence

    assert sentence.endswith("2 turns were read by rules alone: no model could label them.")


def test_what_was_added_since_stands_with_its_undo():
    operations = (
        memory_samples.operation(7, ADDED, created_ms=SINCE_MS - 1),
        memory_samples.operation(8, ADDED, created_ms=SINCE_MS),
        memory_samples.operation(9, Add("rule", "By hand."), created_ms=NOW_MS),
        memory_samples.operation(10, ADDED, created_ms=NOW_MS),
    )

    found = shown(memory_samples.rereading(), *operations, undone=[10])

    assert found.sentence == "Read again: 2 sentences were added."
    assert [(one.seq, one.is_undone) for one in found.additions] == [(8, False), (10, True)]


def test_turns_are_offered_newest_first_and_not_endlessly():
    deltas = tuple(memory_samples.delta(depth) for depth in range(1, 151))
    page = memory_samples.page(memory=memory_samples.memory(path=PathMemory(deltas=deltas)))

    depths = [choice.depth for choice in turn_choices(page)]

    assert depths == list(range(150, 50, -1))
