"""What a plan takes on paths of 100 to 100,000 messages: python -m bench plans."""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from bench.figures import Figures
from bench.report import replaced_part, setting
from tests.support.postgres import fresh_database
from tests.support.web_process import run_python

HEADING = "## Plans"
SIZES = (100, 1_000, 10_000, 100_000)
SHORT, LONG = 1_000, 100_000
"""Between these the time should grow by less than `GROWTH` times."""
GROWTH = 1.5
AIMS_MS: Mapping[int, float] = {8_000: 20.0, 128_000: 40.0}
"""Median, by window."""
NAMES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}


@dataclass(frozen=True, slots=True)
class PlanRow:
    """Plans at one length of the path and one window."""

    database: str
    messages: int
    window_tokens: int
    total: Figures
    read: Figures
    first_ms: float
    """Of the first plan, before the process had looked at any of the texts."""
    queries: int
    tier: int
    sent_messages: int

    @classmethod
    def of(cls, line: str) -> "PlanRow":
        """Return the row that a line of JSON holds."""
        found = json.loads(line)
        both = zip(found["read_ns"], found["plan_ns"], strict=True)
        return cls(
            NAMES[found["database"]],
            found["messages"],
            found["window_tokens"],
            Figures.of_ns([read + plan for read, plan in both]),
            Figures.of_ns(found["read_ns"]),
            found["first_ns"] / 1e6,
            found["queries"],
            found["tier"],
            found["sent_messages"],
        )


def main(argv: Sequence[str]) -> None:
    """Read the command line, measure, print, and write where asked."""
    parser = argparse.ArgumentParser(prog="bench plans", description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="of the path, messages")
    parser.add_argument("--postgres", help="address of a server; else only SQLite is measured")
    parser.add_argument("--out", type=Path, help="a page whose part about plans is replaced")
    options = parser.parse_args(argv)
    others = os.getloadavg()[0]
    rows = list(measure(options.sizes, options.postgres))
    text = f"{HEADING}\n\n{setting(others)}\n{table(rows)}"
    if options.out:
        page = options.out.read_text(encoding="utf-8")
        options.out.write_text(replaced_part(page, HEADING, text), encoding="utf-8")
    print(text)


def measure(sizes: Sequence[int], postgres: str | None) -> Iterator[PlanRow]:
    """Yield the rows of each database."""
    with ExitStack() as stack:
        databases = [""]
        if postgres:
            databases.append(stack.enter_context(fresh_database(postgres)))
        for database_url in databases:
            yield from _measure(sizes, database_url)


def _measure(sizes: Sequence[int], database_url: str) -> Iterator[PlanRow]:
    environment = {"DATABASE_URL": database_url} if database_url else {}
    with tempfile.TemporaryDirectory(prefix="glassbox-bench-") as folder:
        place = Path(folder)
        run_python(place, environment, "manage.py", "migrate", "--verbosity", "0")
        words = [str(size) for size in sizes]
        lines = run_python(place, environment, "-m", "bench.plan_paths", *words)
    yield from map(PlanRow.of, lines.splitlines())


def table(rows: Sequence[PlanRow]) -> str:
    """Return the figures as Markdown."""
    lines = "\n".join(
        f"| {row.database} | {row.messages:,} | {row.window_tokens:,} | {row.total} | {row.read} "
        f"| {row.first_ms:.0f} ms | {row.tier} | {row.sent_messages} | {row.queries} |"
        for row in rows
    )
    return f"""Made by `python -m bench plans`: reading what a plan needs and planning, without a
provider, on one path with a memory of up to 150 sentences; median / p95 of 50 plans of the same
turn. The first plan of a process has seen none of the texts before. Aims: a median under 20 ms at
a window of 8,000 tokens and under 40 ms at 128,000, and less than {GROWTH} times the time of
1,000 messages at 100,000.

| database | messages | window | read and plan | read | first | tier | sent | queries |
|---|---|---|---|---|---|---|---|---|
{lines}

{verdict(rows)}
"""


def verdict(rows: Sequence[PlanRow]) -> str:
    """Return which aims were met."""
    sentences = []
    for database in dict.fromkeys(row.database for row in rows):
        for window_tokens, aim_ms in AIMS_MS.items():
            found = [
                row
                for row in rows
                if (row.database, row.window_tokens) == (database, window_tokens)
            ]
            if not found:
                continue
            slowest = max(row.total.median_ms for row in found)
            word = "met" if slowest < aim_ms else "missed"
            sentences.append(
                f"* {database} at {window_tokens:,}: the slowest median is {slowest:.1f} ms "
                f"({aim_ms:g} ms {word}){_growth(found)}."
            )
    return "\n".join(sentences)


def _growth(rows: Sequence[PlanRow]) -> str:
    medians = {row.messages: row.total.median_ms for row in rows}
    if SHORT not in medians or LONG not in medians:
        return ""
    ratio = medians[LONG] / medians[SHORT]
    return f"; from {SHORT:,} to {LONG:,} messages {ratio:.2f} times"


if __name__ == "__main__":
    main(sys.argv[1:])
