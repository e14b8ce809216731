"""The life of a turn has few legal moves."""

import pytest

from statecore.turns import ALLOWED, learns_from_assistant, may_move


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("running", "committed"),
        ("running", "failed"),
        ("running", "interrupted"),
        ("failed", "running"),
        ("interrupted", "running"),
    ],
)
def test_legal_moves(before, after):
    assert may_move(before, after)


@pytest.mark.parametrize("after", ["running", "committed", "failed", "interrupted"])
def test_a_committed_turn_never_moves(after):
    assert not may_move("committed", after)


def test_a_turn_that_broke_off_commits_only_by_running_again():
    assert not may_move("failed", "committed")
    assert not may_move("interrupted", "committed")
    assert not any(may_move(status, status) for status in ALLOWED)


def test_memory_does_not_learn_from_an_answer_that_was_stopped():
    assert not learns_from_assistant("stopped")
    assert learns_from_assistant("complete")
    assert learns_from_assistant("length")
