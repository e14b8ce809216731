"""Phrases that point back are found in three languages; what only looks like them is not."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecore.language.pointers import LAST, pointers


def found(text):
    return [(one.kind, text[one.start : one.end]) for one in pointers(text)]


def only(text):
    (one,) = pointers(text)
    return one


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Open that link again", "link"),
        ("the link you sent me is dead", "link"),
        ("the page I posted", "link"),
        ("the table above", "table"),
        ("the code from before", "code"),
        ("the bullet points you wrote", "list"),
        ("the file I uploaded", "file"),
        ("step 3 fails", "step"),
        ("I finished the last step.", "step"),
        ("the previous step", "step"),
        ("the second option sounds good", "item"),
        ("let's take option B", "item"),
        ("number 3 on your list", "item"),
        ("the third one, please", "item"),
        ("the previous version", "version"),
        ("your first draft", "version"),
        ("the recipe you gave me", "work"),
        ("my first message", "message"),
        ("three messages ago", "message"),
        ("What did I ask you first?", "message"),
        ("as I said, no meat", "back"),
        ("what you said about trains", "back"),
        ("the earlier idea", "back"),
        ("Ссылка, которую ты дал, не работает", "link"),
        ("та таблица", "table"),
        ("покажи тот код", "code"),
        ("в этом списке нет молока", "list"),
        ("тот файл", "file"),
        ("на шаге 3", "step"),
        ("третий шаг", "step"),
        ("на предыдущем шаге", "step"),
        ("второй вариант лучше", "item"),
        ("предыдущий вариант", "version"),
        ("рецепт, который ты дал", "work"),
        ("три сообщения назад", "message"),
        ("твой последний ответ", "message"),
        ("что я спросил в самом начале?", "message"),
        ("как я говорил, без мяса", "back"),
        ("вернёмся к прежней мысли", "back"),
        ("那个链接", "link"),
        ("刚才的代码", "code"),
        ("上面的表格", "table"),
        ("你给的列表", "list"),
        ("那个文件", "file"),
        ("第二步怎么做", "step"),
        ("上一步", "step"),
        ("第二个方案更好", "item"),
        ("就第二个", "item"),
        ("上一个版本", "version"),
        ("前面那份做法", "text"),
        ("上上条消息", "message"),
        ("我的第一个问题", "message"),
        ("我之前说过不要肉", "back"),
        ("刚才说的预算", "back"),
        ("之前提到的酒店", "back"),
    ],
)
def test_a_phrase_that_points_back_is_found(text, kind):
    assert [one.kind for one in pointers(text)] == [kind]


@pytest.mark.parametrize(
    "text",
    [
        "the last step of the recipe",
        "book that table for four",
        "set the table",
        "link budget of a satellite",
        "the first message of the prophet",
        "we should step up",
        "step by step",
        "the code of conduct",
        "a list of hotels in Lisbon",
        "is that code for something",
        "the first step in learning chess",
        "the second message from my boss",
        "my first question is what to eat",
        "my last company used Excel",
        "three days ago",
        "an earlier train",
        "she said that it rains",
        "в последнем шаге рецепта",
        "первый шаг к успеху",
        "шаг за шагом",
        "его второй вариант отклонили",
        "забронируй стол на двоих",
        "код города Твери",
        "таблица Менделеева",
        "в предыдущем квартале",
        "начальник говорил, что сроки сдвинут",
        "订一张桌子",
        "一步一步来",
        "走向成功的第一步",
        "到了机场第一步做什么",
        "他的第二个方案被否决了",
        "第二种人从不做饭",
        "你说得对",
        "他说过的话",
        "压缩这个文件夹",
        "元素周期表里有多少元素",
        "",
    ],
)
def test_what_only_looks_like_one_is_none(text):
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "ordinal", "from_end", "speaker"),
    [
        ("my first message", 1, False, "user"),
        ("your second answer", 2, False, "assistant"),
        ("my last question", 1, True, "user"),
        ("your second to last reply", 2, True, "assistant"),
        ("twelve messages ago", 12, True, None),
        ("two answers ago", 2, True, "assistant"),
        ("the 3rd link", 3, False, None),
        ("the last link", 1, True, None),
        ("the last step", LAST, False, None),
        ("the previous step", 1, True, None),
        ("the earlier version", 2, True, None),
        ("the original version", 1, False, None),
        ("твой предпоследний ответ", 2, True, "assistant"),
        ("сорок сообщений назад", 40, True, None),
        ("сравни свой первый ответ", 1, False, "assistant"),
        ("в своём первом сообщении я назвал", 1, False, "user"),
        ("второй мой вопрос", 2, False, "user"),
        ("上上条消息", 2, True, None),
        ("十二条消息之前", 12, True, None),
        ("两个问题之前", 2, True, "user"),
        ("倒数第三条消息", 3, True, None),
        ("你第一次回答", 1, False, "assistant"),
        ("最后一步", LAST, False, None),
        ("第23步", 23, False, None),
    ],
)
def test_it_says_which_one_and_whose(text, ordinal, from_end, speaker):
    one = only(text)

    assert (one.ordinal, one.from_end, one.speaker) == (ordinal, from_end, speaker)


def test_words_that_narrow_come_along():
    assert "doc" in only("the link to the docs")[5]
    assert "документац" in only("какая там была ссылка на документацию")[5]
    assert "文档" in only("文档的那个链接")[5]


def test_a_sentence_gives_its_words_to_what_points_by_them():
    one = only("Thanks. As I said, nuts are a problem! What else?")

    assert one.terms == {"nut", "problem"}
    assert only("What did you say about trains, by the way?").terms == {"train"}
    assert only("Nuts are bad. As I said.").terms == {"nut", "bad"}


@pytest.mark.parametrize(
    ("text", "is_sure"),
    [("that table", True), ("sort the table", False), ("добавь в список", False)],
)
def test_a_bare_noun_is_less_sure(text, is_sure):
    assert only(text).is_sure is is_sure


@pytest.mark.parametrize(
    "text",
    [
        "Translate “open that link” into French.",
        "> as I said, that link\nno",
        "```\n# the previous step\n```",
        "What does `step 3` print?",
    ],
)
def test_what_is_only_mentioned_points_at_nothing(text):
    assert found(text) == []


def test_this_code_is_the_code_of_the_input_itself():
    assert found("Fix this code:\n```\nx = 1\n```") == []
    assert found("Fix this code, see https://a.example") == [("code", "this code")]


def test_a_place_in_the_same_sentence_says_more_than_words():
    assert found("Two messages ago you said it. You mentioned a park.") == [
        ("message", "Two messages ago"),
        ("back", "You mentioned"),
    ]


def test_languages_may_be_mixed():
    assert [kind for kind, _ in found("Открой тот файл, then step 2, 然后那个链接")] == [
        "file",
        "step",
        "link",
    ]


def test_both_ends_of_a_long_input_are_looked_through():
    paste = "lorem ipsum " * 5_000
    text = f"Take that link.\n{paste}\nCompare it with the table above."

    assert found(text) == [("link", "that link"), ("table", "the table above")]


@given(st.text(alphabet='ab 第一步那个链接 that link step 3 my первый шаг.\n`"', max_size=200))
def test_phrases_lie_in_the_text_in_order_and_apart(text):
    spans = [(one.start, one.end) for one in pointers(text)]

    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
