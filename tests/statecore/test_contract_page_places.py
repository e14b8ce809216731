"""A place in a state leads to the place on the page of version 2 that it came from."""

import json

import pytest

from statecore.contract.document import parse
from statecore.contract.page_places import page_place
from statecore.errors import InvalidInput
from tests.statecore.contract_builders import sample

LONG = "x" * 5_000


def page():
    return json.loads(sample("page.2.ru.json"))


def test_every_place_is_one_of_the_page():
    document = page()
    # What is not on the path has no place in the state, and moves the others.
    gone = document["turns"][0] | {"id": "gone", "status": "failed", "parent_id": "gone"}
    document["turns"].insert(0, gone)
    document["memory"]["deltas"].insert(0, document["memory"]["deltas"][0] | {"turn": "gone"})
    undo = {"seq": 1, "turn": None, "kind": "undo", "action": {"seq": 0}}
    document["memory"]["operations"].insert(0, undo)
    for place, found in (
        (("conversation", "title"), ("title",)),
        (("request_meta", "model"), ("model_name",)),
        (("turns", 0), ("turns", 1)),
        (("turns", 1, "depth"), ("turns", 2, "depth")),
        (("turns", 1, "branch_ms"), ("turns", 2, "accepted_ms")),
        (("turns", 1, "accepted_seq"), ("turns", 2)),
        (("turns", 0, "model"), ("turns", 1, "model_name")),
        (("turns", 0, "messages", 0, "text"), ("turns", 1, "input_text")),
        (("turns", 0, "messages", 1, "text"), ("turns", 1, "answer_text")),
        (("turns", 0, "messages", 1), ("turns", 1, "answer_text")),
        (("turns", 0, "messages", 0, "created_ms"), ("turns", 1, "accepted_ms")),
        (("turns", 0, "messages", 1, "created_ms"), ("turns", 1, "committed_ms")),
        (("turns", 0, "messages", 1, "id"), ("turns", 1)),
        (("memory", "deltas", 0), ("memory", "deltas", 1)),
        (("memory", "deltas", 0, "note"), ("memory", "deltas", 1, "note")),
        (("memory", "deltas", 0, "learned", 1, "text"), ("memory", "deltas", 1)),
        (("memory", "operations", 0, "seq"), ("memory", "operations", 1, "seq")),
        (
            ("memory", "operations", 0, "action", "edit", "text"),
            ("memory", "operations", 1, "action", "text"),
        ),
        (
            ("request_meta", "attempts", 0, "model"),
            ("turns", 1, "attempts", 0, "model_name"),
        ),
    ):
        assert page_place(document, place) == found


def _text(document):
    document["turns"][1]["input_text"] = "a\0"


def _answer(document):
    document["turns"][0]["answer_text"] = "a\0"


def _title(document):
    document["title"] = LONG


def _depth(document):
    document["turns"][1]["depth"] = 7


def _model(document):
    document["turns"][0]["attempts"][0]["model_name"] = LONG


@pytest.mark.parametrize(
    ("breaks", "place"),
    [
        (_text, "turns 2 → input_text"),
        (_answer, "turns 1 → answer_text"),
        (_title, "title"),
        (_model, "turns 1 → attempts 1 → model_name"),
    ],
)
def test_what_is_wrong_with_what_it_becomes_is_named_as_it_stands_on_the_page(breaks, place):
    document = page()
    breaks(document)
    with pytest.raises(InvalidInput) as refused:
        parse(json.dumps(document))
    assert str(refused.value).startswith(f"{place}: ")


def test_a_depth_that_is_not_there_is_refused():
    document = page()
    _depth(document)
    with pytest.raises(InvalidInput, match="turns 2 → depth: is 7 where 2 comes next"):
        parse(json.dumps(document))
