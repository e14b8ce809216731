"""What a fork takes, and a plan beside many branches: python -m bench branches."""

import argparse
import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from bench.figures import Figures
from bench.plan_time import NAMES
from bench.report import replaced_part, setting
from tests.support.postgres import fresh_database
from tests.support.web_process import run_python

HEADING = "## Branches"
TURNS = 10_000
BRANCHES = 1_000
FORK_MS = 10.0
"""Aim of the median of a fork."""
GROWTH = 1.2
"""What the median of a plan may grow by beside many branches: more is not the noise of a run."""


@dataclass(frozen=True, slots=True)
class BranchCost:
    """One conversation with so many branches."""

    database: str
    turns: int
    branches: int
    fork: Figures
    fork_cpu: Figures
    """Time of the processor in the process that forks; without the server of a database."""
    plan: Figures
    plan_cpu: Figures
    queries: int
    """Of a plan."""

    @classmethod
    def of(cls, line: str) -> "BranchCost":
        """Return the row that a line of JSON holds."""
        found = json.loads(line)
        return cls(
            NAMES[found["database"]],
            found["turns"],
            found["branches"],
            Figures.of_ns(found["fork_ns"]),
            Figures.of_ns(found["fork_cpu_ns"]),
            Figures.of_ns(found["plan_ns"]),
            Figures.of_ns(found["plan_cpu_ns"]),
            found["queries"],
        )


def main(argv: Sequence[str]) -> None:
    """Read the command line, measure, print, and write where asked."""
    parser = argparse.ArgumentParser(prog="bench branches", description=__doc__)
    parser.add_argument("--turns", type=int, default=TURNS, help="of the conversation")
    parser.add_argument("--branches", type=int, default=BRANCHES, help="how many it comes to have")
    parser.add_argument("--postgres", help="address of a server; else only SQLite is measured")
    parser.add_argument("--out", type=Path, help="a page whose part about branches is replaced")
    options = parser.parse_args(argv)
    others = os.getloadavg()[0]
    rows = list(measure(options.turns, options.branches, options.postgres))
    text = f"{HEADING}\n\n{setting(others)}\n{table(rows)}"
    if options.out:
        page = options.out.read_text(encoding="utf-8")
        options.out.write_text(replaced_part(page, HEADING, text), encoding="utf-8")
    print(text)


def measure(turns: int, branches: int, postgres: str | None) -> Iterator[BranchCost]:
    """Yield the rows of each database."""
    with ExitStack() as stack:
        databases = [""]
        if postgres:
            databases.append(stack.enter_context(fresh_database(postgres)))
        for database_url in databases:
            yield from _measure(turns, branches, database_url)


def _measure(turns: int, branches: int, database_url: str) -> Iterator[BranchCost]:
    environment = {"DATABASE_URL": database_url} if database_url else {}
    with tempfile.TemporaryDirectory(prefix="glassbox-bench-") as folder:
        place = Path(folder)
        run_python(place, environment, "manage.py", "migrate", "--verbosity", "0")
        words = [str(turns), str(branches)]
        lines = run_python(place, environment, "-m", "bench.branch_paths", *words)
    yield from map(BranchCost.of, lines.splitlines())


def table(rows: Sequence[BranchCost]) -> str:
    """Return the figures as Markdown."""
    lines = "\n".join(
        f"| {row.database} | {row.turns:,} | {row.branches:,} | {row.fork} | {row.fork_cpu} "
        f"| {row.plan} | {row.plan_cpu} | {row.queries} |"
        for row in rows
    )
    return f"""Made by `python -m bench branches`: a named fork off the main line, with its row, its
selection and its transition, at turns all over a long conversation; and reading and planning a
turn of its main line at a window of 8,000 tokens, without a provider. Two conversations that differ
in their branches only are measured in turns; median / p95 of 50 each, and the processor's time of
the same in the process itself, not of a database server. Aims: a fork under {FORK_MS:g} ms,
and a plan that takes no longer beside {BRANCHES:,} branches.

| database | turns | branches | fork | processor | plan | processor | queries of a plan |
|---|---|---|---|---|---|---|---|
{lines}

{verdict(rows)}
"""


def verdict(rows: Sequence[BranchCost]) -> str:
    """Return which aims were met."""
    sentences = []
    for database in dict.fromkeys(row.database for row in rows):
        found = [row for row in rows if row.database == database]
        slowest = max(row.fork.median_ms for row in found)
        ratio = found[-1].plan_cpu.median_ms / found[0].plan_cpu.median_ms
        fork, plan = _met(is_met=slowest < FORK_MS), _met(is_met=ratio < GROWTH)
        sentences.append(
            f"* {database}: the slowest median of a fork is {slowest:.1f} ms ({FORK_MS:g} ms "
            f"{fork}); a plan beside {found[-1].branches:,} branches takes {ratio:.2f} times the "
            f"processor's time ({plan})."
        )
    return "\n".join(sentences)


def _met(*, is_met: bool) -> str:
    return "met" if is_met else "missed"
