"""What cites a message cites what stands there."""

from dataclasses import replace

import pytest

from statecore.contract.schema import ContractMemory
from statecore.contract.spans import check_spans
from statecore.errors import InvalidInput
from statecore.memory.contract_fields import ContractField
from statecore.memory.facts import Fact, FactSource
from statecore.memory.ledger import Span
from statecore.state.codec import operation_form
from statecore.state.operations import (
    Add,
    Delete,
    Delta,
    FieldSet,
    Learned,
    Operation,
    Rejected,
    SetField,
    Target,
)
from statecore.workflow.machine import HeldValue, WorkflowState
from tests.statecore.contract_builders import contract, said, turn

TEXT = "不要海鲜。预算 900."
HERE, BEYOND, NOWHERE = Span("u1", 0, 5), Span("u1", 0, 99), Span("u9", 0, 5)
FACT = Fact("f", "c", "s", "a", "x", "x", (), "user", 0, 0, 1.0)


def citing(delta=None, action=None, **more):
    deltas = (replace(Delta("t1", 3, 1, 1, 100), **delta),) if delta else ()
    act = () if action is None else (operation_form(Operation(4, "t1", 1, action, 0)),)
    memory = ContractMemory(as_of=9, deltas=deltas, operations=act)
    asked = (said("u1", "user", TEXT), said("a1", "assistant", "好的。"))
    return contract(turn(1, *asked), memory=memory, **more)


def by_learning(span):
    return citing({"learned": (Learned(span, "rule", "不要海鲜。", "rules"),)})


PLACES = {
    "memory → deltas 1 → learned 1 → span": by_learning,
    "memory → deltas 1 → rejected 1 → span": lambda span: citing(
        {"rejected": (Rejected(span, "", "", "secret"),)}
    ),
    "memory → deltas 1 → fields 1 → source": lambda span: citing(
        {"fields": (FieldSet("k", "v", source=span),)}
    ),
    "memory → operations 1 → action → add → span": lambda span: citing(
        action=Add("rule", "No seafood.", span)
    ),
    "memory → operations 1 → action → set_field → field → source": lambda span: citing(
        action=SetField(FieldSet("k", "v", source=span), 0)
    ),
    "contract_fields 1 → source": lambda span: citing(
        contract_fields=(ContractField("tone", "dry", "user", 5, span),)
    ),
    "workflow → values 1 → source": lambda span: citing(
        workflow=WorkflowState("return", 1, "check", (HeldValue("k", "v", True, span),))
    ),
}


@pytest.mark.parametrize("place", PLACES)
def test_a_span_lies_inside_a_message_that_is_there(place):
    check_spans(PLACES[place](HERE))
    for span, sentence in (
        (BEYOND, f"ends at character 99, and message u1 has {len(TEXT)}"),
        (NOWHERE, "there is no message u9"),
        (Span("u1", 3, 2), "3 to 2 is no stretch of a text"),
        (Span("u1", -1, 2), "-1 to 2 is no stretch of a text"),
    ):
        with pytest.raises(InvalidInput) as refused:
            check_spans(PLACES[place](span))
        assert str(refused.value) == f"{place}: {sentence}"


def test_what_was_learned_stands_there_word_for_word():
    with pytest.raises(InvalidInput) as refused:
        check_spans(by_learning(Span("u1", 1, 5)))
    assert str(refused.value) == (
        "memory → deltas 1 → learned 1 → span: message u1 says something else from 1 to 5"
    )


def test_what_was_deleted_may_lie_on_another_branch():
    check_spans(citing(action=Delete(Target("u9:0-5", (NOWHERE,), "No seafood."))))
    with pytest.raises(InvalidInput, match="target 2: ends at character 99"):
        check_spans(citing(action=Delete(Target("u1:0-5", (HERE, BEYOND), ""))))


def test_a_fact_may_come_from_another_conversation():
    elsewhere = replace(FACT, sources=(FactSource("c9", "u9", 0, 5),))
    check_spans(citing(facts=(elsewhere,)))
    beyond = replace(FACT, sources=(FactSource("c1", "u1", 0, 99),))
    with pytest.raises(InvalidInput, match="facts 1 → sources 1: ends at character 99"):
        check_spans(citing(facts=(beyond,)))
