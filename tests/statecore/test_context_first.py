"""What comes first is in the request wherever the plan has room for it, whatever came after it."""

import pytest

from statecore.context.state_block import block_limit_tokens, first_limit_tokens
from statecore.memory.exactness import is_exact
from statecore.memory.summary import ranked
from tests.statecore.builders import chat, entry, notes_of, planned, remembered, spec, state

VALUES = {
    "en": ("My budget is 900 euros.", "My flight code is QX-4417.", "Actually, make that 4472-A."),
    "ru": ("Мой бюджет 900 евро.", "Код рейса QX-4417.", "Нет, поправка: 4472-А, а не 4471-А."),
    "zh": ("我的预算是900欧元。", "会议在3月14日09:30。", "更正：是 4472-A，不是 4471-A。"),
}
FILLERS = {
    "en": "In 19{:02} we ate dish number 7 on the coast.",
    "ru": "В 19{:02} мы ели блюдо номер 7 на побережье.",
    "zh": "第{}道菜在海边很好吃。",
}


def lost(texts, made):
    sent = "\n".join(notes_of(made))
    return [text for text in texts if text not in sent]


def after(*entries, window_tokens=8_192, turns=9, text="Hello, go on."):
    # One token a character: a window of this size holds about a third of the usual text.
    model = spec(window_tokens=window_tokens)
    given = state(chat(*[(5, 5)] * turns), text=text, earlier_turns=40, memory=remembered(*entries))
    return planned(given, model), model


@pytest.mark.parametrize("language", VALUES)
def test_no_sentence_with_a_mere_digit_pushes_out_a_value_or_a_correction(language):
    first = [entry(text, seq=n) for n, text in enumerate(VALUES[language], 1)]
    fillers = [entry(FILLERS[language].format(n), seq=10 + n) for n in range(90)]

    made, model = after(*first, *fillers)

    assert lost(VALUES[language], made) == []
    assert sum(map(len, notes_of(made))) <= block_limit_tokens(model)


@pytest.mark.parametrize("kind", ["goal", "task", "question", "decision", "promise"])
def test_a_hundred_wishes_of_the_day_push_out_no_value(kind):
    first = [entry(text, seq=n) for n, text in enumerate(VALUES["en"], 1)]
    crowd = [entry(f"I want to learn how dish {n} is cooked.", kind, seq=n) for n in range(10, 130)]

    made, _ = after(*first, *crowd)

    assert lost(VALUES["en"], made) == []


def test_all_rules_are_sent_where_the_plan_has_room_for_them():
    # Of such texts the estimate is what the builders count.
    rules = [f"这次旅行全程绝对不要做第{n}件事，请一定记住这一点。" for n in range(28)]

    made, model = after(*(entry(text, "rule", seq=n) for n, text in enumerate(rules, 1)))

    assert lost(rules, made) == []
    size = sum(map(len, notes_of(made)))
    assert block_limit_tokens(model) < size <= first_limit_tokens(model)


def test_rules_stay_where_hundreds_of_other_things_are_remembered():
    rules = [f"Never do thing number {n}, please." for n in range(12)]
    others = [entry(f"The dish of day {n} was fine.", seq=50 + n) for n in range(150)]

    made, _ = after(*(entry(text, "rule", seq=n) for n, text in enumerate(rules, 1)), *others)

    assert lost(rules, made) == []


def test_what_the_input_is_about_comes_before_values_and_those_before_fillers():
    filler = entry("The museum is nice in the year 1907.", seq=3)
    value = entry("My flight code is QX-4417.", seq=2)
    about = entry("The harbour smells of herring.", seq=1)

    found = ranked([filler, value, about], "Tell me about the harbour and herring.")

    assert [one.entry for one in found] == [about, value, filler]
    assert [one.reason for one in found] == ["named_by_input", "exact", "newest"]


def test_what_a_correction_took_the_place_of_makes_it_exact():
    old = entry("The desk is brown.", seq=1, status="superseded", superseded_by="new")
    new = entry("The desk is black.", seq=2, id="new")

    assert [one.is_exact for one in ranked([old, new], "")] == [True]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("My locker PIN is 4471-A.", True),
        ("Call +44 20 7946 0958.", True),
        ("The desk is 140 cm wide.", True),
        ("Стол шириной 140 см.", True),
        ("书桌宽140厘米。", True),
        ("The meeting is on 14 March at 09:30.", True),
        ("Actually, make it the green one.", True),
        ("In 1907 we ate dish number 7.", False),
        ("The harbour smells of herring.", False),
        ("В 1907 мы ели блюдо 7.", False),
    ],
)
def test_what_is_exact(text, expected):
    assert is_exact(text) is expected
