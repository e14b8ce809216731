"""The attempts panel says what was tried, in words, and only as much as somebody looks at."""

from decimal import Decimal

import pytest

from chatapp.presenters.attempts import (
    attempt_view,
    present_attempts,
    present_attempts_turn,
    present_request,
)
from tests.web import samples

CONVERSATION = samples.sample_id(900)


def figures_of(view):
    return {figure.label: (figure.value, figure.quality) for figure in view.figures}


def test_the_newest_turn_comes_first_and_whole_older_ones_wait():
    turns = (samples.turn(1), samples.turn(2), samples.turn(3, attempts=()))

    shown = present_attempts(turns, turns[1], CONVERSATION)["tried_turns"]

    assert [turn.id for turn in shown] == [samples.sample_id(2), samples.sample_id(1)]
    assert [len(turn.attempts) for turn in shown] == [1, 0]


def test_an_older_turn_that_was_chosen_comes_first_and_whole():
    turns = (samples.turn(1), samples.turn(2))

    shown = present_attempts(turns, samples.turn(9), CONVERSATION)["tried_turns"]

    assert [turn.id for turn in shown] == [samples.sample_id(n) for n in (9, 2, 1)]
    assert [len(turn.attempts) for turn in shown] == [1, 0, 0]


def test_a_folded_turn_says_that_attempts_of_it_failed():
    shown = present_attempts((samples.TURNS[3], samples.turn(9)), None, CONVERSATION)

    assert [turn.note for turn in shown["tried_turns"]] == ["", "1 failed"]


def test_one_turn_alone_comes_whole_newest_attempt_first():
    turn = samples.TURNS[3]

    sent = present_attempts_turn(turn, CONVERSATION)["tried"]

    assert [attempt.ordinal for attempt in sent.attempts] == [2, 1]


@pytest.mark.parametrize(
    ("changes", "outcome"),
    [
        ({}, "Answered."),
        ({"finish": "length"}, "Answered, up to the length limit."),
        ({"status": "running"}, "Being written."),
        ({"status": "stopped"}, "Stopped by you."),
        ({"status": "interrupted"}, "The server stopped while this answer was being written."),
        ({"status": "failed", "reason": "auth"}, "The provider refused the key."),
    ],
)
def test_the_outcome_is_a_plain_sentence(changes, outcome):
    assert attempt_view(samples.attempt(**changes)).outcome == outcome


def test_only_what_broke_off_comes_with_advice():
    assert attempt_view(samples.attempt()).advice == ""
    assert attempt_view(samples.attempt(status="failed", reason="auth")).advice


def test_figures_say_where_they_come_from():
    row = samples.attempt(completion_quality="estimated", cost_usd=Decimal("0.00123"))

    figures = figures_of(attempt_view(row))

    assert figures == {
        "Tokens read": ("1,112", "reported"),
        "of them from its cache": ("980", "reported"),
        "Tokens written": ("≈ 264", "estimated"),
        "First token after": ("840 ms", ""),
        "Took": ("9.4 s", ""),
        "Cost": ("$0.0012", ""),
    }


def test_an_unknown_figure_is_left_out():
    row = samples.attempt(
        prompt_tokens=None,
        cached_tokens=None,
        completion_tokens=None,
        first_token_ms=None,
        ended_ms=None,
    )

    assert attempt_view(row).figures == ()


def test_each_part_says_what_it_is_and_why():
    system, gap, *_ = attempt_view(samples.attempt()).segments

    assert (system.label, system.tokens, system.decision_label) == (
        "System prompt",
        "96",
        "sent word for word",
    )
    assert gap.decision_label == "not sent"
    assert gap.reason.startswith("Too old for the window")


@pytest.mark.parametrize(
    ("proven", "word"), [(True, "Proved"), (False, "Warning"), (None, "erased")]
)
def test_the_exact_request_comes_with_its_proof(proven, word):
    context = present_request("{}", proven=proven)

    assert word in context["proof"]
    assert context["request_text"] == "{}"


OVERFLOWN = samples.attempt(status="failed", reason="context_overflow", window_tokens=32_000)


def test_an_attempt_that_was_planned_again_says_for_how_many_tokens_and_why():
    view = attempt_view(samples.attempt(2, ordinal=2, window_tokens=9_000), OVERFLOWN)

    assert view.note == (
        "Planned again for a window of 9,000 tokens, because the provider said that the request"
        " before was too long."
    )


@pytest.mark.parametrize(
    ("changes", "earlier"),
    [
        ({"window_tokens": 9_000}, None),
        ({"window_tokens": 32_000}, OVERFLOWN),
        ({"window_tokens": 9_000, "model_name": "another"}, OVERFLOWN),
        ({"window_tokens": 9_000}, samples.attempt(status="failed", reason="server_error")),
    ],
)
def test_any_other_attempt_says_no_such_thing(changes, earlier):
    assert attempt_view(samples.attempt(2, ordinal=2, **changes), earlier).note == ""


def test_the_attempts_of_a_turn_are_told_by_the_one_before():
    again = samples.attempt(2, ordinal=2, window_tokens=9_000)
    turn = samples.turn(1, attempts=(OVERFLOWN, again))

    sent = present_attempts_turn(turn, CONVERSATION)["tried"]

    assert [bool(attempt.note) for attempt in sent.attempts] == [True, False]


def test_a_reported_figure_stands_beside_the_planned_one():
    row = samples.attempt(planned_tokens=1_400, planned_quality="estimated")

    assert figures_of(attempt_view(row))["Tokens planned"] == ("≈ 1,400", "estimated")


def test_what_came_from_the_cache_is_the_providers_own_figure():
    figures = figures_of(attempt_view(samples.attempt()))

    assert figures["of them from its cache"] == ("980", "reported")
