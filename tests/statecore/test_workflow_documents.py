"""A definition is read strictly, and what is wrong with it is named by its place."""

import pytest

from statecore.errors import InvalidInput
from statecore.workflow.documents import definition_of
from statecore.workflow.guards import Within
from tests.statecore.workflow_builders import SMALL, changed, shipped


def test_a_document_becomes_a_definition():
    definition = definition_of(SMALL)

    assert (definition.name, definition.version, definition.start) == ("lend", 3, "ask")
    assert definition.field("title").is_critical
    assert definition.field("nothing") is None
    lend, again = definition.transitions_from("ask")
    assert (lend.sources, lend.target, lend.mode) == (("ask",), "lent", "offer")
    assert lend.guards[0].test == Within("pages", None, 500)
    assert again.target == "ask"


def test_a_move_may_start_from_several_states():
    definition = shipped("support_return")

    leaving = [state.name for state in definition.states if not state.is_terminal]
    assert all(
        "hand_over" in {move.name for move in definition.transitions_from(name)} for name in leaving
    )


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        ({}, "name: field required"),
        (changed("version", to="3"), "version: input should be a valid integer"),
        (changed("colour", to="red"), "colour: extra inputs are not permitted"),
        (changed("start", to="nowhere"), "start: there is no state 'nowhere'"),
        (changed("fields", 1, "type", to="sum"), "fields 2 → type: input should be"),
        (
            changed("fields", None, to=SMALL["fields"][0]),
            "fields: the name 'title' stands for more",
        ),
        (changed("fields", 1, "choices", to=["a"]), "fields 2 → choices: a field has choices if"),
        (changed("fields", 0, "type", to="choice"), "fields 1 → choices: a field has choices if"),
        (changed("states", 1, "name", to="ask"), "states: the name 'ask' stands for more"),
        (changed("moves", 1, "name", to="lend"), "moves: the name 'lend' stands for more"),
        (changed("moves", 1, "name", to="Ask!"), "moves 2 → name: string should match pattern"),
        (changed("moves", 1, "from", to="lent"), "moves 2 → from: 'lent' is an end"),
        (changed("moves", 1, "from", to="away"), "moves 2 → from: there is no state 'away'"),
        (changed("moves", 1, "from", to=[]), "moves 2 → from: value should have at least 1 item"),
        (changed("moves", 1, "to", to="away"), "moves 2 → to: there is no state 'away'"),
        (changed("moves", 1, "takes", to=["x"]), "moves 2 → takes: there is no field 'x'"),
        (changed("moves", 0, "requires", to=["x"]), "moves 1 → requires: there is no field 'x'"),
        (changed("moves", 0, "takes", to=["pages"]), "moves 1: it needs 'title', which no move"),
        (changed("moves", 0, "critical", to=True), "moves 1 → mode: a critical move is proposed"),
        (changed("moves", 0, "to", to="ask"), "states 1: no way leads from 'ask' to an end"),
        (
            changed("states", None, to={"name": "island", "terminal": True}),
            "states 3: no way leads to 'island'",
        ),
    ],
)
def test_what_is_wrong_is_named_by_its_place(document, sentence):
    with pytest.raises(InvalidInput) as raised:
        definition_of(document)

    assert str(raised.value).lower().startswith(sentence.lower())


@pytest.mark.parametrize(
    ("guard", "sentence"),
    [
        ({"field": "pages", "at_most": 5}, "rule: field required"),
        ({"rule": "No.", "field": "pages"}, "needs one of present, equals, in"),
        (
            {"rule": "No.", "field": "pages", "equals": "1", "at_most": 5},
            "needs one of present, equals, in",
        ),
        (
            {"rule": "No.", "field": "pages", "days_after": "pages", "equals": "1"},
            "days_after needs",
        ),
        (
            {"rule": "No.", "field": "pages", "equals": "many"},
            "equals: 'many' is no value of 'pages'",
        ),
        (
            {"rule": "No.", "field": "pages", "in": ["1", "many"]},
            "in: 'many' is no value of 'pages'",
        ),
        ({"rule": "No.", "field": "weight", "present": True}, "field: there is no field 'weight'"),
        ({"rule": "No.", "field": "title", "at_most": 5}, "field: 'title' is a text, not a number"),
        (
            {"rule": "No.", "field": "pages", "days_after": "title", "at_most": 5},
            "field: 'pages' is a number, not a date",
        ),
        ({"rule": "No.", "any": []}, "any: list should have at least 1 item"),
        ({"rule": "No.", "any": [{"field": "x", "present": True}]}, "any 1 → field: there is no"),
        ({"rule": "No.", "field": "pages", "at_most": float("nan")}, "at_most"),
    ],
)
def test_a_guard_that_cannot_be_is_named_by_its_place(guard, sentence):
    with pytest.raises(InvalidInput) as raised:
        definition_of(changed("moves", 0, "guards", None, to=guard))

    said = str(raised.value).lower()
    assert said.startswith("moves 1 → guards 2")
    assert sentence.lower() in said
    assert "#" not in said
