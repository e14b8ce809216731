"""The bar shows the window as it is filled."""

import pytest

from chatapp.presenters.bars import present_bar
from tests.web import samples


def test_its_parts_lie_side_by_side_and_leave_the_free_rest():
    bar = present_bar(samples.attempt())

    assert [part.kind for part in bar.parts] == ["system", "message", "input", "reserve"]
    ends = [part.start + part.width for part in bar.parts]
    assert [part.start for part in bar.parts[1:]] == ends[:-1]
    assert ends[-1] == 520


def test_what_was_not_sent_takes_no_place():
    bar = present_bar(samples.attempt())

    assert {part.kind: part.tokens for part in bar.parts}["message"] == "952"


def test_it_says_the_same_in_words():
    assert present_bar(samples.attempt()).label == "52 % of a window of 4,096 tokens"


@pytest.mark.parametrize(("rho", "full"), [(0.89, False), (0.9, True), (1.3, True)])
def test_it_knows_when_little_is_left(rho, full):
    assert present_bar(samples.attempt(rho_sent=rho)).full is full


def test_a_request_that_is_too_big_fills_the_bar_and_no_more():
    segments = [samples.segment(tokens=6000)]

    bar = present_bar(samples.attempt(segments=segments, rho_sent=1.5))

    assert sum(part.width for part in bar.parts) == 1000


@pytest.mark.parametrize("changes", [{"rho_sent": None}, {"window_tokens": 0}])
def test_without_a_plan_there_is_no_bar(changes):
    assert present_bar(samples.attempt(**changes)) is None


def test_an_unknown_kind_counts_as_a_message():
    segments = [samples.segment("gap", tokens=10)]

    bar = present_bar(samples.attempt(segments=segments, rho_sent=0.01))

    assert bar.parts[0].kind == "message"
