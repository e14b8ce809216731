"""The question for a memory model, and what counts of its answer."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecore.memory.labels import (
    LABELS,
    AskedSentence,
    CheckedLabels,
    LabelQuestion,
    RefusedLabel,
    Unreadable,
    checked,
)
from statecore.memory.ledger import Span

QUESTION = LabelQuestion(
    prompt_name="label",
    prompt_version=1,
    system="Label.",
    user="User:\n1. Our cat is old.\n- Hi\n3. Кот старый.",
    asked=(
        AskedSentence(1, Span("u1", 0, 15), "Our cat is old."),
        AskedSentence(3, Span("u1", 19, 30), "Кот старый."),
    ),
)
GOOD = '{"1": "fact", "3": "decision"}'


def test_every_number_that_is_asked_needs_one_of_the_labels():
    schema = QUESTION.schema

    assert schema["required"] == ["1", "3"]
    assert set(schema["properties"]) == {"1", "3"}
    assert schema["properties"]["3"]["enum"] == list(LABELS)
    assert schema["additionalProperties"] is False


def test_the_longest_answer_fits_into_its_limit():
    longest = json.dumps({str(number): "assumption" for number in range(1, 41)})
    asked = tuple(AskedSentence(n, Span("u", n, n + 1), "x") for n in range(1, 41))

    assert len(longest) / 2 < replace(QUESTION, asked=asked).max_output_tokens


@pytest.mark.parametrize(
    "answer",
    [
        GOOD,
        f"```json\n{GOOD}\n```",
        f"Sure! Here {{you}} are:\n{GOOD}\nAnything else?",
        '{"1": "Fact ", "3": "DECISION"}',
        '{"thoughts": {}} ' + GOOD,
        '{"1.": "fact", " 3": "decision", "note": "both are clear"}',
    ],
)
def test_fences_prose_and_cases_do_not_matter(answer):
    assert checked(QUESTION, answer) == CheckedLabels({1: "fact", 3: "decision"})


def test_another_answer_gives_other_labels():
    assert checked(QUESTION, '{"1": "skip", "3": "goal"}') == CheckedLabels({3: "goal"})


def test_a_missing_number_is_skipped():
    assert checked(QUESTION, '{"3": "task"}') == CheckedLabels({3: "task"})


def test_a_number_that_was_not_asked_is_refused():
    found = checked(QUESTION, '{"1": "fact", "2": "rule", "77": "skip"}')

    refused = (RefusedLabel(2, "rule", "not_asked"), RefusedLabel(77, "skip", "not_asked"))
    assert found == CheckedLabels({1: "fact"}, refused)


@pytest.mark.parametrize("word", ["promise", "важно", "", "事实"])
def test_a_label_that_does_not_exist_or_is_not_the_users_is_refused(word):
    found = checked(QUESTION, json.dumps({"1": word, "3": "fact"}))

    assert found == CheckedLabels({3: "fact"}, (RefusedLabel(1, word, "bad_label"),))


def test_a_refused_word_is_kept_shortened():
    found = checked(QUESTION, json.dumps({"1": "x" * 5000}))

    assert isinstance(found, CheckedLabels)
    assert len(found.refused[0].label) < 100


def test_half_a_character_in_a_refused_word_can_be_stored():
    found = checked(QUESTION, r'{"1": "\ud83d", "9": "\udc4b"}')

    assert isinstance(found, CheckedLabels)
    assert [refused.label.encode() for refused in found.refused] == [b"?", b"?"]


@pytest.mark.parametrize("value", [None, 5, ["fact"], {"label": "fact"}])
def test_a_value_that_is_no_word_is_a_bad_label(value):
    found = checked(QUESTION, json.dumps({"1": value, "3": "fact"}))

    assert isinstance(found, CheckedLabels)
    assert found.labels == {3: "fact"}
    assert [refused.reason for refused in found.refused] == ["bad_label"]


@pytest.mark.parametrize(
    "answer",
    ["", "fact, decision", '["fact"]', "{}", '{"1": "fact"', '{"a": "fact"}', "{" * 100_000],
)
def test_an_answer_without_a_readable_label_is_unreadable(answer):
    assert checked(QUESTION, answer) == Unreadable()


def test_a_deeply_nested_answer_is_unreadable_and_no_crash():
    assert checked(QUESTION, '{"a":' * 100_000) == Unreadable()


@given(st.text(max_size=200))
def test_no_answer_breaks_the_check(answer):
    found = checked(QUESTION, answer)

    assert isinstance(found, CheckedLabels | Unreadable)


@given(st.dictionaries(st.integers(1, 5), st.sampled_from([*LABELS, "nonsense"])))
def test_only_asked_numbers_get_labels(said):
    answer = json.dumps({str(number): label for number, label in said.items()})

    found = checked(QUESTION, answer)

    labels = {} if isinstance(found, Unreadable) else found.labels
    wanted = {n: word for n, word in said.items() if n in {1, 3} and word in LABELS[:-1]}
    assert labels == wanted


def test_the_same_question_has_the_same_key():
    assert QUESTION.key_bytes() == replace(QUESTION).key_bytes()


@pytest.mark.parametrize(
    "change",
    [
        {"user": "User:\n1. Our cat is young."},
        {"system": "Label well."},
        {"prompt_version": 2},
        {"prompt_name": "other"},
        {"asked": QUESTION.asked[:1]},
    ],
)
def test_whatever_changes_the_answer_changes_the_key(change):
    assert replace(QUESTION, **change).key_bytes() != QUESTION.key_bytes()
