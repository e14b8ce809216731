"""Runs every row and writes docs/bench.md; the name of a part as the first word runs that part."""

import argparse
import asyncio
import os
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from bench import (
    anchors,
    branch_cost,
    context_data,
    context_tables,
    context_walk,
    first_token,
    import_trees,
    labels,
    plan_time,
    prompt_time,
    streams,
)
from bench.report import page, part_of, replaced_part
from bench.setting import running_application, running_provider
from tests.support.web_process import ROOT

PARTS: Mapping[str, Callable[[Sequence[str]], None]] = {
    "anchors": anchors.main,
    "labels": labels.main,
    "context": context_data.main,
    "context_walk": context_walk.main,
    "plans": plan_time.main,
    "branches": branch_cost.main,
    "prompts": prompt_time.main,
    "import_trees": import_trees.main,
}
"""What is run by its name alone."""

KEPT = (
    anchors.HEADING,
    labels.HEADING,
    context_tables.HEADING,
    plan_time.HEADING,
    branch_cost.HEADING,
    prompt_time.HEADING,
)
"""Parts of the page that the other rows leave as they are."""


def main() -> None:
    """Read the command line, measure and write."""
    if named := PARTS.get(next(iter(sys.argv[1:]), "")):
        named(sys.argv[2:])
        return
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="folder for the database; else a temporary one")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "bench.md")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="glassbox-bench-") as temporary:
        text = measure(options.data or Path(temporary))
    before = options.out.read_text(encoding="utf-8") if options.out.exists() else ""
    for heading in KEPT:
        if kept := part_of(before, heading):
            text = replaced_part(text, heading, kept)
    options.out.write_text(text, encoding="utf-8")
    print(text)


def measure(data_dir: Path) -> str:
    """Return the page of figures measured on a data folder."""
    data_dir.mkdir(parents=True, exist_ok=True)
    others = os.getloadavg()[0]
    with running_provider() as provider, running_application(data_dir, provider) as application:
        first = asyncio.run(first_token.measure(application, provider))
        loads = asyncio.run(streams.measure(application.url, provider))
    return page(first, loads, others=others)


if __name__ == "__main__":
    main()
