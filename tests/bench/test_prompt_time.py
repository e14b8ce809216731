"""The bench of prompts reads the same turns each way, and says what was met."""

from dataclasses import replace

from bench.dialogues import Dialogue, Pair
from bench.prompt_time import Read, Row, measure, table, verdict
from bench.replay import Replay, spec

SMALL = replace(spec(1_000), reply_reserve_tokens=100)


def replay():
    pairs = tuple(Pair(f"And on day {n}? " + "river " * 20, "water " * 20) for n in range(40))
    return Replay(Dialogue("made", "up", pairs))


def test_both_ways_read_the_same_turns_while_the_full_history_fits():
    asked = []

    def read_prompt(request, is_cached):
        asked.append((request.messages[-1].text, is_cached))
        return Read(len(request.messages), 1, 1.0)

    rows = list(measure(replay(), SMALL, read_prompt, nothing=3))

    named = [(row.strategy, row.is_cached) for row in rows]
    assert named == [("full", True), ("elastic", True), ("full", False), ("elastic", False)]
    full, elastic = len(rows[0].reads), len(rows[1].reads)
    assert full == elastic > 10
    assert [text for text, _ in asked[:full]] == [text for text, _ in asked[full : 2 * full]]
    assert len(rows[2].reads) == len(rows[3].reads) == 3
    assert rows[0].reads[-1].tokens > rows[1].reads[-1].tokens


def test_the_verdict_compares_each_way():
    def row(strategy, is_cached, ms):
        return Row(strategy, is_cached, (Read(10, 5, ms), Read(20, 5, ms)))

    rows = [row("full", True, 100), row("elastic", True, 90)]
    rows += [row("full", False, 100), row("elastic", False, 50)]

    assert verdict(rows).splitlines() == [
        "* As it runs: 10 % less time (30 % missed).",
        "* Without cache: 50 % less time (30 % met).",
    ]
    assert "| without cache | elastic | 2 | 30 | 10 | 0.1 |" in table(rows, SMALL, "some model")
