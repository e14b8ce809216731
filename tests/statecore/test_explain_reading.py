"""The format of a file is found by what is in it."""

import json
from pathlib import Path

import pytest

from statecore.context.from_contract import state_of
from statecore.contract.document import parse
from statecore.errors import InvalidInput
from statecore.explain.reading import given_by
from tests.statecore.explain_files import EXPORT, FORMATS, MESSAGES, RULE, TALK, text_of

SAMPLES = Path(__file__).parents[1] / "data" / "contract"
STATES = sorted(SAMPLES.glob("*.json"))


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_gives_the_same_talk_and_its_rule(name):
    state = given_by(text_of(name)).state

    spoken = [message for turn in state.turns for message in turn.messages]
    assert [(m.role, m.text) for m in (*spoken, state.input)] == list(TALK)
    assert RULE in [entry.text for entry in state.memory.active()]


def test_tools_and_the_length_of_the_answer_come_with_a_body():
    tools = [{"type": "function", "function": {"name": "trains", "parameters": {}}}]

    found = given_by(json.dumps({"messages": MESSAGES, "tools": tools, "max_tokens": 77}))

    assert [tool.name for tool in found.state.tools] == ["trains"]
    assert found.model.reserve_tokens == 77


def test_a_case_brings_its_model_and_exact_counts():
    model = {"window_tokens": 400, "reply_reserve_tokens": 100, "tokenizer": "own"}

    found = given_by(json.dumps({"messages": MESSAGES, "model": model, "counts": [9, None, 4]}))

    assert (found.model.window_tokens, found.model.tokenizer) == (400, "own")
    assert {key.message_id: count.tokens for key, count in found.counts.items()} == {
        "m1": 9,
        "m3": 4,
    }


@pytest.mark.parametrize("sample", STATES, ids=lambda sample: sample.name)
def test_states_of_every_version_are_read(sample):
    text = sample.read_text(encoding="utf-8")

    assert given_by(text).state == state_of(parse(text))


def test_a_state_brings_the_window_of_its_newest_attempt():
    text = (SAMPLES / "state.3.en.json").read_text(encoding="utf-8")
    windows = [attempt["window_tokens"] for attempt in json.loads(text)["request_meta"]["attempts"]]

    assert given_by(text).model.window_tokens == windows[-1]
    assert given_by(json.dumps(FORMATS["a state"])).model.window_tokens is None


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "not JSON: line 1, column 1: expecting value"),
        ('{"a": 1,\n  b}', "not JSON: line 2, column 3: expecting property name"),
        ("[]\n[]", "not JSON: line 2, column 1: extra data"),
        ("[" * 100_000, "not JSON that can be read: it is nested too deeply"),
        ("9" * 10_000, "not JSON that can be read: "),
        ("[]", "messages: there is no user message to plan for"),
        ("null", "this is neither a state of a conversation"),
        ("5", "this is neither"),
        ('{"a": 1}', "this is neither"),
        ('{"schema_version": "other.9"}', "schema_version: other.9 is not known"),
        ('{"schema_version": 99, "messages": []}', "schema_version: 99 is not known"),
        (
            '{"schema_version": "glassbox.state.99"}',
            "schema_version: glassbox.state.99 is not known",
        ),
        ('{"messages": 5}', "messages: input should be a valid list"),
        ('{"messages": [], "counts": [1]}', "model: field required"),
        ('{"messages": [], "model": {}}', "model → window_tokens: field required"),
        (
            '{"schema_version": "glassbox.state.1", "messages": []}',
            "turns: there is no user message",
        ),
    ],
)
def test_what_is_wrong_is_one_sentence(text, sentence):
    with pytest.raises(InvalidInput) as raised:
        given_by(text)

    assert str(raised.value).startswith(sentence)


def test_only_an_export_has_conversations_to_choose_from():
    assert given_by(json.dumps(EXPORT), "1").state.input.id == "n2"
    with pytest.raises(InvalidInput, match="only an export of ChatGPT has conversations"):
        given_by(json.dumps(MESSAGES), "1")
