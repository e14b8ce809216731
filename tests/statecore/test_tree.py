"""Branches and paths follow from parent pointers alone."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecore.errors import InvalidInput
from statecore.tree import (
    Branch,
    BranchClock,
    MessageTokens,
    Path,
    Sums,
    common_ancestor,
    deepest_named_depth,
    extend,
    landing,
    may_fork,
    named_depth,
    path_to,
)

PARENTS = {"a": None, "b": "a", "c": "b", "d": "b", "e": "d", "z": None}


def branch(id_, left=None, **more) -> Branch:
    return Branch(id_, left, None, **({"version": 4} | more))


def test_a_path_goes_from_the_root_to_the_tip():
    assert path_to("e", PARENTS) == Path(("a", "b", "d", "e"))
    assert path_to("e", PARENTS).depth == 4
    assert path_to(None, PARENTS) == Path(())


def test_a_parent_that_is_not_there_is_refused_by_name():
    with pytest.raises(InvalidInput, match="turn x"):
        path_to("y", {"y": "x"})
    with pytest.raises(InvalidInput, match="turn x"):
        path_to("x", {})


def test_a_ring_is_refused():
    with pytest.raises(InvalidInput, match="own ancestor"):
        path_to("a", {"a": "b", "b": "a"})


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("c", "e", "b"),
        ("e", "c", "b"),
        ("b", "e", "b"),
        ("e", "e", "e"),
        ("e", "z", None),
        ("e", None, None),
    ],
)
def test_the_common_ancestor_is_the_newest_turn_on_both_paths(one, other, expected):
    assert common_ancestor(one, other, PARENTS) == expected


@st.composite
def trees(draw):
    count = draw(st.integers(1, 15))
    parents = {"0": None}
    for number in range(1, count):
        parents[str(number)] = str(draw(st.integers(0, number - 1)))
    return parents


@given(trees(), st.data())
def test_paths_share_exactly_what_lies_above_the_common_ancestor(parents, data):
    one, other = (data.draw(st.sampled_from(sorted(parents))) for _ in range(2))

    paths = [path_to(turn, parents).turn_ids for turn in (one, other)]
    shared = common_ancestor(one, other, parents)

    assert all(parents[child] == parent for parent, child in pairwise(paths[0]))
    assert set(paths[0]) & set(paths[1]) == set(path_to(shared, parents).turn_ids)


@given(st.lists(st.lists(st.builds(MessageTokens, st.integers(0), st.integers(0)))))
def test_sums_turn_by_turn_equal_the_sums_of_all_messages(turns):
    sums = Sums()
    for counts in turns:
        sums = extend(sums, counts)

    assert sums == extend(Sums(), [count for counts in turns for count in counts])
    assert sums.messages == sum(len(counts) for counts in turns)


def test_sums_keep_both_forms_apart():
    assert extend(Sums(1, 10, 5), [MessageTokens(7, 2)]) == Sums(2, 17, 7)


def test_a_post_lands_only_on_the_version_that_it_was_typed_on():
    assert landing(branch("main"), 4) == "lands"
    assert landing(branch("main"), 3) == "moved_on"
    assert landing(branch("main", active_turn="t"), 4) == "busy"
    assert landing(branch("main", active_turn="t"), 3) == "moved_on"


def test_only_named_forks_count_towards_the_limit():
    branches = {
        b.id: b
        for b in (
            branch("main"),
            branch("one", "main", is_named=True),
            branch("edit", "one"),
            branch("two", "edit", is_named=True),
            branch("three", "two", is_named=True),
        )
    }

    assert [named_depth(id_, branches) for id_ in branches] == [0, 1, 1, 2, 3]
    assert may_fork("two", branches)
    assert not may_fork("three", branches)
    assert may_fork("three", branches, limit=4)


def test_a_branch_that_is_not_there_is_refused():
    with pytest.raises(InvalidInput, match="gone"):
        named_depth("gone", {"main": branch("main")})


def test_a_branch_counts_with_the_deepest_line_below_it_and_no_other():
    branches = {
        b.id: b
        for b in (
            branch("main"),
            branch("edit", "main"),
            branch("one", "edit", is_named=True),
            branch("two", "one", is_named=True),
            branch("beside", "main", is_named=True),
            branch("below", "beside", is_named=True),
            branch("lowest", "below", is_named=True),
        )
    }

    assert deepest_named_depth("edit", branches) == 2
    assert deepest_named_depth("two", branches) == 2
    assert deepest_named_depth("main", branches) == 3
    assert deepest_named_depth("beside", {"beside": branch("beside", is_named=True)}) == 1


@pytest.mark.parametrize(
    ("clock", "expected"),
    [
        (BranchClock(), 9_000),
        (BranchClock(100, 8_000), 1_100),
        (BranchClock(100, 9_500), 100),
        (BranchClock(100, 8_000, clock_ms=300), 300),
        (BranchClock(100, 8_000, clock_ms=300, clock_set_ms=8_900), 400),
        (BranchClock(100, 8_000, clock_ms=300, clock_set_ms=9_100), 300),
        (BranchClock(700, 8_000, clock_ms=300), 700),
    ],
)
def test_branch_time_stands_or_runs_and_never_goes_behind_the_newest_turn(clock, expected):
    assert clock.at(9_000) == expected
