"""Memory belongs to its turns: deltas, operations and their seqs."""

from dataclasses import replace

import pytest

from statecore.contract.memory_checks import check_memory
from statecore.contract.schema import ContractMemory
from statecore.errors import InvalidInput
from statecore.state.codec import operation_form
from statecore.state.operations import Add, Delta, Operation, Pin, Target, Undo
from tests.statecore.contract_builders import contract, turn, waiting

DELTA = Delta("t1", 5, 1, said_seq=1, branch_ms=100)
ADD = Operation(6, "t2", 2, Add("fact", "Rome"), created_ms=1)


def remembering(*changes):
    """Return a contract of two turns and one that waits, with deltas and operations."""
    deltas = tuple(one for one in changes if isinstance(one, Delta))
    acts = tuple(operation_form(one) for one in changes if isinstance(one, Operation))
    memory = ContractMemory(as_of=99, deltas=deltas, operations=acts)
    return contract(turn(1), turn(2), waiting(3, seq=20), memory=memory)


def fault_of(given_contract) -> str:
    """Return what is wrong with a contract; empty where nothing is."""
    try:
        check_memory(given_contract)
    except InvalidInput as error:
        return str(error)
    return ""


def test_what_belongs_together_is_let_in():
    assert fault_of(remembering(DELTA, ADD, replace(ADD, seq=7, action=Undo(6)))) == ""
    assert fault_of(remembering(replace(ADD, turn_id=None, depth=0))) == ""


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ([replace(DELTA, turn_id="t9")], "deltas 1 → turn_id: there is no committed turn t9"),
        (
            [replace(DELTA, turn_id="t3", depth=3, seq=30)],
            "deltas 1 → turn_id: there is no committed turn t3",
        ),
        ([DELTA, replace(DELTA, seq=6)], "deltas 2 → turn_id: turn t1 has a delta already"),
        ([replace(DELTA, depth=2)], "deltas 1 → depth: is 2, and 1 in its turn"),
        ([replace(DELTA, said_seq=2)], "deltas 1 → said_seq: is 2, and 1 in its turn"),
        ([replace(DELTA, branch_ms=7)], "deltas 1 → branch_ms: is 7, and 100 in its turn"),
        ([replace(DELTA, seq=3)], "deltas 1 → seq: the seq 3 is that of turn 2 already"),
        (
            [Delta("t2", 6, 2, 3, 200), replace(DELTA, seq=5)],
            "deltas 2 → seq: the seq 5 does not come after 6",
        ),
        ([DELTA, replace(ADD, seq=5)], "operations 1 → seq: the seq 5 is that of deltas 1 already"),
        ([ADD, ADD], "operations 2 → seq: the seq 6 does not come after 6"),
        (
            [replace(ADD, turn_id=None)],
            "operations 1 → depth: an operation before the first turn has depth 0",
        ),
        ([replace(ADD, depth=1)], "operations 1 → depth: is 1, and 2 in its turn"),
        (
            [replace(ADD, action=Add("fact", "Rome", depth=3))],
            "operations 1 → action → add → depth: there is no turn of depth 3",
        ),
        (
            [replace(ADD, turn_id="t9", action=Pin(Target("x"), pinned=True))],
            "operations 1 → turn_id: there is no committed turn t9",
        ),
        (
            [ADD, replace(ADD, seq=7, action=Undo(8))],
            "operations 2 → action → undo → seq: no operation 8 came before",
        ),
    ],
)
def test_what_does_not_belong_is_named(changes, sentence):
    assert fault_of(remembering(*changes)) == f"memory → {sentence}"


def test_a_delta_is_later_than_the_commit_of_its_turn():
    early = contract(
        turn(1, committed_seq=9),
        memory=ContractMemory(as_of=9, deltas=(replace(DELTA, seq=5),)),
    )
    with pytest.raises(InvalidInput, match="deltas 1 → seq: turn 1 was committed later"):
        check_memory(early)


def test_an_operation_has_one_action():
    form = replace(operation_form(ADD), action=replace(operation_form(ADD).action, add=None))
    nothing = contract(turn(1), turn(2), memory=ContractMemory(as_of=9, operations=(form,)))
    with pytest.raises(InvalidInput, match="operations 1 → action: 0 actions where there is one"):
        check_memory(nothing)
