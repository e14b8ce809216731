"""Inputs that go on with the answer before them are known in three languages."""

import pytest

from statecore.language.continuing import continues


@pytest.mark.parametrize(
    "text",
    [
        "Continue.",
        "the same but shorter",
        "in more detail",
        "продолжай",
        "то же самое, но с датой",
        "Ещё раз",
        "继续",
        "同样的格式",
        "详细一点",
        "再来一个",
    ],
)
def test_it_knows_what_goes_on(text):
    assert continues(text)


@pytest.mark.parametrize(
    "text", ["What is the capital of Norway?", "Сколько стоит билет?", "今天天气怎么样？", ""]
)
def test_it_knows_what_begins_anew(text):
    assert not continues(text)


def test_a_long_input_says_itself_what_it_wants():
    assert not continues("Continue. " + "The report has many parts. " * 20)
