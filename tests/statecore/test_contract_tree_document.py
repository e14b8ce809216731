"""A tree is written as text and read again; what is no tree, or a changed one, is refused."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecore.contract.document import dump, parse
from statecore.contract.tree_document import dump_tree, parse_tree
from statecore.contract.tree_paths import path_of, tree_of
from statecore.errors import InvalidInput
from tests.statecore.contract_builders import SAMPLES, sample
from tests.statecore.tree_builders import forked, trees


def fault_of(text: str) -> str:
    """Return why a text is no tree; empty where it is one."""
    try:
        parse_tree(text)
    except InvalidInput as error:
        return str(error)
    return ""


@given(trees())
def test_any_tree_is_read_as_it_was_written(drawn):
    text = dump_tree(drawn)
    assert parse_tree(text) == drawn
    assert dump_tree(parse_tree(text)) == text


@pytest.mark.parametrize("name", sorted(path.name for path in SAMPLES.glob("*.json")))
def test_a_state_of_any_version_is_a_tree_of_one_branch(name):
    tree = parse_tree(sample(name))
    assert [branch.origin for branch in tree.branches] == ["main"]
    assert path_of(tree, tree.selected) == parse(sample(name))


def test_a_state_that_came_by_way_of_a_tree_is_the_same_text():
    state = parse(sample("state.3.ru.json"))
    again = path_of(parse_tree(dump_tree(tree_of(state))), "main")
    assert dump(again) == dump(state)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "not JSON: expecting property name enclosed in double quotes at line 1, column 2"),
        ("[]", "schema_version: names no version; known are "),
        ('{"schema_version": "glassbox.tree.9"}', "schema_version: glassbox.tree.9 is not known"),
        ('{"schema_version": "glassbox.tree.1"}', "conversation: field required"),
    ],
)
def test_what_is_no_tree_is_refused(text, sentence):
    assert fault_of(text).startswith(sentence)


def _places(document: Any, path: tuple = ()):
    """Yield the way to every number and text of a document."""
    if isinstance(document, dict):
        for name, value in document.items():
            yield from _places(value, (*path, name))
    elif isinstance(document, list):
        for number, value in enumerate(document):
            yield from _places(value, (*path, number))
    else:
        yield path


@given(st.data())
def test_a_reference_to_what_is_not_there_is_refused_with_its_place(data):
    document = json.loads(dump_tree(forked()))
    names = {"parent", "branch", "input_of", "parent_turn", "left_branch", "tip", "selected"}
    ways = [way for way in _places(document) if way[-1] in names]
    way = data.draw(st.sampled_from(ways))
    held = document
    for step in way[:-1]:
        held = held[step]
    held[way[-1]] = "nowhere"
    found = fault_of(json.dumps(document))
    assert found != ""
    assert str(way[-1]) in found
    assert "there is no" in found


@given(trees(), st.data())
def test_a_seq_that_is_given_twice_is_refused(drawn, data):
    document = json.loads(dump_tree(drawn))
    names = {"accepted_seq", "committed_seq"}
    ways = [way for way in _places(document) if way[-1] in names]
    if len(ways) < 2:
        return
    one, other = data.draw(st.permutations(ways))[:2]
    value: Any = document
    for step in one:
        value = value[step]
    held: Any = document
    for step in other[:-1]:
        held = held[step]
    held[other[-1]] = value
    assert "seq" in fault_of(json.dumps(document))


def test_what_nobody_knows_is_refused():
    document = json.loads(dump_tree(forked()))
    document["branches"][1]["colour"] = "red"
    assert fault_of(json.dumps(document)) == ("branches 2 → colour: extra inputs are not permitted")
