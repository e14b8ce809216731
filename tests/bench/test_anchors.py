"""The bench of anchors counts what it says; what it measures stays as good as was asked for."""

import json

import pytest

from bench.anchor_samples import Ask, Reply, read_asks, read_replies
from bench.anchors import LOGS, SAMPLES, Tally, follow, measure, table

LANGUAGES = ("en", "ru", "zh")


@pytest.fixture(scope="module")
def asks():
    return read_asks(SAMPLES)


def test_there_are_enough_labelled_inputs_and_traps(asks):
    for language in LANGUAGES:
        of_language = [ask for ask in asks if ask.language == language]
        unseen = [ask for ask in of_language if ask.part == "unseen"]

        assert len(of_language) >= 40
        assert len(unseen) >= 20
        for part in (of_language, unseen):
            assert sum(not ask.right for ask in part) >= len(part) / 3


def test_conversations_are_short_and_labels_lie_in_them(asks):
    assert all(4 <= len(ask.messages) <= 12 for ask in asks)
    assert all(0 <= one < len(ask.messages) for ask in asks for one in ask.right)
    assert len({(ask.messages, ask.text) for ask in asks}) == len(asks)


@pytest.mark.parametrize("language", [*LANGUAGES, "all"])
def test_phrases_find_their_message_and_traps_find_none(asks, language):
    tally = measure(asks)[language, "all"]

    assert tally.precision >= 0.95
    assert tally.recall >= 0.85


@pytest.mark.parametrize("language", [*LANGUAGES, "all"])
def test_inputs_that_nobody_tuned_for_are_found_too(asks, language):
    tally = measure(asks)[language, "unseen"]

    assert tally.precision >= (0.95 if language == "all" else 0.9)
    assert tally.recall >= 0.85


@pytest.mark.parametrize("language", [*LANGUAGES, "all"])
def test_works_without_markup_are_found_too(asks, language):
    tally = measure(asks)[language, "unseen works"]

    assert tally.traps >= 12
    assert tally.precision >= 0.95
    assert tally.recall >= 0.9


def test_every_message_found_counts():
    tally = Tally()
    tally.add([1, 2], frozenset({1}))
    tally.add([], frozenset({1}))
    tally.add([3], frozenset())
    tally.add([], frozenset())

    assert (tally.inputs, tally.traps, tally.wanted) == (4, 2, 2)
    assert (tally.hits, tally.right, tally.wrong) == (1, 1, 2)
    assert tally.precision == pytest.approx(1 / 3)
    assert tally.recall == 0.5


def test_the_table_has_a_row_for_each_language_and_part():
    asked = Ask("en", "tuned", ("Hi", "https://a.example"), "Open that link.", frozenset({1}))
    text = table(measure([asked]), None)

    assert "| en | tuned | 1 | 0 | 1.00 | 1.00 |" in text
    assert "| all | all | 1 | 0 | 1.00 | 1.00 |" in text
    assert "No logs" in text


def test_a_reply_is_compared_with_what_it_answers():
    before = ((4, False, "see https://a.example"), (5, True, "hm"), (6, False, "what?"))
    right = Reply(before, "that link is dead", frozenset({4}))
    wrong = Reply(before, "that link is dead", frozenset({6}))
    nothing = Reply(before, "that table is odd", frozenset({6}))
    linked = follow([right, wrong, nothing])

    assert (linked.replies, linked.resolved, linked.linked, linked.near) == (3, 2, 1, 1)
    assert "3 replies" in table({}, linked)


def test_replies_of_a_log_are_those_with_a_link_and_a_phrase(tmp_path):
    said = [
        {"i": 0, "nick": "user01", "text": "see https://a.example"},
        {"i": 1, "nick": "user02", "text": "user01: that link is dead", "reply_to": [0]},
        {"i": 2, "nick": "user02", "text": "that link is dead", "reply_to": []},
        {"i": 3, "nick": "user01", "text": "oh", "reply_to": [1]},
    ]
    (tmp_path / LOGS).write_text(json.dumps({"messages": said}), encoding="utf-8")

    (reply,) = read_replies(tmp_path / LOGS)

    assert reply == Reply(((0, False, "see https://a.example"),), "that link is dead", {0})
