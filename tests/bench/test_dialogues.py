"""Data sets are read as turns, and what is missing is passed over."""

import json

import pytest

from bench.context_walk import SLICE
from bench.dialogues import (
    CHATGPT,
    READERS,
    Dialogue,
    Pair,
    joined,
    pairs_of,
    read,
    read_all,
    whole,
)


def test_what_one_side_says_in_a_row_is_one_message():
    said = [("user", "Hi"), ("user", "there"), ("assistant", "Hello"), ("user", "Bye")]
    assert list(pairs_of(said)) == [Pair("Hi\nthere", "Hello"), Pair("Bye", "")]


def test_who_answers_first_answers_nothing():
    assert list(pairs_of([("assistant", "Hello"), ("user", "Hi")])) == [
        Pair("", "Hello"),
        Pair("Hi", ""),
    ]


def test_no_words_are_no_turns():
    assert list(pairs_of([])) == []


@pytest.mark.parametrize("source", [name for name in READERS if name != CHATGPT])
def test_a_data_set_that_is_not_there_has_no_dialogues(source, tmp_path):
    assert list(read(tmp_path, source)) == []


def test_every_dialogue_of_the_slice_has_turns_that_say_something():
    found = list(read_all(SLICE))
    assert {one.source for one in found} >= {"sgd_dialogues", "longmemeval", "long_chat_irc"}
    assert all(pair.asked or pair.answered for one in found for pair in one.pairs)
    assert all(one.pairs for one in found)


def test_gold_values_stand_with_the_turn_that_they_hold_after():
    first = next(iter(read(SLICE, "sgd_dialogues")))
    assert [pair.is_last for pair in first.pairs] == [False] * (len(first.pairs) - 1) + [True]
    said = "\n".join(pair.asked + pair.answered for pair in first.pairs).casefold()
    gold = first.pairs[-1].gold
    assert gold
    assert any(spelling.casefold() in said for spellings in gold for spelling in spellings)


def test_a_wish_for_anything_is_no_value(tmp_path):
    slots = {"city": ["Oslo", "oslo"], "stars": ["dontcare"]}
    state = {"Hotels": {"intent": "Find", "slots": slots, "requested": []}}
    turns = [{"speaker": "user", "text": "A hotel in Oslo.", "state": state}]
    row = {"id": "x", "turns": [*turns, {"speaker": "system", "text": "Yes."}]}
    (tmp_path / "sgd_dialogues.jsonl").write_text(json.dumps(row), encoding="utf-8")
    (one,) = read(tmp_path, "sgd_dialogues")
    assert one.pairs == (Pair("A hotel in Oslo.", "Yes.", (("Oslo", "oslo"),), is_last=True),)


def test_a_locomo_row_is_a_chat_of_its_first_speaker(tmp_path):
    turns = [{"speaker": "Ann", "text": "Hi"}, {"speaker": "Bo", "text": "Hello"}]
    row = {"id": "x", "speakers": ["Ann", "Bo"], "sessions": [{"turns": turns}, {"turns": turns}]}
    (tmp_path / "locomo.jsonl").write_text(json.dumps(row), encoding="utf-8")
    (one,) = read(tmp_path, "locomo")
    assert one.pairs == (Pair("Hi", "Hello"), Pair("Hi", "Hello"))


def test_an_export_is_read_along_its_current_path(tmp_path):
    def node(name, parent, role, text):
        said = {"author": {"role": role}, "content": {"content_type": "text", "parts": [text]}}
        return {"id": name, "parent": parent, "children": [], "message": said}

    mapping = {"a": node("a", None, "user", "Hi"), "b": node("b", "a", "assistant", "Hello")}
    export = [{"id": "x", "title": "T", "mapping": mapping, "current_node": "b"}]
    (tmp_path / f"{CHATGPT}.json").write_text(json.dumps(export), encoding="utf-8")
    (one,) = read(tmp_path, CHATGPT)
    assert one.pairs == (Pair("Hi", "Hello"),)


def test_dialogues_are_joined_until_they_are_long_enough():
    short = [Dialogue("s", str(n), (Pair(f"u{n}", "a"), Pair("more", "a"))) for n in range(5)]
    assert [len(one.pairs) for one in joined(short, 3)] == [4, 4]
    assert len(whole("s", short).pairs) == 10
