"""Where two states differ is said with what stands there."""

from statecore.contract.differences import difference
from tests.statecore.contract_builders import contract, said, turn


def test_equal_states_have_no_difference():
    assert difference(contract(turn(1)), contract(turn(1))) == ()


def test_each_place_is_named_with_both_sides():
    one = contract(turn(1, said("u", "user", "Hi."), said("a", "assistant", "Yes.")))
    other = contract(turn(1, said("u", "user", "Hi."), said("a", "assistant", "No.")), turn(2))
    found = difference(one, other)
    assert found[0] == "turns 1 → messages 2 → text: 'Yes.' here, 'No.' there"
    assert found[1].startswith("turns 2: nothing here, {'id': 't2'")
    assert found[2] == "memory → as_of: 2 here, 4 there"


def test_long_texts_are_cut():
    answer = said("a", "assistant", "Yes.")
    one = contract(turn(1, said("u", "user", "x" * 200), answer))
    (line,) = difference(one, contract(turn(1, said("u", "user", "y"), answer)))
    assert line.endswith("… here, 'y' there")
    assert len(line) < 120
