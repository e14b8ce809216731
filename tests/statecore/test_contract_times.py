"""Times and durations of a contract are numbers that can be kept."""

from dataclasses import replace

import pytest

from statecore.contract.document import parse
from statecore.contract.schema import LARGEST, ContractMemory
from statecore.contract.times import check_numbers, moments
from statecore.errors import InvalidInput
from statecore.memory.session import Expiry
from statecore.state.codec import operation_form
from statecore.state.operations import Delta, FieldSet, Operation, SetField
from tests.statecore.contract_builders import contract, sample, turn

SET = Operation(4, "t1", 1, SetField(FieldSet("step", "2"), 7), created_ms=8)
PLACE = "memory → operations 1"


def doing(act, *deltas):
    memory = ContractMemory(as_of=9, deltas=deltas, operations=(operation_form(act),))
    return contract(turn(1), memory=memory)


def test_every_time_is_named():
    assert [number for _, number in moments(doing(SET))] == [1000, 1500, 100, 0, 0, 8, 7]
    named = {place[-1] for place, _ in moments(parse(sample("state.1.ru.json")))}
    assert {"created_ms", "last_confirmed_ms", "branch_ms"} <= named


@pytest.mark.parametrize("number", [-1, LARGEST + 1])
def test_what_no_row_can_keep_is_refused(number):
    for act, place in (
        (replace(SET, created_ms=number), "created_ms"),
        (
            replace(SET, action=replace(SET.action, branch_ms=number)),
            "action → set_field → branch_ms",
        ),
        (
            replace(SET, action=SetField(FieldSet("step", "2", Expiry("time", number)), 7)),
            "action → set_field → field → expiry → after_ms",
        ),
    ):
        with pytest.raises(InvalidInput) as refused:
            check_numbers(doing(act))
        said = f"{PLACE} → {place}: is {number}, which is no number of milliseconds"
        assert str(refused.value) == said


def test_fields_that_turns_set_last_no_longer_than_can_be_kept():
    field = FieldSet("step", "2", Expiry("idle", -1))
    taught = Delta("t1", 3, 1, 1, 100, fields=(field,))
    with pytest.raises(InvalidInput, match="deltas 1 → fields 1 → expiry → after_ms: is -1"):
        check_numbers(doing(SET, taught))
