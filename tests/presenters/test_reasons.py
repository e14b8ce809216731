"""Every code that can reach a person has its sentence."""

from typing import get_args

import pytest

from chatapp.presenters.reasons import (
    DECISIONS,
    FAILURES,
    KINDS,
    QUALITIES,
    QUALITY_MEANINGS,
    ROLES,
    SEGMENT_REASONS,
    failure,
    segment_reason,
)
from statecore.context.segments import Decision, Reason, SegmentKind
from statecore.messages import Role
from statecore.routing.reasons import FailureReason
from statecore.tokens import Quality


@pytest.mark.parametrize("reason", FailureReason)
def test_each_failure_says_what_happened_and_what_to_do(reason):
    words = failure(reason)

    assert words is FAILURES[reason]
    assert str(words.sentence).endswith(".")
    assert str(words.advice).endswith(".")
    assert not str(words.cause).endswith(".")


def test_an_unknown_failure_is_named_by_its_code():
    assert "solar_flare" in str(failure("solar_flare").sentence)


def test_a_failure_without_a_code_has_a_sentence():
    assert str(failure("").sentence) == "No answer came."


@pytest.mark.parametrize("reason", get_args(Reason))
def test_each_reason_of_a_plan_is_a_sentence(reason):
    assert str(SEGMENT_REASONS[reason]).endswith(".")


def test_an_unknown_reason_of_a_plan_shows_its_code():
    assert segment_reason("moon_phase") == "moon phase"


@pytest.mark.parametrize(
    ("codes", "words"),
    [
        (SegmentKind, KINDS),
        (Role, ROLES),
        (Decision, DECISIONS),
        (Quality, QUALITIES),
        (Quality, QUALITY_MEANINGS),
    ],
)
def test_closed_sets_are_covered_exactly(codes, words):
    assert set(get_args(codes)) == set(words)
