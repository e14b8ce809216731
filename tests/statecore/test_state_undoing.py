"""An undo takes an operation back; an undo of the undo brings it back."""

import pytest

from statecore.state.operations import RemoveField, Undo
from statecore.state.undoing import undone
from tests.statecore.memory_builders import op


def acts(*undos: tuple[int, int]):
    return [op(1, RemoveField("step")), *(op(seq, Undo(of)) for seq, of in undos)]


@pytest.mark.parametrize(
    ("undos", "expected"),
    [
        ([], set()),
        ([(2, 1)], {1}),
        ([(2, 1), (3, 1)], {1}),
        ([(2, 1), (3, 2)], {2}),
        ([(2, 1), (3, 1), (4, 2)], {1, 2}),
        ([(2, 1), (3, 2), (4, 3)], {1, 3}),
        ([(2, 2), (3, 9)], set()),
    ],
)
def test_an_operation_is_undone_while_an_undo_in_force_names_it(undos, expected):
    assert undone(acts(*undos)) == expected
    assert undone(reversed(acts(*undos))) == expected
