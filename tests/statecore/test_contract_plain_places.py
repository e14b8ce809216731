"""A place in a state leads to the place in the document of version 1 that it came from."""

import pytest

from statecore.contract.plain_places import plain_place

DOCUMENT = {
    "messages": [
        {"role": "system", "text": "Be brief."},
        {"role": "user", "text": "One"},
        {"role": "assistant", "text": "Yes"},
        {"role": "assistant", "text": "And"},
        {"role": "user", "text": "Two"},
    ],
    "summary": ["", "Six.", {"kind": "rule", "text": "None."}],
    "session": {"step": "1", "goal": "2"},
    "facts": [{"content": "Tea."}],
    "request_meta": {"locale": "ru", "other": 1},
}


@pytest.mark.parametrize(
    ("place", "found"),
    [
        (("conversation", "title"), ("title",)),
        (("system", "text"), ("messages", 0, "text")),
        (("turns", 0), ("messages", 1)),
        (("turns", 0, "messages", 2, "tool_calls", 1), ("messages", 3, "tool_calls", 1)),
        (("turns", 0, "accepted_ms"), ("messages", 1, "created_ms")),
        (("turns", 0, "committed_ms"), ("messages", 3, "created_ms")),
        (("turns", 1, "branch_ms"), ("messages", 4, "created_ms")),
        (("turns", 1, "status"), ("messages", 4)),
        (("memory", "operations", 0, "action", "add", "text"), ("summary", 1)),
        (("memory", "operations", 1, "action", "add", "text"), ("summary", 2, "text")),
        (("memory", "operations", 1, "action", "add", "span"), ("summary", 2)),
        (("memory", "operations", 3, "action", "set_field"), ("session", "goal")),
        (("facts", 0, "quote"), ("facts", 0, "content")),
        (("facts", 0, "sources", 0, "start"), ("facts", 0, "message_id")),
        (("facts", 0, "confidence"), ("facts", 0)),
        (("request_meta", "marks", "other", "[key]"), ("request_meta", "other")),
        (("request_meta", "model"), ("request_meta", "model")),
    ],
)
def test_every_place_is_one_of_the_file(place, found):
    assert plain_place(DOCUMENT, place) == found


def test_what_says_how_to_answer_lies_in_request_meta():
    assert plain_place(DOCUMENT, ("contract_fields", 0, "value")) == ("request_meta", "locale")


def test_of_a_summary_that_is_a_text_the_row_is_named():
    document = DOCUMENT | {"summary": "Six.\n\nNone."}
    place = ("memory", "operations", 1, "action", "add", "text")
    assert plain_place(document, place) == ("summary", 2)
