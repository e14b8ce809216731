"""An artefact that the input asks to change is in the request, whatever the tier."""

import pytest

from tests.statecore.builders import (
    answer,
    notes_of,
    planned,
    spec,
    state,
    turn,
    user,
)

LETTERS = {
    "en": "Dear Mr. Olsen, the heating in my flat has not worked since Monday, and it is cold. ",
    "ru": "Уважаемый господин Ольсен, отопление в квартире не работает с понедельника, холодно. ",
    "zh": "尊敬的奥尔森先生：公寓的暖气从星期一起就坏了，孩子们都病了，非常冷，请尽快派人来修理。",
}
ASKED = {
    "en": ("Draft a letter to my landlord.", "Make it friendlier.", "Add that we are ill."),
    "ru": ("Напиши письмо хозяину.", "Сделай его короче.", "Добавь, что мы болеем."),
    "zh": ("写一封信给房东。", "改得友好一点，修改一下。", "加上我们病了。"),
}
CHANGES = (
    *("Make the letter shorter.", "Shorten the draft.", "the same but shorter", "Translate it."),
    *("Back to the letter: add my phone number.", "Make it more formal."),
    *("Сделай письмо короче.", "Сделай короче", "Так же, но длиннее.", "Переведи его."),
    *("把信写短一点。", "改短一点", "翻译成英文。"),
)


def path(language="en", fillers=6, letter=None):
    letter = letter or LETTERS[language] * 5
    turns = [
        turn(n, user(f"u{n}", asked), answer(f"a{n}", f"{letter}\nAnna {n}"))
        for n, asked in enumerate(ASKED[language], 1)
    ]
    return (
        *turns,
        *(
            turn(n, user(f"u{n}", f"What about day {n}?"), answer(f"a{n}", "A mild day. " * 40))
            for n in range(4, 4 + fillers)
        ),
    )


def noted(made):
    return "\n".join(notes_of(made))


def asked(text, model, **kind):
    return planned(state(path(**kind), text=text), model)


@pytest.mark.parametrize("text", CHANGES)
@pytest.mark.parametrize("window_tokens", [4_000, 6_000, 9_000])
def test_the_newest_version_is_sent_where_the_input_asks_for_a_change(text, window_tokens):
    made = asked(text, spec(window_tokens=window_tokens))

    assert made.tier >= 2
    assert "Anna 3" in noted(made)
    assert "Anna 2" not in noted(made)
    assert ("anchor:a3", "artefact") in [(one.id, one.reason) for one in made.selected]


@pytest.mark.parametrize("language", LETTERS)
def test_it_is_known_in_each_language(language):
    text = {"en": "Make it shorter.", "ru": "Сделай короче.", "zh": "改短一点。"}[language]

    made = asked(text, spec(window_tokens=5_000), language=language)

    assert made.tier >= 2
    assert "Anna 3" in noted(made)


@pytest.mark.parametrize(
    "text", ["What is the weather?", "Thank you!", "Как погода?", "天气怎么样？"]
)
def test_it_is_not_sent_where_the_input_asks_for_no_change_of_it(text):
    made = asked(text, spec(window_tokens=6_000))

    assert made.tier >= 2
    assert [one for one in made.selected if one.reason == "artefact"] == []


def test_the_one_that_the_input_names_comes_before_a_newer_one():
    code = "```python\ndef parse(rows):\n    return [row.split() for row in rows]\n```"
    other = (
        turn(10, user("u10", "Write a parser for the table."), answer("a10", code)),
        turn(11, user("u11", "Fix the parser."), answer("a11", code.replace("rows", "lines"))),
    )
    fillers = [
        turn(n, user(f"u{n}", f"What about day {n}?"), answer(f"a{n}", "A mild day. " * 40))
        for n in range(12, 18)
    ]
    turns = (*path(), *other, *fillers)

    model = spec(window_tokens=6_000)

    letter = planned(state(turns, text="Make the letter shorter."), model)
    parser = planned(state(turns, text="Make the parser shorter."), model)
    newest = planned(state(turns, text="Make it shorter."), model)

    assert [one.id for one in letter.selected if one.reason == "artefact"] == ["anchor:a3"]
    assert [one.id for one in parser.selected if one.reason == "artefact"] == ["anchor:a11"]
    assert [one.id for one in newest.selected if one.reason == "artefact"] == ["anchor:a11"]


def test_of_one_that_has_no_room_the_outline_is_sent_with_the_part_that_is_named():
    parts = "\n\n".join(
        f"## Part {name}\n\n" + f"The {name} words are many and go on and on. " * 12
        for name in ("alpha", "beta", "gamma", "delta", "epsilon", "zeta")
    )

    made = asked('Shorten "Part gamma" of the letter.', spec(window_tokens=5_000), letter=parts)

    found = noted(made)
    assert "Part alpha" in found
    assert "Part zeta" in found
    assert found.count("The gamma words") > found.count("The beta words")


def test_what_the_window_shows_is_not_said_again():
    made = planned(state(path(fillers=1), text="Make it shorter."), spec(window_tokens=9_000))

    assert [one for one in made.selected if one.reason == "artefact"] == []
