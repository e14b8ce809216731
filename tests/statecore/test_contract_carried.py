"""What a state carries beside messages and memory is stored and read as it came."""

import pytest
from hypothesis import given

from statecore.contract.carried import Carried, carried_of, decode_carried, encode_carried
from statecore.contract.document import parse
from statecore.errors import InvalidInput
from tests.statecore.contract_builders import contracts, sample


@given(contracts())
def test_it_is_read_as_it_was_stored(drawn):
    assert decode_carried(encode_carried(carried_of(drawn))) == carried_of(drawn)


def test_it_holds_fields_facts_tools_and_where_the_conversation_stands():
    found = parse(sample("state.1.ru.json"))
    carried = carried_of(found)
    assert carried.contract_fields == found.contract_fields
    assert carried.facts == found.facts
    assert encode_carried(Carried()) == b"{}"


def test_what_is_no_such_thing_is_refused_with_its_place():
    with pytest.raises(InvalidInput, match="facts 1 → id: field required"):
        decode_carried(b'{"facts": [{}]}')
