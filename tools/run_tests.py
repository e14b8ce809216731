"""Runs the whole suite: on SQLite with everything, again on PostgreSQL, then the coverage gate.

Words after `python -m tools.run_tests` go to pytest of both runs.
"""

import os
import subprocess
import sys
from pathlib import Path

from tests.support.skips import NO_SKIP, postgres_address

ROOT = Path(__file__).resolve().parent.parent
COVERAGE = (sys.executable, "-m", "coverage")
PYTEST = (*COVERAGE, "run", "-m", "pytest", "--durations=10", "--durations-min=5")
EVERYTHING = "not local_model"
WITHOUT_PROCESSES = "not local_model and not browser and not crash"
"""Real processes choose their database themselves: a second run would be the first again."""
NO_DATABASE = ("tests/bench", "tests/llm", "tests/local", "tests/statecore")
"""Folders whose tests know no database: a second run would be the first again, too."""
NO_TESTS = 5


def main(words: list[str]) -> int:
    """Run everything; return the exit code."""
    run(*COVERAGE, "erase")
    codes = [run(*PYTEST, "-m", EVERYTHING, *words), on_postgres(words)]
    run(*COVERAGE, "combine", "--quiet")
    # A gate over a part of the suite would say nothing.
    codes += [] if words else [run(*COVERAGE, "report")]
    return max(codes)


def on_postgres(words: list[str]) -> int:
    """Run the tests that use the test process's own database again, on PostgreSQL."""
    address = postgres_address()
    if address is None:
        print("SKIPPED: no PostgreSQL answers; the suite ran on SQLite only.", file=sys.stderr)
        return 1 if os.environ.get(NO_SKIP) == "1" else 0
    ignored = [f"--ignore={folder}" for folder in NO_DATABASE]
    code = run(*PYTEST, "-m", WITHOUT_PROCESSES, *ignored, *words, DATABASE_URL=address)
    return 0 if words and code == NO_TESTS else code


def run(*command: str, **environment: str) -> int:
    """Run one command in the project's folder and return its exit code."""
    print("$", " ".join(command[1:]), flush=True)
    return subprocess.run(
        command, cwd=ROOT, env={**os.environ, **environment}, check=False
    ).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
