"""The table of branches says which aims were met."""

import json

from bench.branch_cost import BranchCost, table, verdict


def row(branches=1, fork_ms=4.0, plan_ms=5.0, database="sqlite"):
    found = {
        "database": database,
        "turns": 10_000,
        "branches": branches,
        "fork_ns": [int(fork_ms * 1e6)] * 3,
        "fork_cpu_ns": [int(fork_ms * 5e5)] * 3,
        "plan_ns": [int(plan_ms * 2e6)] * 3,
        "plan_cpu_ns": [int(plan_ms * 1e6)] * 3,
        "queries": 6,
    }
    return BranchCost.of(json.dumps(found))


def test_a_row_has_what_passed_and_what_the_processor_took():
    shown = table([row()])

    expected = "| SQLite | 10,000 | 1 | 4.0 / 4.0 ms | 2.0 / 2.0 ms | 10.0 / 10.0 ms "
    assert f"{expected}| 5.0 / 5.0 ms | 6 |" in shown


def test_a_fork_that_takes_too_long_beside_many_branches_misses_its_aim():
    told = verdict([row(), row(1_000, fork_ms=12.0)])

    assert "slowest median of a fork is 12.0 ms (10 ms missed)" in told


def test_a_plan_that_grows_with_the_branches_misses_its_aim():
    rows = [row(), row(1_000), row(database="postgresql"), row(1_000, 4.0, 8.0, "postgresql")]

    one, other = verdict(rows).splitlines()

    assert "a plan beside 1,000 branches takes 1.00 times the processor's time (met)" in one
    assert "a plan beside 1,000 branches takes 1.60 times the processor's time (missed)" in other
