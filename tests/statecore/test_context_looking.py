"""Long texts: how much of them is looked at, and that what is found is named by its true place."""

from dataclasses import replace

from statecore.context.looking import LOOKED_AT, hidden_anchors, looked_at
from statecore.context.state import OlderMessage
from tests.statecore.builders import answer, chat, planned, spec, state, turn, user

CODE = "The code of the door is KZ-9921."
ASKED = "Is KZ-9921 still right?"
HUGE = "Nothing of it matters here. " * 2_000


def test_short_texts_are_looked_at_as_they_are():
    given_state = state(chat((5, 5)))

    assert looked_at(given_state) is given_state


def test_of_a_long_message_the_beginning_is_looked_at_and_the_state_stays():
    long = turn(1, user("u1", HUGE), answer("a1", "Ok."))
    given_state = state([long, *chat((5, 5), first_depth=2)])

    seen = looked_at(given_state)

    assert seen.turns[0].messages[0].text == HUGE[:LOOKED_AT]
    assert seen.turns[0].messages[1] is long.messages[1]
    assert seen.turns[1] is given_state.turns[1]
    assert given_state.turns[0].messages[0].text == HUGE


def test_what_is_asked_before_or_behind_a_pasted_document_is_found_at_its_place():
    turns = [turn(1, user("u1", "Hi."), answer("a1", CODE))]

    for text in (f"{ASKED} {HUGE}", f"{HUGE}{ASKED}"):
        (found,) = hidden_anchors(state(turns, text=text), frozenset())

        assert found.message_id == "a1"
        assert "KZ-9921" in text[found.pointer_start : found.pointer_end]


def test_older_messages_are_still_those_that_a_phrase_behind_it_was_read_for():
    asked = "What was my first message?"
    text = HUGE + asked
    at = len(HUGE) + asked.index("my first")
    older = OlderMessage("t1", 1, user("u1", CODE), (at,))
    given_state = state(chat((5, 5), first_depth=9), text=text, earlier_turns=8, older=(older,))

    (found,) = hidden_anchors(given_state, frozenset())

    assert found.message_id == "u1"
    assert text[found.pointer_start : found.pointer_end] == "my first message"


def test_a_plan_with_a_huge_input_quotes_what_it_points_at():
    turns = [turn(1, user("u1", "Hi."), answer("a1", CODE)), *chat(*[(90, 90)] * 60, first_depth=2)]
    model = spec(window_tokens=80_000, reply_reserve_tokens=100)
    huge = replace(state(turns, text=HUGE + ASKED), input=user("input", HUGE + ASKED))

    made = planned(huge, model)

    assert made.tier == 2
    assert f"> {CODE}" in made.request.messages[-2].text
    assert made.request.messages[-1].text == HUGE + ASKED
