"""Answers that word one text anew are told from answers to new questions."""

from statecore.context.spoken import Spoken
from statecore.context.state import PathTurn, State
from statecore.context.versions import versions
from tests.statecore.builders import answer, user

POEM = "The grey cat sleeps on the warm stove."
LIVELY = "The grey cat dreams wildly on the warm stove!"
SHORT = "Grey cat, warm stove."


def run(*texts):
    turns = tuple(
        PathTurn(f"t{n}", n, (user(f"u{n}", asked), answer(f"a{n}", answered)))
        for n, (asked, answered) in enumerate(texts, 1)
    )
    return [said.message.id for said in versions(Spoken(State(None, turns, user("now", "x"))))]


def test_wishes_make_versions():
    assert run(("Write a poem.", POEM), ("Livelier.", LIVELY), ("Shorter.", SHORT)) == [
        "a1",
        "a2",
        "a3",
    ]


def test_the_newest_run_is_taken_and_what_follows_it_is_no_version():
    boats = (("Now of boats.", "Two red boats sail north."), ("Slower.", "Red boats sail slowly."))
    texts = (("Write a poem.", POEM), ("Livelier.", LIVELY), *boats, ("Thanks!", "Gladly."))

    assert run(*texts) == ["a3", "a4"]


def test_a_question_or_a_long_input_asks_for_something_else():
    assert run(("Write a poem.", POEM), ("Is the grey cat warm?", LIVELY)) == []
    assert run(("Write a poem.", POEM), ("word " * 30, LIVELY)) == []


def test_answers_that_share_nothing_are_no_versions():
    assert run(("Write a poem.", POEM), ("And a number.", "Forty two.")) == []
    assert run() == []
