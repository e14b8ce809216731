"""The table of plan times says which aims were met."""

import json

from bench.plan_time import PlanRow, table, verdict


def row(messages=1_000, window_tokens=8_000, ms=5.0, database="sqlite"):
    found = {
        "database": database,
        "messages": messages,
        "window_tokens": window_tokens,
        "read_ns": [int(ms * 400_000)] * 3,
        "plan_ns": [int(ms * 600_000)] * 3,
        "first_ns": 9_000_000,
        "queries": 6,
        "tier": 2,
        "sent_messages": 17,
    }
    return PlanRow.of(json.dumps(found))


def test_a_row_adds_reading_and_planning():
    found = row(ms=5.0)

    assert found.total.median_ms == 5.0
    assert found.read.median_ms == 2.0
    assert "| SQLite | 1,000 | 8,000 | 5.0 / 5.0 ms | 2.0 / 2.0 ms | 9 ms | 2 | 17 | 6 |" in table(
        [found]
    )


def test_the_slowest_median_meets_or_misses_its_aim():
    rows = [row(ms=5.0), row(messages=100, ms=25.0), row(window_tokens=128_000, ms=39.0)]

    assert verdict(rows).splitlines() == [
        "* SQLite at 8,000: the slowest median is 25.0 ms (20 ms missed).",
        "* SQLite at 128,000: the slowest median is 39.0 ms (40 ms met).",
    ]


def test_growth_is_told_where_both_lengths_were_measured():
    rows = [row(ms=5.0), row(messages=100_000, ms=6.0), row(database="postgresql", ms=5.0)]

    assert "from 1,000 to 100,000 messages 1.20 times" in verdict(rows).splitlines()[0]
    assert "times" not in verdict(rows).splitlines()[1]
