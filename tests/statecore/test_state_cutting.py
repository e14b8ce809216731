"""What people did at a node counts on a path until the path has gone on from there."""

import pytest

from statecore.state.cutting import cut_of

PATH = [("t1", 5), ("t2", 9), ("t3", 12)]


@pytest.mark.parametrize(
    ("turn_id", "seq", "counts"),
    [
        (None, 4, True),
        (None, 5, False),
        ("t1", 8, True),
        ("t1", 9, False),
        ("t2", 11, True),
        ("t2", 13, False),
        ("t3", 1_000_000, True),
        ("t4", 1, False),
    ],
)
def test_an_act_counts_from_before_the_next_turn_was_committed(turn_id, seq, counts):
    assert cut_of(PATH).holds(turn_id, seq) is counts


def test_before_the_first_turn_everything_counts_that_was_done_there():
    cut = cut_of([])
    assert cut.holds(None, 7)
    assert not cut.holds("t1", 7)


def test_of_a_part_of_a_path_nothing_before_it_counts():
    cut = cut_of(PATH[1:], from_root=False)
    assert not cut.holds(None, 1)
    assert not cut.holds("t1", 1)
    assert cut.holds("t2", 11)
    assert cut.holds("t3", 13)


def test_a_turn_that_runs_has_not_gone_on_from_its_parent():
    cut = cut_of([("t1", 5), ("t2", None)])
    assert cut.holds("t1", 100)
    assert cut.holds("t2", 100)
