"""Numbered parts of a text are found by their marks, their place or their headings."""

import pytest

from statecore.language.items import han_number, items


def found(text):
    return [(one.number, text[one.start : one.end]) for one in items(text)]


def test_a_numbered_list_goes_by_its_numbers():
    assert found("Do:\n3. mix\n4. bake\n   slowly\n\nDone.") == [
        (3, "3. mix"),
        (4, "4. bake\n   slowly"),
    ]


def test_bullets_count_from_the_begin_of_their_list():
    text = "- tea\n- milk\n\nor\n\n- beer\n- wine"

    assert found(text) == [(1, "- tea"), (2, "- milk"), (1, "- beer"), (2, "- wine")]
    assert [one.is_numbered for one in items(text)] == [False] * 4


def test_what_stands_below_an_item_is_part_of_it():
    assert found("1. eggs\n   - two\n   - fresh\n2. salt") == [
        (1, "1. eggs\n   - two\n   - fresh"),
        (2, "2. salt"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "## Step 1: mix\nslowly\n**Step 2** bake",
        "Шаг 1. месить\nШаг 2. печь",
        "第一步：和面\n第二步：烤",
    ],
)
def test_headings_number_what_stands_under_them(text):
    assert [number for number, _ in found(text)] == [1, 2]


def test_a_heading_reaches_to_the_next():
    assert found("## Step 1: mix\nslowly\n**Step 2** bake") == [
        (1, "## Step 1: mix\nslowly"),
        (2, "**Step 2** bake"),
    ]


def test_chinese_marks_are_numbers():
    assert [number for number, _ in found("一、茶\n二、奶\n三、糖")] == [1, 2, 3]


def test_plain_text_has_no_items():
    assert found("Version 1. Then 2.\nNothing more.") == []


@pytest.mark.parametrize(
    ("word", "number"),
    [
        ("三", 3),
        ("十", 10),
        ("十二", 12),
        ("二十", 20),
        ("二十三", 23),
        ("两", 2),
        ("7", 7),
        ("0", None),
    ],
)
def test_chinese_numbers_are_read(word, number):
    assert han_number(word) == number
