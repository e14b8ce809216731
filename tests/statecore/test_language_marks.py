"""Cues mark what a sentence says itself, not what it quotes, in any mix of the languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecore.language import chinese, english, russian
from statecore.language.marks import marks


@pytest.mark.parametrize(
    ("mark", "text"),
    [
        ("prohibition", "Never mention my employer."),
        ("prohibition", "Не упоминай мою компанию."),
        ("prohibition", "不要提到我的公司。"),
        ("obligation", "Ask before you book."),
        ("obligation", "Отвечай только по-русски."),
        ("obligation", "必须先问我。"),
        ("refusal", "No, thanks."),
        ("refusal", "Не надо."),
        ("refusal", "不用了。"),
        ("correction", "Actually, it is 900."),
        ("correction", "900, not 1,200."),
        ("correction", "Не 1200, а 900."),
        ("correction", "不是1200，是900。"),
        ("temporary", "Only for today."),
        ("temporary", "На этот раз без сахара."),
        ("temporary", "这次不加糖。"),
        ("hedge", "I'm not sure about it."),
        ("hedge", "Я не уверена."),
        ("hedge", "大概要三天。"),
        ("condition", "Unless it rains, we walk."),
        ("condition", "Если будет дождь, едем на метро."),
        ("condition", "如果下雨就坐地铁。"),
        ("question", "what is the price"),
        ("question", "сколько это стоит"),
        ("question", "多少钱"),
        ("small_talk", "Hi there!"),
        ("small_talk", "Спасибо, пока!"),
        ("small_talk", "好的，谢谢！"),
        ("identity", "I’m a nurse."),
        ("identity", "Мне 34 года."),
        ("identity", "我住在北京。"),
        ("preference", "I prefer tea."),
        ("preference", "Обожаю чай."),
        ("preference", "我更喜欢茶。"),
        ("decision", "Let's go with the first."),
        ("decision", "Берём первый."),
        ("decision", "就选第一个。"),
        ("goal", "I want to learn to swim."),
        ("goal", "Хочу научиться плавать."),
        ("goal", "我想学游泳。"),
        ("task", "Remind me tomorrow."),
        ("task", "Напомни завтра."),
        ("task", "明天提醒我。"),
        ("request", "Please write a poem."),
        ("request", "Напиши стихотворение."),
        ("request", "请写一首诗。"),
        ("value", "It costs €900."),
        ("value", "Встреча 12 мая."),
        ("value", "下午3点见。"),
    ],
)
def test_a_cue_marks_its_sentence(mark, text):
    assert mark in marks(text)


@pytest.mark.parametrize(
    ("mark", "text"),
    [
        ("prohibition", 'The sign says "never enter".'),
        ("prohibition", "На двери написано «не входите»."),
        ("prohibition", "门上写着“不要进来”。"),
        ("prohibition", "> never mention it"),
        ("prohibition", "He printed `never call this` there."),
        ("prohibition", "```\nnever enter\n```"),
        ("prohibition", "特别好，别人也说好。"),
        ("small_talk", "Thanks, my name is Ann."),
        ("small_talk", "Пока не знаю."),
        ("small_talk", "天气很好。"),
        ("temporary", "Пока я ехал, шёл дождь."),
        ("hedge", "Это невозможно."),
        ("hedge", "不可能。"),
        ("condition", "Ask if she comes."),
        ("correction", "是不是应该休息？"),
        ("goal", "Не хочу рыбу."),
        ("decision", "我还没决定。"),
        ("value", "I take the 2nd one."),
    ],
)
def test_what_only_looks_like_a_cue_marks_nothing(mark, text):
    assert mark not in marks(text)


def test_languages_can_be_mixed_in_one_sentence():
    assert {"prohibition", "value"} <= marks("请不要 mention заказ QX-4417.")


@given(st.text(alphabet="don't never не пиши 不要别 \"'“”«»`>?!.,\n", max_size=60))
def test_any_text_can_be_looked_through(text):
    assert isinstance(marks(text), frozenset)


@given(st.text(alphabet=st.characters(codec="ascii"), max_size=80))
def test_what_has_no_letters_of_a_language_bears_none_of_its_cues(text):
    said = text.replace("\n", " ")

    found = {
        mark
        for cues in (russian.CUES, chinese.CUES)
        for mark, cue in cues.items()
        if cue.search(said)
    }

    assert found <= {mark for mark, cue in english.CUES.items() if cue.search(said)}
