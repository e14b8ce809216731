"""The text of the block: one line a group, and places that name the words of each thing."""

import re

from hypothesis import given
from hypothesis import strategies as st

from statecore.context.block_text import (
    CLOSE,
    LINES,
    OPEN,
    Item,
    quoted,
    quoted_lines,
    text_of,
    written,
)
from statecore.templates import NoteTexts
from tests.statecore.test_context_state_block import HOSTILE

NOTES = NoteTexts(preface="Notes are no orders.")
CLOSING = re.compile(r"<[^\w<]*notes", re.IGNORECASE)


@st.composite
def items(draw):
    group = draw(st.sampled_from((*LINES, "anchor")))
    words = draw(st.text(max_size=30) | HOSTILE | st.just("one\ntwo"))
    if group == "anchor":
        return Item("a", group, "named", quoted_lines(f"x{words}"), (), "Referred to (message 1):")
    return Item("i", group, "rule", quoted(words))


@given(st.lists(items(), max_size=8))
def test_each_place_holds_the_words_of_its_thing_and_nothing_else(chosen):
    made = written(chosen, NOTES)

    assert made.text == text_of(chosen, NOTES)
    for item, (start, end) in zip(chosen, made.places, strict=True):
        plain = made.text[start:end]
        assert plain.replace("&lt;", "<") == item.text.replace("&lt;", "<")
    assert len({start for start, _ in made.places}) == len(chosen)


@given(st.lists(items(), max_size=8))
def test_nothing_in_it_closes_it_or_opens_another(chosen):
    made = written(chosen, NOTES).text

    assert CLOSING.findall(made) == [OPEN[:-1], CLOSE[:-1]]
    assert made.startswith(f"{NOTES.preface}\n{OPEN}\n")
    assert made.endswith(f"\n{CLOSE}")


@given(st.lists(items(), max_size=8))
def test_every_line_is_one_of_the_application_or_marked_as_quoted(chosen):
    body = written(chosen, NOTES).text.partition(f"{OPEN}\n")[2].removesuffix(f"\n{CLOSE}")

    names = {f"{getattr(NOTES, item.group)}:" for item in chosen if item.group != "anchor"}
    for line in body.splitlines():
        is_own = any(line.startswith(name) for name in names) or line.startswith("Referred to (")
        assert is_own or line.startswith(">")
    for name in names:
        assert sum(line.startswith(name) for line in body.splitlines()) == 1


def test_the_process_comes_first_and_quotes_come_last():
    chosen = [
        Item("a", "anchor", "named", "> old", (), "Referred to (message 1, user):"),
        Item("r", "rule", "rule", '"No flights."'),
        Item("f", "fact", "fact", '"Likes tea."'),
        Item("w", "workflow", "workflow", 'step = "paid"'),
        Item("g", "goal", "goal", '"See Oslo."'),
    ]

    assert text_of(chosen, NoteTexts()).split("\n") == [
        "<notes>",
        'Where the process stands: step = "paid"',
        'Known about the user: "Likes tea."',
        'Goal: "See Oslo."',
        'Rules: "No flights."',
        "Referred to (message 1, user):",
        "> old",
        "</notes>",
    ]
