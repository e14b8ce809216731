"""What can be pointed at in a message is found in any script, in linear time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecore.language.features import features
from tests.support.work import assert_linear


def found(text: str) -> list[tuple[str, str]]:
    return [(f.kind, text[f.start : f.end]) for f in features(text)]


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("see https://example.org/a?b=c#d.", "https://example.org/a?b=c#d"),
        ("(https://example.org/a_(b))", "https://example.org/a_(b)"),
        ("[name](https://example.org/x), ok", "https://example.org/x"),
        ("[https://a.org/x](https://b.org)", "https://a.org/x"),
        ("<http://example.org>", "http://example.org"),
        ("**https://example.org/x**", "https://example.org/x"),
        ("см. https://ru.example.org/Россия, там", "https://ru.example.org/Россия"),
        ("请看https://example.org/x。谢谢", "https://example.org/x"),
        ("请看https://example.org/x这里", "https://example.org/x"),
        ("www.example.org!", "www.example.org"),
        ("HTTPS://EXAMPLE.ORG", "HTTPS://EXAMPLE.ORG"),
    ],
)
def test_a_link_ends_where_the_sentence_goes_on(text, link):
    assert ("link", link) in found(text)


@pytest.mark.parametrize(
    "text", ["https://", "https://...", "awww.example", "http: //x.org", "www."]
)
def test_what_only_looks_like_a_link_is_none(text):
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("the report.pdf, please", "report.pdf"),
        ("in src/app/main.py:12", "src/app/main.py"),
        (r"C\data\x.csv", r"C\data\x.csv"),
        ("файл отчёт_2024.docx.", "отчёт_2024.docx"),
        ("打开「报告.xlsx」文件", "报告.xlsx"),
        ("archive.tar.gz", "archive.tar.gz"),
    ],
)
def test_a_file_is_known_by_its_ending(text, name):
    assert found(text) == [("file", name)]


@pytest.mark.parametrize("text", ["version 1.2.3", "e.g. this", "a.pdfx", ".py", "конец.Начало"])
def test_other_dots_are_no_files(text):
    assert found(text) == []


def test_a_file_inside_a_link_belongs_to_the_link():
    assert found("https://example.org/report.pdf") == [("link", "https://example.org/report.pdf")]


def test_code_stands_between_its_fences_and_hides_what_is_in_it():
    code = "```python\n- a\n- b\nhttps://example.org x.py\n```"

    assert found(f"Look:\n{code}\ndone") == [("code", code)]


def test_a_fence_closes_only_with_its_own_kind_and_at_least_its_length():
    code = "````\n```\n~~~\n````"

    assert found(code) == [("code", code)]
    assert found("~~~\nx\n~~~\nafter") == [("code", "~~~\nx\n~~~")]


def test_code_that_is_never_closed_reaches_to_the_end():
    assert found("a\n```\nb\nc") == [("code", "```\nb\nc")]


def test_backticks_inside_a_sentence_open_nothing():
    assert found("```x``` and\nhttps://a.org") == [("link", "https://a.org")]


def test_a_table_has_a_head_a_delimiter_and_rows():
    table = "| a | b |\n|---|:-:|\n| 1 | 2 |"

    assert found(f"See\n\n{table}\n\nend") == [("table", table)]
    assert found("a | b\n--|--\n1 | 2\r\nend") == [("table", "a | b\n--|--\n1 | 2")]
    assert found("a | b\nc | d") == []


def test_two_tables_are_two():
    table = "a|b\n-|-\n1|2"

    assert [kind for kind, _ in found(f"{table}\n\n{table}")] == ["table", "table"]


@pytest.mark.parametrize(
    "items",
    [
        "- one\n- two",
        "* one\n  more\n* two",
        "1. one\n2. two",
        "1) один\n\n2) два",
        "1、一\n2、二",
        "一、甲\n二、乙",
        "（1）甲\n（2）乙",
    ],
)
def test_a_list_has_at_least_two_items(items):
    assert found(f"Intro:\n{items}\n\nOutro") == [("list", items)]


@pytest.mark.parametrize("text", ["- one", "1.5 kg\n2.5 kg", "— Привет\n— Пока", "-5\n-6"])
def test_what_only_looks_like_a_list_is_none(text):
    assert found(text) == []


def test_text_in_between_parts_two_lists():
    assert [kind for kind, _ in found("- a\n- b\ntext\n- c\n- d")] == ["list", "list"]


def test_a_link_in_a_list_is_found_beside_the_list():
    text = "- https://a.org\n- b.pdf"

    assert found(text) == [("list", text), ("link", "https://a.org"), ("file", "b.pdf")]


@pytest.mark.parametrize(
    "unit",
    [
        "[",
        "`",
        "```\n",
        "|",
        "|-\n",
        "a.",
        "https://",
        ")",
        " ",
        "1",
        "- x\n",
        "中",
        "a.pdf",
    ],
)
def test_work_on_hostile_text_grows_with_its_length_and_no_faster(unit):
    assert_linear(lambda text: features(f"https://a{text}x"), unit)
    assert_linear(features, unit)


pieces = st.sampled_from(
    ["\n", "- ", "| ", "|-|", "```", "~~~", "https://a.b", "x.py", " ", "1. ", "(", ")", "中", "я"]
)


@given(st.lists(pieces, max_size=40).map("".join) | st.text(max_size=60))
def test_features_lie_in_the_text_in_order_and_those_of_a_kind_apart(text):
    all_found = features(text)

    assert [f.start for f in all_found] == sorted(f.start for f in all_found)
    for kind in ("link", "code", "table", "list", "file"):
        end = 0
        for feature in (f for f in all_found if f.kind == kind):
            assert end <= feature.start < feature.end <= len(text)
            end = feature.end
