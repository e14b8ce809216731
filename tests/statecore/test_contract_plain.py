"""Version 1, which people write by hand, becomes turns, acts and facts."""

import json

import pytest

from statecore.contract.document import parse
from statecore.errors import InvalidInput
from statecore.memory.ledger import Span
from tests.statecore.contract_builders import sample

USER = {"role": "user", "text": "No seafood. Table for six."}
ANSWER = {"role": "assistant", "text": "Noted."}


def plain(*messages, **more):
    """Return the contract of a document of version 1."""
    document = {"schema_version": "glassbox.state.1", "messages": list(messages)}
    return parse(json.dumps(document | more))


def refused(*messages, **more) -> str:
    with pytest.raises(InvalidInput) as error:
        plain(*messages, **more)
    return str(error.value)


def test_a_user_message_begins_a_turn():
    found = plain({"role": "system", "text": "Be brief."}, USER, ANSWER, USER, ANSWER)
    assert found.system.text == "Be brief."
    assert [[message.role for message in turn.messages] for turn in found.turns] == [
        ["user", "assistant"],
        ["user", "assistant"],
    ]
    assert [turn.finish for turn in found.turns] == ["complete", "complete"]


def test_what_nobody_answered_was_stopped_and_what_stands_last_waits():
    found = plain(USER, USER, ANSWER, USER)
    assert [(turn.status, turn.finish) for turn in found.turns] == [
        ("committed", "stopped"),
        ("committed", "complete"),
        ("interrupted", None),
    ]


def test_tool_calls_and_results_stay_in_their_turn():
    (first, last) = parse(sample("state.1.ru.json")).turns
    assert [message.role for message in first.messages] == [
        "user",
        "assistant",
        "tool",
        "assistant",
    ]
    assert first.messages[1].tool_calls[0].name == "find_order"
    assert first.messages[2].tool_call_id == "call-1"
    assert last.status == "interrupted"


def test_a_message_without_a_time_has_that_of_the_message_before():
    found = plain({**USER, "created_ms": 7}, ANSWER, {**USER, "created_ms": 9}, ANSWER)
    assert [message.created_ms for message in found.messages()] == [7, 7, 9, 9]


def test_a_summary_line_that_a_user_said_has_its_place():
    found = plain(USER, ANSWER, summary=["No seafood.", "The district is open."])
    sources = {entry.text: entry.sources for entry in found.memory.folded().entries}
    assert sources == {"No seafood.": (Span("m1", 0, 11),), "The district is open.": ()}


def test_a_summary_of_one_text_has_an_entry_for_each_line():
    found = plain(USER, ANSWER, summary="- No seafood.\n\n- Open.\n")
    assert {entry.text for entry in found.memory.folded().entries} == {"No seafood.", "Open."}


def test_what_request_meta_says_of_answers_becomes_contract_fields():
    found = parse(sample("state.1.ru.json"))
    assert {field.key: field.value for field in found.contract_fields} == {
        "locale": "ru",
        "safety_mode": "strict",
        "channel": "support",
    }
    assert found.request_meta.model == "first"
    assert found.request_meta.marks == {"fallback_used": "True"}


def test_session_fields_and_facts_come_along():
    found = parse(sample("state.1.ru.json"))
    fields = {field.key: field.value for field in found.memory.folded().fields}
    assert fields == {"order_id": "50122", "current_step": "проверка"}
    (fact,) = found.facts
    assert (fact.content, fact.attribute) == ("заказ 50122", "номер")
    (source,) = fact.sources
    assert found.messages()[1].text[source.start : source.end] == "заказ 50122"


@pytest.mark.parametrize(
    ("messages", "more", "sentence"),
    [
        (
            [ANSWER],
            {},
            "messages 1 → role: a conversation begins with a user message, not with assistant",
        ),
        (
            [USER, {"role": "system", "text": "x"}],
            {},
            "messages 2 → role: a system message stands first, or nowhere",
        ),
        (
            [{"role": "robot", "text": "x"}],
            {},
            "messages 1 → role: input should be 'system', 'user', 'assistant' or 'tool'",
        ),
        ([{"role": "user"}], {}, "messages 1 → text: field required"),
        (
            [USER],
            {"facts": [{"content": "x", "message_id": "m9"}]},
            "facts 1 → message_id: there is no message m9",
        ),
        ([USER], {"session": {"step": 2}}, "session → step: input should be a valid string"),
        ([USER], {"mood": 1}, "mood: extra inputs are not permitted"),
    ],
)
def test_what_is_wrong_is_named_as_it_stands_in_the_file(messages, more, sentence):
    assert refused(*messages, **more) == sentence


def test_a_conversation_without_messages_is_empty():
    assert plain().turns == ()


LONG = "x" * 5_000


@pytest.mark.parametrize(
    ("messages", "more", "sentence"),
    [
        ((USER, ANSWER | {"id": "a"}, USER | {"id": "a"}), {}, "messages 3 → id: another message"),
        ((USER, ANSWER), {"title": LONG}, "title: string should have at most"),
        ((USER, ANSWER), {"id": ""}, "id: string should have at least"),
        ((USER, ANSWER), {"request_meta": {"x": LONG}}, "request_meta → x: value should have"),
        ((USER, ANSWER), {"request_meta": {"x": {}}}, "request_meta → x: should be a text, a"),
        ((USER, ANSWER), {"request_meta": {"model": LONG}}, "request_meta → model: string should"),
        ((USER,), {"summary": [{"kind": "zzz", "text": "x"}]}, "summary 1 → kind: input should be"),
        ((USER,), {"summary": ["x", 5]}, "summary 2: input should be an object"),
        ((USER,), {"summary": 5}, "summary: input should be a valid"),
        (
            (USER | {"created_ms": 10}, ANSWER | {"created_ms": 5}),
            {},
            "messages 2 → created_ms: the time goes back from 10 to 5",
        ),
        (
            (USER | {"created_ms": 10}, ANSWER, USER | {"created_ms": 3}),
            {},
            "messages 3 → created_ms: the time goes back from 10 to 3",
        ),
        (
            (USER, {"role": "tool", "text": "r", "tool_call_id": "c"}, USER),
            {},
            "messages 2 → tool_call_id: no call c waits",
        ),
        ((USER, ANSWER | {"text": "a\0"}), {}, "messages 2 → text: holds a null character"),
        (
            ({"role": "system", "text": "a\0"}, USER),
            {},
            "messages 1 → text: holds a null character",
        ),
    ],
)
def test_what_is_wrong_with_what_it_becomes_is_named_as_it_stands_in_the_file(
    messages, more, sentence
):
    assert refused(*messages, **more).startswith(sentence)


def test_ids_that_are_given_are_never_those_that_are_made():
    found = plain(USER | {"id": "m2"}, ANSWER, USER | {"id": "m2_2"}, ANSWER)
    assert [message.id for message in found.messages()] == ["m2", "m2_3", "m2_2", "m4"]


def test_rows_of_a_summary_are_trimmed_and_lines_are_not():
    found = plain(USER, ANSWER, summary=["- Six. ", {"text": "- Six. "}, "", " "])
    added = [act.action.add.text for act in found.memory.operations]
    assert added == ["Six.", "- Six. "]
