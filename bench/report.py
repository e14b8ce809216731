"""Writes the measured figures as a Markdown page."""

import platform
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from bench.first_token import FirstToken
from bench.streams import LIMIT_MS, Load
from tests.support.web_process import ROOT

HEAD = """# Measured

Made by `make bench`; do not edit. One web process (Daphne), SQLite, Valkey, a scripted provider
over real HTTP without delay, all on one machine with the measuring client.
"""


def page(first: Sequence[FirstToken], loads: Sequence[Load], *, others: float) -> str:
    """Return the page.

    Args:
        first: times to the first token, one kind of conversation each.
        loads: numbers of streams.
        others: load average of the machine before anything was measured.
    """
    return "\n".join((HEAD, setting(others), first_token_part(first), streams_part(loads)))


def replaced_part(text: str, heading: str, part: str) -> str:
    """Return a page with one part written anew, at its end if it was not there."""
    others = text.replace(part_of(text, heading), "").rstrip("\n")
    return f"{others}\n\n{part.rstrip()}\n"


def part_of(text: str, heading: str) -> str:
    """Return a part of a page, from its heading to the next; empty where it is missing."""
    before, found, after = text.partition(f"{heading}\n")
    if not found or (before and not before.endswith("\n")):
        return ""
    return heading + "\n" + after.split("\n## ")[0].rstrip("\n")


def setting(others: float) -> str:
    """Return when, what and on which machine."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"],  # noqa: S607  # whichever git made the checkout
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    ).stdout.strip()
    day = datetime.now(UTC).date().isoformat()
    cores = len(Path("/proc/cpuinfo").read_text(encoding="utf-8").split("processor\t")) - 1
    return (
        f"{day}, commit {commit or 'unknown'}, Python {platform.python_version()}, {cores} cores; "
        f"load average before the start {others:.1f} (on an idle machine near 0).\n"
    )


def first_token_part(first: Sequence[FirstToken]) -> str:
    """Return the table of row 1."""
    rows = "\n".join(
        f"| {kind} | {through} | {straight} | {through.less(straight)} |"
        for kind, through, straight in first
    )
    return f"""## Time to the first token

From the post to the first text on the socket, against the same request sent straight to the same
provider with the official client, in turns; median / p95 of 50.

| conversation | through the application | straight | added |
|---|---|---|---|
{rows}
"""


def streams_part(loads: Sequence[Load]) -> str:
    """Return the table of row 2."""
    kept = [load.streams for load in loads if load.lateness.p95_ms < LIMIT_MS]
    rows = "\n".join(f"| {load.streams} | {load.lateness} | {load.tokens} |" for load in loads)
    return f"""## Streams at once

Streams of 50 tokens a second; from the moment the provider sends a token to its arrival on the
socket, median / p95. Greatest number with a p95 under {LIMIT_MS:g} ms: **{max(kept, default=0)}**.

| streams | lateness of a token | tokens measured |
|---|---|---|
{rows}
"""
