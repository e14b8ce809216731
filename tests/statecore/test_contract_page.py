"""Version 2, the page as JSON, becomes a contract that remembers the same."""

import json

import pytest

from statecore.contract.differences import difference
from statecore.contract.document import parse
from statecore.errors import InvalidInput
from tests.statecore.contract_builders import sample

LANGUAGES = ("en", "ru", "zh")
LOST = ("created_ms", "supersedes")
"""What the page did not hold: when acts were done, and what a deleted entry had replaced."""


def both(language):
    """Return the same conversation, once from the page and once as it was."""
    return parse(sample(f"page.2.{language}.json")), parse(sample(f"state.3.{language}.json"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_memory_is_the_same(language):
    page, state = (found.memory.folded() for found in both(language))
    assert [
        (entry.kind, entry.text, entry.quote, entry.status, entry.pinned, entry.depth)
        for entry in page.entries
    ] == [
        (entry.kind, entry.text, entry.quote, entry.status, entry.pinned, entry.depth)
        for entry in state.entries
    ]
    assert page.fields == state.fields
    assert [one.text for one in page.removed] == [one.text for one in state.removed]
    assert page.undone == state.undone


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_lost_but_what_the_page_did_not_hold(language):
    page, state = both(language)
    page = page.model_copy(update={"system": state.system})
    found = difference(state, page)
    assert [line for line in found if not any(word in line for word in LOST)] == []


def test_what_broke_off_waits_for_its_answer():
    page, state = both("ru")
    assert page.turns[-1].status == state.turns[-1].status == "failed"
    assert [message.text for message in page.turns[-1].messages] == ["Когда придут деньги?"]


def test_what_was_asked_of_models_is_told():
    attempts = parse(sample("page.2.ru.json")).request_meta.attempts
    assert (attempts[-1].reason, attempts[-1].turn_id) == (
        "first_token_timeout",
        parse(sample("page.2.ru.json")).turns[-1].id,
    )


def test_a_page_of_the_newest_turns_alone_is_no_state():
    document = json.loads(sample("page.2.en.json"))
    document["older_before"] = document["turns"][0]["id"]
    with pytest.raises(InvalidInput) as refused:
        parse(json.dumps(document))
    assert str(refused.value) == (
        "older_before: the page holds the newest turns only; a state needs them from the first on"
    )


def test_what_is_wrong_is_named_as_it_stands_in_the_file():
    document = json.loads(sample("page.2.en.json"))
    del document["turns"][1]["input_text"]
    with pytest.raises(InvalidInput) as refused:
        parse(json.dumps(document))
    assert str(refused.value) == "turns 2 → input_text: field required"


def test_the_same_words_said_again_are_found_in_their_turn():
    document = json.loads(sample("page.2.en.json"))
    last = document["turns"][-1]
    entry = next(
        one for one in document["memory"]["entries"] if one["quote"].startswith("Do not book")
    )
    last["input_text"] = entry["quote"]
    entry["sources"].append(["again", 0, len(entry["quote"])])
    document["memory"]["as_of"] = 99
    document["memory"]["deltas"].append(
        {"turn": last["id"], "seq": 99, "depth": 4, "model": "", "note": "no_model"}
    )
    found = parse(json.dumps(document))
    twice = found.memory.folded().entry(entry["id"])
    assert [span.message_id for span in twice.sources] == [entry["sources"][0][0], "again"]
