"""Whatever is broken in a file, it is read or refused in a sentence, and nothing else happens."""

import json
from contextlib import suppress
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statecore.contract.tree_document import dump_tree
from statecore.errors import InvalidInput
from statecore.formats.conversations import Found, Unfit, conversations_of
from tests.statecore.contract_builders import SAMPLES, sample
from tests.statecore.export_builders import chat
from tests.statecore.tree_builders import forked

FILES = {path.name: sample(path.name) for path in sorted(SAMPLES.glob("*.json"))} | {
    "tree": dump_tree(forked()),
    "export": json.dumps([chat("Hi", "Ho", "And")]),
}
ODD = st.sampled_from(
    [
        None,
        True,
        -1,
        0,
        7,
        10**400,
        1e400,
        1.5,
        "",
        "\0",
        "\ud800",
        "x" * 5_000,
        [],
        {},
        [[]],
        {"a": 1},
    ]
)


def steps_of(value: Any, before: tuple = ()) -> list[tuple]:
    """Return the ways to everything in a document."""
    if isinstance(value, dict):
        rows = list(value.items())
    elif isinstance(value, list):
        rows = list(enumerate(value))
    else:
        return [before]
    own = [before] if before else []
    return own + [way for key, row in rows for way in steps_of(row, (*before, key))]


@pytest.mark.parametrize("name", FILES)
@settings(max_examples=150)
@given(data=st.data())
def test_a_broken_file_is_read_or_refused(name, data):
    document = deepcopy(json.loads(FILES[name]))
    way = data.draw(st.sampled_from(steps_of(document)))
    place = document
    for step in way[:-1]:
        place = place[step]
    if data.draw(st.booleans()):
        place[way[-1]] = data.draw(ODD)
    else:
        del place[way[-1]]
    found: list[Found | Unfit] = []
    with suppress(InvalidInput):
        found = list(conversations_of(json.dumps(document)))
    assert all(isinstance(one, Found | Unfit) for one in found)
