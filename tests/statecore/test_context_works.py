"""A letter, a recipe or a plan is found by what it was asked for; other people's are not."""

import pytest

from statecore.context.anchors import resolve
from statecore.language.pointers import pointers
from tests.statecore.builders import answer, state, turn, user

ASKED = (
    ("Draft a letter to the tax office.", "Dear Sir or Madam, I ask for more time."),
    ("Сочини стих о море.", "Море шумит, и берег спит."),
    ("写一份去青岛的行程。", "第一天看海，第二天爬山。"),
    ("And the weather?", "Mild, some wind from the sea."),
)


def found(text):
    turns = [
        turn(depth, user(f"u{depth}", asked), answer(f"a{depth}", told))
        for depth, (asked, told) in enumerate(ASKED, 1)
    ]
    return [anchor.message_id for anchor in resolve(state(turns, text=text))]


@pytest.mark.parametrize(
    ("text", "message_id"),
    [
        ("Make the letter shorter.", "a1"),
        ("Go back to your draft.", "a3"),
        ("Change the first word of the letter you wrote.", "a1"),
        ("Покажи стих ещё раз.", "a2"),
        ("Твой стих слишком грустный.", "a2"),
        ("把行程改成三天。", "a3"),
        ("你写的行程太赶了。", "a3"),
    ],
)
def test_a_work_is_the_newest_answer_that_was_asked_for_as_one(text, message_id):
    assert found(text) == [message_id]


@pytest.mark.parametrize(
    "text",
    [
        "The letter from my aunt was sad.",
        "I write a letter every day.",
        "Любишь ли ты стихи?",
        "Мне пришло письмо из банка.",
        "他写了一首诗。",
        "Shorten your recipe.",
    ],
)
def test_what_somebody_else_wrote_or_nobody_asked_for_is_none(text):
    assert found(text) == []


def test_a_version_that_was_asked_for_as_another_work_is_no_version_of_it():
    turns = [
        turn(1, user("u1", "Write a poem for Tom."), answer("a1", "Tom has a garden and a cake.")),
        turn(2, user("u2", "And an invitation."), answer("a2", "Tom has cake in the garden.")),
    ]

    anchors = resolve(state(turns, text="Read me the poem again."))

    assert [anchor.message_id for anchor in anchors] == ["a1"]


def test_words_that_point_at_a_work_are_named():
    (pointer,) = pointers("Please polish the cover letter a bit.")

    assert (pointer.kind, pointer.terms, pointer.speaker) == ("work", {"letter"}, "assistant")
