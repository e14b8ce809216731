"""What is wrong is named where people find it."""

import pytest
from pydantic import ValidationError

from statecore.contract.places import first_wrong, wrong
from statecore.contract.schema import ContractMessage


def test_an_error_names_its_place_as_people_count():
    said = str(wrong(("turns", 2, "messages", 1, "role"), "is none"))
    assert said == "turns 3 → messages 2 → role: is none"


def test_of_a_validation_the_first_error_is_said_and_no_text_of_the_file():
    with pytest.raises(ValidationError) as failed:
        ContractMessage(id="", role="user", text="my secret", created_ms=-1)
    assert str(first_wrong(failed.value)) == "id: string should have at least 1 character"
