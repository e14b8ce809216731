"""Sentences are exact stretches of the text, in any script, in linear time."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecore.language.sentences import sentences
from tests.support.work import assert_linear


def cut(text: str) -> list[str]:
    return [sentence.text for sentence in sentences(text)]


@pytest.mark.parametrize(
    "parts",
    [
        ["I met Dr. Smith.", "He is fine."],
        ["We meet at 5 p.m. on May 3.", "At 6 p.m.", "We leave."],
        ["Fruit, e.g. apples, etc. is fine.", "Yes."],
        ["See p. 5 and fig. 2.", "Done."],
        ["No. 5 is good.", "No.", "I don't."],
        ["Plan B.", "Then go."],
        ["J. R. R. Tolkien wrote it.", "It is I.", "Ok"],
        ["It costs 3.5 euros since 12.05.2026.", "Version 1.2.3.", "Ok"],
        ["Look at https://example.org/a?b=c.", "And main.py.", "Node.js too."],
        ["well... maybe.", "Hmm…", "Yes...", "No."],
        ["Wait!!!", "What?!", "ok"],
        ['He said "Stop. Now."', "Then he left."],
        ["He left (really. Yes.) and came.", "Ok."],
        ["Great! 😀", "Next. :)", "More"],
        ["Это т.е. так и т.д.", "Потом ул. Ленина, д. 5, кв. 3.", "Всё."],
        ["Мы жили в г. Москва в 2024 г.", "Потом уехали."],
        ["Люблю А. С. Пушкина.", "И писателя А. Чехова."],
        ["— Нет! — сказал он.", "— Да.", "Он ушёл."],
        ["Он сказал: «Стой. Иди.»", "И ушёл."],
    ],
)
def test_a_text_is_cut_where_a_sentence_ends_and_only_there(parts):
    assert cut(" ".join(parts)) == parts


@pytest.mark.parametrize(
    "parts",
    [
        ["你好。", "我叫李明！", "今年30岁；", "你呢？"],
        ["“你好！”他说。", "“A。”", "“B。”"],
        ["他说：“不要进来。外面很冷。”", "我走了。"],
        ["我想……算了。", "Use Python 3.11。", "谢谢"],
        ["我去3.5公里.", "谢谢"],
    ],
)
def test_chinese_needs_no_space_between_sentences(parts):
    assert cut("".join(parts)) == parts


def test_lines_that_go_on_are_one_sentence():
    text = "I would like\nthe window seat.\nThanks"

    assert cut(text) == ["I would like\nthe window seat.", "Thanks"]
    assert cut("one\r\n\r\ntwo") == ["one", "two"]


def test_each_item_is_a_sentence_without_its_bullet():
    text = "Buy:\n- milk\n- bread. And tea\n1. call Анна\n2) 写信\n一、买票\n# Head\ntext"
    parts = ["Buy:", "milk", "bread.", "And tea", "call Анна", "写信", "买票", "Head", "text"]

    assert cut(text) == parts


def test_code_and_tables_are_no_sentences():
    text = "Look.\n```\ncode. more.\n```\nafter\n\n| a. | b |\n|---|---|\n| 1. | 2. |\n\nend"

    assert cut(text) == ["Look.", "after", "end"]


PROSE = [*" \n.!?…。！？；,\"'«»“”()—aAяЯ好他😀", "Dr.", "т.е.", "x.py"]
PIECES = [*PROSE, *"\t;:（）-*#1\u3000", "3.5", "\r\n", ":)", "```", "- ", "|"]


@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join))
def test_spans_are_exact_in_order_and_without_white_space_around(text):
    found = sentences(text)

    for start, end, words in found:
        assert text[start:end] == words == words.strip() != ""
    assert all(one.end <= other.start for one, other in pairwise(found))


@given(st.lists(st.sampled_from(PROSE), max_size=60).map("".join))
def test_every_character_of_prose_lies_in_exactly_one_sentence(text):
    covered = {at for start, end, _ in sentences(text) for at in range(start, end)}

    assert all(character.isspace() or at in covered for at, character in enumerate(text))


@given(st.text(max_size=80))
def test_any_text_can_be_cut(text):
    assert all(text[s.start : s.end] == s.text for s in sentences(text))


@pytest.mark.parametrize(
    "unit",
    [
        "[",
        ".",
        ". ",
        "a. ",
        "A. ",
        "。",
        "“",
        '"',
        "(a.",
        "'a",
        "! 😀",
        "word ",
        ".~",
        "- \n",
        ":)",
    ],
)
def test_work_grows_with_the_length_and_no_faster(unit):
    assert_linear(sentences, unit)
