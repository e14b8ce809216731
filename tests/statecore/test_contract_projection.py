"""The readable part of memory agrees with what it is made from, or the file is refused."""

import json

import pytest
from hypothesis import given

from statecore.contract.document import dump, parse
from statecore.contract.projection import check_projection, projected
from statecore.errors import InvalidInput
from tests.statecore.contract_builders import contract, contracts, sample, turn


def edited(change) -> str:
    """Return what is said to a sample of which the memory was changed."""
    document = json.loads(sample("state.3.en.json"))
    change(document["memory"])
    with pytest.raises(InvalidInput) as refused:
        parse(json.dumps(document))
    return str(refused.value)


@given(contracts())
def test_what_is_added_for_readers_is_taken_off_again(drawn):
    assert check_projection(projected(drawn)) == drawn


def test_readers_see_what_counts_and_nothing_that_was_deleted():
    document = json.loads(sample("state.3.en.json"))
    texts = [entry["text"] for entry in document["memory"]["summary"]]
    assert "Metric units only." in texts
    assert "My booking code is QX-4711." not in texts
    assert {field["key"] for field in document["memory"]["session"]} == {
        "current_goal",
        "current_step",
    }


def test_an_entry_that_was_changed_in_the_summary_alone_is_refused():
    said = edited(lambda memory: memory["summary"][2].update(text="Book anything."))
    assert said == ("memory → summary 3: is not what deltas and operations come to; leave it out")


def test_a_field_that_was_changed_in_the_session_alone_is_refused():
    said = edited(lambda memory: memory["session"][0].update(value="Paris"))
    assert said.startswith("memory → session 1: is not what")


def test_an_entry_that_was_taken_out_of_the_summary_alone_is_refused():
    def take_out(memory):
        memory["summary"].pop()

    assert "holds 4 where deltas and operations come to 5" in edited(take_out)


def test_an_empty_memory_has_no_readable_part():
    assert '"summary"' not in dump(contract(turn(1)))
