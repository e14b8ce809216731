"""The hash of a state: the same under other ids and seqs, another for another state."""

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from statecore.contract.differences import difference
from statecore.contract.document import parse
from statecore.contract.hashing import canonical, state_hash
from statecore.contract.renaming import renamed
from statecore.contract.schema import RequestMeta
from statecore.memory.contract_fields import ContractField
from tests.statecore.contract_builders import (
    contract,
    contracts,
    said,
    same_names,
    sample,
    turn,
    waiting,
)


@given(contracts(), st.integers(1, 40), st.integers(0, 9))
def test_ids_and_seqs_do_not_matter(drawn, step, more):
    names = same_names(drawn, "-moved")
    names.seqs = {seq: step * seq + more for seq in drawn.seqs()}
    names.elsewhere = lambda what, name, number: f"{what} {number}"
    moved = renamed(drawn, names)
    assert state_hash(moved) == state_hash(drawn)
    assert difference(moved, drawn) == ()


@given(contracts(), contracts())
def test_equal_hashes_are_equal_states(one, other):
    assert (state_hash(one) == state_hash(other)) == (canonical(one) == canonical(other))
    assert (difference(one, other) == ()) == (canonical(one) == canonical(other))


@given(contracts())
def test_a_message_that_says_something_else_is_another_state(drawn):
    assume(drawn.turns)
    *before, last = drawn.turns
    answer = last.messages[-1].model_copy(update={"text": "Anything else."})
    changed = last.model_copy(update={"messages": (*last.messages[:-1], answer)})
    assert state_hash(drawn.model_copy(update={"turns": (*before, changed)})) != state_hash(drawn)


@pytest.mark.parametrize("language", ["en", "ru", "zh"])
def test_what_a_person_did_is_part_of_the_state(language):
    found = parse(sample(f"state.3.{language}.json"))
    forms = found.memory.operations
    less = found.memory.model_copy(update={"operations": forms[:-1]})
    assert state_hash(found.model_copy(update={"memory": less})) != state_hash(found)


def test_how_requests_were_made_is_no_part_of_the_state():
    one = contract(turn(1))
    meta = RequestMeta(model="large", strategy="full", marks={"fallback": "timeout"})
    assert state_hash(one.model_copy(update={"request_meta": meta})) == state_hash(one)


def test_how_an_input_came_to_wait_is_no_part_of_the_state():
    failed, interrupted = waiting(2), waiting(2).model_copy(update={"status": "interrupted"})
    assert state_hash(contract(turn(1), failed)) == state_hash(contract(turn(1), interrupted))


def test_contract_fields_have_no_order():
    tone = ContractField("tone", "dry", "user", 8)
    locale = replace(tone, key="locale", value="ru", seq=9)
    one = contract(turn(1), contract_fields=(tone, locale))
    other = contract(turn(1), contract_fields=(locale, tone))
    assert state_hash(one) == state_hash(other)


def test_the_canonical_form_holds_no_id():
    ids = ("conversation-id", "turn-id", "message-id")
    asked = said("message-id", "user", "Hi.")
    found = contract(turn(1, asked, said("a", "assistant", "Yes."), id="turn-id"))
    moved = found.model_copy(
        update={"conversation": found.conversation.model_copy(update={"id": "conversation-id"})}
    )
    assert not [name for name in ids if name in str(canonical(moved))]
