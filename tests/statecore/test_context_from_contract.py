"""A contract gives the state that a plan is made from."""

import pytest

from statecore.context.from_contract import state_of
from statecore.contract.document import parse
from statecore.contract.schema import ContractMemory
from statecore.errors import InvalidInput
from statecore.memory.ledger import Span
from statecore.state.codec import operation_form
from statecore.state.operations import Add, Delete, Learned, Operation, Target
from tests.statecore.builders import planned
from tests.statecore.contract_builders import contract, said, sample, turn, waiting
from tests.statecore.memory_builders import delta

LEARNED = Learned(Span("u1", 0, 3), "fact", "Hi.", "rules")


def taught():
    """Return a contract of two turns that both taught something, and an act at each."""
    deltas = (
        delta(1, 5, LEARNED, said=1, branch_ms=100),
        delta(2, 6, Learned(Span("u2", 0, 3), "rule", "Hi.", "rules"), said=3, branch_ms=200),
    )
    acts = (
        Operation(7, "t1", 1, Add("task", "One."), 0),
        Operation(8, "t2", 2, Add("task", "Two."), 0),
        Operation(9, "t2", 2, Delete(Target("u1:0-3", (Span("u1", 0, 3),), "Hi.")), 0),
    )
    forms = tuple(map(operation_form, acts))
    memory = ContractMemory(as_of=9, deltas=deltas, operations=forms)
    return contract(turn(1), turn(2), memory=memory)


def test_without_a_text_the_last_user_message_is_asked_again():
    state = state_of(taught())
    assert (state.input.id, state.input_depth) == ("u2", 2)
    assert [one.id for one in state.turns] == ["t1"]
    assert (state.branch_now_ms, state.last_turn_ms) == (200, 100)


def test_what_the_last_turn_itself_taught_is_not_known_before_it():
    texts = {entry.text for entry in state_of(taught()).memory.active()}
    assert texts == {"One."}


def test_what_a_person_deleted_later_stays_deleted():
    (deleted,) = [it for it in state_of(taught()).memory.entries if it.status == "deleted"]
    assert deleted.text == "Hi."


def test_a_text_is_asked_after_the_newest_turn():
    state = state_of(taught(), "And now?", now_ms=5_000)
    assert (state.input.text, state.input_depth) == ("And now?", 3)
    assert {entry.text for entry in state.memory.active()} >= {"One.", "Two."}
    assert (state.branch_now_ms, state.last_turn_ms) == (200 + 5_000 - 2_000, 200)


def test_a_clock_that_is_behind_stands_still():
    assert state_of(taught(), "?", now_ms=1).branch_now_ms == 200
    assert state_of(taught(), "?").branch_now_ms == 200


def test_what_waits_is_asked_again_or_was_never_seen():
    found = contract(turn(1), waiting(2))
    assert state_of(found).input.id == "u2"
    assert [one.id for one in state_of(found, "Next?").turns] == ["t1"]


def test_turns_say_whether_they_are_learned():
    found = taught()
    less = found.memory.model_copy(update={"deltas": found.memory.deltas[:1]})
    state = state_of(found.model_copy(update={"memory": less}), "?")
    assert [one.is_learned for one in state.turns] == [True, False]


def test_everything_that_travels_is_there():
    state = state_of(parse(sample("state.1.ru.json")))
    assert state.system.text == "Отвечай сухо и по шаблону."
    assert [field.key for field in state.contract] == ["channel", "locale", "safety_mode"]
    assert [fact.content for fact in state.facts] == ["заказ 50122"]
    assert state.turns[0].messages[1].tool_calls[0].name == "find_order"


def test_the_first_message_and_the_first_text_have_nothing_before_them():
    assert state_of(contract(waiting(1))).turns == ()
    assert state_of(contract(), "Hello").input_depth == 1


def test_there_must_be_something_to_plan_for():
    with pytest.raises(InvalidInput, match="turns: there is no user message to plan for"):
        state_of(contract(system=said("s", "system", "Be brief.")))


@pytest.mark.parametrize("name", ["state.3.en", "page.2.ru", "state.1.zh"])
def test_a_plan_can_be_made_of_every_sample(name):
    made = planned(state_of(parse(sample(f"{name}.json")), "再来一次 / ещё раз / again"))
    assert made.request.messages[-1].role == "user"
