"""The workflows that ship are found by their name."""

import pytest

from chatapp.workflows import workflow, workflow_names


def test_every_workflow_that_ships_loads_under_its_name():
    assert "support_return" in workflow_names()
    assert [workflow(name).name for name in workflow_names()] == list(workflow_names())


def test_a_workflow_that_does_not_ship_is_no_file_to_be_read():
    with pytest.raises(KeyError):
        workflow("../prompts/chat.v2")
