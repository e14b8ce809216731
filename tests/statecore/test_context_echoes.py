"""What was deleted does not come back in other spellings; what only looks like it stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecore.context.echoes import echo_of, echo_spans, holds_echo
from tests.statecore.acknowledgements import HARMLESS, TELLING
from tests.statecore.builders import (
    TEMPLATE,
    answer,
    entry,
    planned,
    remembered,
    removed,
    state,
    turn,
    user,
)

GONE = TEMPLATE.removed


def told_again(statement, text, *, later=False, entries=()):
    """Return what is sent of an answer after a deletion, in its own turn or in a later one."""
    turns = [turn(1, user("u1", statement), answer("a1", "Fine." if later else text))]
    if later:
        turns.append(turn(2, user("u2", "Go on."), answer("a2", text)))
    memory = remembered(*entries, removed=(removed("u1", statement),))
    sent = planned(state(turns, memory=memory)).request.messages
    return [message.text for message in sent if message.role == "assistant"][-1]


def test_there_are_as_many_harmless_answers_as_telling_ones():
    assert len(TELLING) + len(HARMLESS) >= 60
    assert len(HARMLESS) >= 30


@pytest.mark.parametrize("later", [False, True])
@pytest.mark.parametrize("case", TELLING, ids=lambda case: case.answer)
def test_an_answer_that_tells_it_again_loses_that_part(case, later):
    sent = told_again(case.deleted, case.answer, later=later)

    assert GONE in sent
    assert not [part for part in case.gone if part in sent]


@pytest.mark.parametrize("case", HARMLESS, ids=lambda case: case.answer)
def test_an_answer_that_only_looks_like_it_stays_whole(case):
    assert told_again(case.deleted, case.answer, later=True) == case.answer


def test_the_answer_to_it_may_lose_a_small_figure_or_a_name_but_hardly_ever_does():
    changed = [case for case in HARMLESS if told_again(case.deleted, case.answer) != case.answer]

    assert len(changed) <= 2


def test_words_that_are_not_of_the_statement_stay_around_it():
    sent = told_again(
        "My brother owes me money.", "Noted: your brother owes you money. Anything else?"
    )

    assert sent == f"Noted: your {GONE}. Anything else?"


def test_what_replaced_it_is_no_echo_of_it():
    old, new = "My sister lives at 14 Hill Road.", "My sister lives at 15 Hill Road."
    told = "Got it, your sister lives at 15 Hill Road."

    assert told_again(old, told, entries=[entry(new)]) == told


@given(st.text(max_size=80), st.text(max_size=80))
def test_no_text_is_too_odd_to_be_looked_for(statement, text):
    echo = echo_of(statement, [], [])

    for start, end in echo_spans(echo, text, answers_it=True):
        assert 0 <= start < end <= len(text)


@given(st.text("0123456789 .,-/:年月日一二万 mayапре", max_size=30))
def test_a_long_statement_is_found_in_itself(statement):
    told = f"It is {statement} they said."

    assert holds_echo(echo_of(told, [], []), f"So: {told}")
