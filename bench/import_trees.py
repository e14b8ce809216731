"""Moves trees of other programs in and out: python -m bench import_trees --data FOLDER."""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tests.support.postgres import fresh_database
from tests.support.web_process import run_python

FILES = ("oasst_trees.jsonl", "chatgpt_export_conversations.json")


def main(argv: Sequence[str]) -> None:
    """Read the command line, move all files, and print what came of them."""
    parser = argparse.ArgumentParser(prog="bench import_trees", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with the files")
    parser.add_argument("--postgres", help="address of a server; else only SQLite is used")
    options = parser.parse_args(argv)
    rows = list(move(options.data, options.postgres))
    for row in rows:
        print(sentence(row))
    if any(row["faults"] for row in rows):
        sys.exit(1)


def move(data: Path, postgres: str | None) -> Iterator[dict[str, Any]]:
    """Yield what came of each file on each database."""
    with ExitStack() as stack:
        databases = [""]
        if postgres:
            databases.append(stack.enter_context(fresh_database(postgres)))
        for database_url in databases:
            environment = {"DATABASE_URL": database_url} if database_url else {}
            with tempfile.TemporaryDirectory(prefix="glassbox-bench-") as folder:
                place = Path(folder)
                run_python(place, environment, "manage.py", "migrate", "--verbosity", "0")
                names = [str((data / name).resolve()) for name in FILES]
                lines = run_python(place, environment, "-m", "bench.tree_moves", *names)
            yield from map(json.loads, lines.splitlines())


def sentence(row: dict[str, Any]) -> str:
    """Return what came of a file, with every fault on a line of its own."""
    faults = "".join(f"\n  {fault}" for fault in row["faults"])
    return (
        f"{row['file']} on {row['database']}: {row['good']} of {row['conversations']} "
        f"conversations came in, out and in again as they were ({row['turns']} turns, "
        f"{row['messages']} messages, {row['branches']} branches, {row['left_out']} messages left "
        f"out; {row['seconds']:.1f} s){faults}"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
