"""The figures in the heads of the panels, and the log in words."""

import pytest

from chatapp.presenters.logs import KINDS, moment, present_log
from chatapp.presenters.panels import PANELS, present_heads
from chatapp.services.acts import KINDS as ACTS
from tests.web import memory_samples, samples

CONVERSATION = samples.sample_id(900)


def figures(looked, page, last_seq=118, branches=1):
    heads = present_heads(looked, page, last_seq, branches)
    return {figure.name: figure.text for figure in heads["figures"]}


def test_each_head_says_the_most_important_figure():
    assert figures(memory_samples.looked_at(), memory_samples.page(), 1_118, 3) == {
        "context": "42 %",
        "summary": "8 entries · 1 turn waits",
        "session": "3",
        "selected": "4",
        "branches": "3",
        "attempts": "1",
        "log": "1,118",
    }


def test_nothing_is_no_figure():
    assert set(figures(None, memory_samples.EMPTY_PAGE, 0).values()) == {""}


def test_what_failed_comes_before_how_many():
    looked = memory_samples.looked_at(turn=samples.TURNS[3])

    assert figures(looked, memory_samples.page())["attempts"] == "1 failed"


def test_each_panel_says_in_one_line_what_it_is():
    assert all(str(panel.line).endswith(".") for panel in PANELS)
    assert [panel.name for panel in PANELS if panel.is_open] == ["context", "summary"]


@pytest.mark.parametrize("kind", [*ACTS.values(), "memory_learned", "turn_committed"])
def test_every_act_has_words_in_the_log(kind):
    assert str(KINDS[kind])


def test_a_transition_without_words_shows_its_code():
    row = memory_samples.TransitionRow(1, "sun_rose", 0, None, erased=True)

    (view,) = present_log(memory_samples.log(transitions=(row,)), CONVERSATION)["transitions"]

    assert (view.label, view.source, view.erased) == ("sun rose", None, True)


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"more_found": False}, "All messages, newest first."),
        ({}, "The newest 2 messages; older ones are found by searching."),
        ({"query": "x", "more_found": False}, "2 messages found."),
        ({"query": "x"}, "The newest 2 messages with it; there are more."),
        (
            {"query": "x", "more_found": False, "stopped": True, "searched": 5000},
            "2 messages found. Only the newest 5000 messages were searched.",
        ),
    ],
)
def test_a_search_says_how_far_it_went(changes, line):
    assert present_log(memory_samples.log(**changes), CONVERSATION)["messages_line"] == line


def test_older_and_newest_keep_the_search():
    context = present_log(memory_samples.log(query="a&b"), CONVERSATION, before=20)

    assert (context["older"], context["newest"]) == ("q=a%26b&before=9", "q=a%26b")
    assert context["is_older"]


def test_a_time_is_for_machines_and_for_people():
    at = moment(1_790_000_000_000)

    assert (at.iso, at.text) == ("2026-09-21T14:13:20.000+00:00", "2026-09-21 14:13:20")
