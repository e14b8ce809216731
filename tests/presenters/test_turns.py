"""A turn says plainly how it stands and what can be done."""

import pytest
from django.utils.safestring import SafeString

from chatapp.presenters.turns import present_older, present_turn, turn_view
from tests.web import samples


def test_an_answer_is_safe_html_and_keeps_its_source():
    view = turn_view(samples.turn(answer_text="**Yes** <b>"))

    assert isinstance(view.answer_html, SafeString)
    assert "<strong>Yes</strong> &lt;b&gt;" in view.answer_html
    assert view.answer_text == "**Yes** <b>"


@pytest.mark.parametrize(
    ("turn", "kind", "can_retry", "words"),
    [
        (samples.broken_turn(), "failed", True, "fewer requests"),
        (samples.broken_turn(seen=False), "failed", False, "fewer requests"),
        (
            samples.broken_turn(status="interrupted", reason="interrupted"),
            "interrupted",
            True,
            "The server stopped while this answer was being written.",
        ),
        (samples.turn(finish="stopped"), "stopped", False, "Stopped by you."),
        (samples.turn(finish="stopped", answer_text=""), "stopped", False, "before any text"),
        (samples.turn(finish="length"), "length", False, "length limit"),
        (samples.turn(answer_text=""), "empty", False, "No text was returned."),
    ],
)
def test_an_end_that_is_no_plain_answer_is_said(turn, kind, can_retry, words):
    notice = turn_view(turn).notice

    assert (notice.kind, notice.can_retry) == (kind, can_retry)
    assert words in notice.sentence


@pytest.mark.parametrize("turn", [samples.turn(), samples.running_turn()])
def test_a_plain_answer_and_a_running_one_need_no_notice(turn):
    assert turn_view(turn).notice is None


def test_a_broken_turn_shows_what_was_written_before():
    view = turn_view(samples.broken_turn(partial_text="Half of *it*"))

    assert "<em>it</em>" in view.answer_html
    assert not view.settled


def test_it_names_who_really_answered_and_why():
    attempts = (
        samples.attempt(1, status="failed", reason="rate_limit", model_name="big"),
        samples.attempt(2, ordinal=2, model_name="small"),
    )

    view = turn_view(samples.turn(attempts=attempts))

    assert view.model_name == "small"
    assert view.fallback == "Answered by small because big was asked too often."


def test_another_attempt_of_the_same_model_is_no_fallback():
    attempts = (samples.attempt(1, status="failed", reason="network"), samples.attempt(2))

    assert turn_view(samples.turn(attempts=attempts)).fallback == ""


def test_its_facts_are_tokens_and_the_wait():
    texts = [fact.text for fact in turn_view(samples.turn()).meta]

    assert texts == ["1,112 → 264 tokens", "first after 840 ms"]


def test_what_is_unknown_is_left_out_rather_than_zero():
    attempt = samples.attempt(prompt_tokens=None, first_token_ms=None)

    assert turn_view(samples.turn(attempts=(attempt,))).meta == ()


def test_a_running_turn_shows_no_figures_that_still_change():
    assert turn_view(samples.running_turn()).meta == ()


def test_a_turn_without_an_attempt_is_shown_with_the_chosen_model():
    view = turn_view(samples.turn(attempts=(), model_name="chosen"))

    assert (view.model_name, view.bar) == ("chosen", None)


@pytest.mark.parametrize(
    "changed",
    [
        samples.running_turn(),
        samples.turn(finish="stopped"),
        samples.turn(attempts=()),
        samples.turn(seen=False),
    ],
)
def test_its_mark_changes_with_whatever_its_article_shows(changed):
    assert turn_view(changed).mark != turn_view(samples.turn()).mark


def test_contexts_name_the_conversation():
    conversation_id = samples.sample_id(900)

    assert present_turn(samples.turn(), conversation_id)["conversation_id"] == conversation_id
    assert present_older((samples.turn(),), conversation_id, None)["older_before"] is None
