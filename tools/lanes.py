"""Commands side by side, a few at a time, each one's output in one piece when it has ended."""

import asyncio
import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

GRACE_S = 20.0
"""How long a command that was interrupted may take to clean up."""


@dataclass(frozen=True, slots=True)
class Job:
    """One command that runs beside others."""

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    """What it has besides the environment of this process."""


def run_jobs(jobs: Sequence[Job], lanes: int, folder: Path, logs: Path) -> list[int]:
    """Run all jobs, the first ones first, and print the output of each when it has ended.

    When this process is interrupted or asked to end, its jobs are interrupted once, as a terminal
    would, and killed with their children if they do not end.

    Args:
        jobs: to run.
        lanes: how many run at the same time.
        folder: in which they run.
        logs: folder for their output while they run.

    Returns:
        The exit codes, in the order of the jobs.

    Raises:
        KeyboardInterrupt: when this process is interrupted or asked to end.
    """
    logs.mkdir(parents=True, exist_ok=True)
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return asyncio.run(_run_all(jobs, lanes, folder, logs))
    finally:
        signal.signal(signal.SIGTERM, before)


async def _run_all(jobs: Sequence[Job], lanes: int, folder: Path, logs: Path) -> list[int]:
    free = asyncio.Semaphore(lanes)

    async def in_lane(job: Job) -> int:
        async with free:
            return await _run(job, folder, logs / f"{job.name.replace(' ', '-')}.log")

    return await asyncio.gather(*map(in_lane, jobs))


async def _run(job: Job, folder: Path, log: Path) -> int:
    print(f">>> {job.name} begins, its output grows in {log}: {' '.join(job.command)}", flush=True)
    begin = time.monotonic()
    with log.open("wb") as output:
        process = await asyncio.create_subprocess_exec(
            *job.command,
            cwd=folder,
            env={**os.environ, **job.environment},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # a terminal's Ctrl-C reaches it once, by us
        )
        try:
            code = await process.wait()
        except asyncio.CancelledError:
            await _interrupt(process)
            raise
        finally:
            _print_whole(log)
    print(f"<<< {job.name}: {time.monotonic() - begin:.0f} s, exit code {code}", flush=True)
    return code


def _print_whole(log: Path) -> None:
    print(log.read_text(encoding="utf-8", errors="replace"), end="", flush=True)


async def _interrupt(process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.send_signal(signal.SIGINT)
    try:
        await asyncio.wait_for(process.wait(), GRACE_S)
    except (TimeoutError, asyncio.CancelledError):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
