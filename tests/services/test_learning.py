"""Which turn a worker takes next: the oldest that waits on the path of one, wherever it lies."""

import pytest

from chatapp.models import Branch, MemoryDelta
from chatapp.services.learning import Verdict, learning_due, learning_next, learning_write
from tests.support.people import branch_of, new_process, say

pytestmark = pytest.mark.django_db


@pytest.fixture
def process(cast):
    return new_process()


def learn_next(turn_id):
    piece = learning_next(turn_id)
    if piece is None:
        return None
    assert learning_write(piece, Verdict(None, note="no_model"))
    return piece.turn_id


def test_a_turn_that_its_branch_has_left_behind_is_learned_too(cast, process):
    first, second, third = (say(cast.access, f"Rule {n}.", "Yes.", process) for n in range(3))
    Branch.objects.filter(pk=branch_of(cast.access).id).update(tip_id=first)
    others = [say(cast.access, f"Other {n}.", "Yes.", process) for n in range(3)]

    assert [learn_next(third) for _ in range(3)] == [first, second, third]
    assert {*learning_due()} == {*others}


def test_after_a_turn_the_next_ones_of_its_branch_are_taken(cast, process):
    turns = [say(cast.access, f"Rule {n}.", "Yes.", process) for n in range(3)]

    assert [learn_next(turns[0]) for _ in range(4)] == [*turns, None]
    assert MemoryDelta.objects.count() == 3
    assert learning_due() == []
