"""Runs the whole suite: on SQLite with everything, again on PostgreSQL, then the coverage gate.

The parts run side by side in two lanes; each has databases, ports and folders of its own. Words
after `python -m tools.run_tests` go to pytest of all parts.
"""

import os
import subprocess
import sys
from pathlib import Path

from tests.support.skips import NO_SKIP, postgres_address
from tools.lanes import Job, run_jobs

ROOT = Path(__file__).resolve().parent.parent
LOGS = ROOT / ".cache" / "tests"
LANES = 2
COVERAGE = (sys.executable, "-m", "coverage")
PYTEST = (*COVERAGE, "run", "-m", "pytest", "--durations=10", "--durations-min=5")
PROCESSES = "(browser or crash) and not local_model"
WITHOUT_PROCESSES = "not local_model and not browser and not crash"
"""Real processes choose their database themselves: a second run would be the first again."""
NO_DATABASE = ("tests/bench", "tests/llm", "tests/local", "tests/statecore")
"""Folders whose tests know no database: a second run would be the first again, too."""
NO_TESTS = 5


def main(words: list[str]) -> int:
    """Run everything; return the exit code."""
    run(*COVERAGE, "erase")
    address = postgres_address()
    codes = run_jobs(jobs(words, address), LANES, ROOT, LOGS)
    run(*COVERAGE, "combine", "--quiet")
    if words:
        # A gate over a part of the suite would say nothing, and no part has all the tests.
        return max((code for code in codes if code != NO_TESTS), default=NO_TESTS)
    return max(*codes, without_postgres() if address is None else 0, run(*COVERAGE, "report"))


def jobs(words: list[str], postgres: str | None) -> list[Job]:
    """Return the parts of the suite, the longest first: whoever is free takes the next one."""
    ignored = [f"--ignore={folder}" for folder in NO_DATABASE]
    found = [
        Job("browser and kills", part("processes", PROCESSES, *words)),
        Job("tests on SQLite", part("sqlite", WITHOUT_PROCESSES, *words)),
    ]
    if postgres is not None:
        command = part("postgres", WITHOUT_PROCESSES, *ignored, *words)
        found.append(Job("tests on PostgreSQL", command, {"DATABASE_URL": postgres}))
    return found


def part(name: str, marks: str, *words: str) -> tuple[str, ...]:
    """Return the command of one part, whose cache no other part writes."""
    return (*PYTEST, "-o", f"cache_dir=.cache/pytest-{name}", "-m", marks, *words)


def without_postgres() -> int:
    """Say that there is no PostgreSQL; return the exit code of that."""
    print("SKIPPED: no PostgreSQL answers; the suite ran on SQLite only.", file=sys.stderr)
    return 1 if os.environ.get(NO_SKIP) == "1" else 0


def run(*command: str) -> int:
    """Run one command in the project's folder and return its exit code."""
    print("$", " ".join(command[1:]), flush=True)
    return subprocess.run(command, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
