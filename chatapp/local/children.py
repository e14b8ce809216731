"""One child process: started bound to this one, restarted when it crashes, ended with its group."""

import asyncio
import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread

from chatapp.local.faults import LocalError
from chatapp.local.logs import Keep, LogFile, whole_line

BOUND = Path(__file__).with_name("bound.py")
FIRST_DELAY_S = 0.5
LONGEST_DELAY_S = 30.0
STEADY_S = 30.0
QUICK_DEATHS = 3
LONGEST_LINE = 64 * 1024
POSIX = os.name == "posix"
LAST_SIGNAL = signal.SIGKILL if POSIX else signal.SIGTERM


@dataclass(frozen=True, slots=True)
class ChildSpec:
    """How to run one child."""

    name: str
    """What people call it; also the name of its log file."""
    command: Sequence[str]
    log_path: Path
    folder: Path
    """Where it runs."""
    environ: Mapping[str, str] = field(default_factory=dict)
    """Added to this process's own variables; secrets travel here, never in the command."""
    stop_s: float = 5.0
    """Time between SIGTERM and SIGKILL."""
    keep: Keep = whole_line
    """What of a line of output may go into the log."""
    on_line: Callable[[str], None] | None = None
    """Told every line of output, from a thread."""
    on_exit: Callable[[], None] | None = None
    """Told whenever the process ended without being asked to."""


class Child:
    """Keeps one process running until it is stopped."""

    def __init__(self, spec: ChildSpec) -> None:
        self.spec = spec
        self._process: asyncio.subprocess.Process | None = None
        self._stopping = asyncio.Event()
        self._starting = asyncio.Lock()
        self._last_line = ""

    async def run(self) -> None:
        """Start the process again and again, later each time, until `stop` is called.

        Raises:
            LocalError: when it ended quickly several times in a row.
        """
        delay_s = FIRST_DELAY_S
        quick_deaths = 0
        while not self._stopping.is_set():
            started_s = time.monotonic()
            code = await self._run_once()
            if self._stopping.is_set():
                return
            if self.spec.on_exit:
                self.spec.on_exit()
            if time.monotonic() - started_s >= STEADY_S:
                delay_s, quick_deaths = FIRST_DELAY_S, 0
            quick_deaths += 1
            if quick_deaths >= QUICK_DEATHS:
                raise LocalError(
                    f"The {self.spec.name} process ended {QUICK_DEATHS} times in a row (exit code "
                    f"{code}, last words: {self._last_line or 'none'}); more in "
                    f"{self.spec.log_path}."
                )
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), delay_s)
            delay_s = min(2 * delay_s, LONGEST_DELAY_S)

    async def stop(self) -> None:
        """End the process and all that it started: first politely, then for certain."""
        self._stopping.set()
        async with self._starting:
            process = self._process
        if process is None or process.returncode is not None:
            return
        self._signal(signal.SIGTERM)
        try:
            await asyncio.wait_for(process.wait(), self.spec.stop_s)
        except TimeoutError:
            self.kill()
            await process.wait()

    def kill(self) -> None:
        """End the process and its group at once."""
        self._stopping.set()
        self._signal(LAST_SIGNAL)

    async def _run_once(self) -> int:
        async with self._starting:
            if self._stopping.is_set():
                return 0
            process, reader = await self._start()
            self._process = process
        copying = Thread(target=self._copy_output, args=(reader,), daemon=True)
        copying.start()
        code = await process.wait()
        # What the process itself started must not outlive it, nor keep its output open.
        self._signal(LAST_SIGNAL)
        await asyncio.to_thread(copying.join)
        return code

    async def _start(self) -> tuple[asyncio.subprocess.Process, int]:
        """Start the process; returns it and the end of the pipe that its output comes from."""
        reader, writer = os.pipe()
        try:
            return await self._spawn(writer), reader
        except BaseException:
            os.close(reader)
            raise
        finally:
            os.close(writer)

    async def _spawn(self, output: int) -> asyncio.subprocess.Process:
        command = list(self.spec.command)
        if POSIX:
            command = [sys.executable, "-I", "-S", str(BOUND), str(os.getpid()), *command]
        return await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            # A pipe of our own: asyncio's would hide the end of a process whose children live on.
            stdout=output,
            stderr=output,
            cwd=self.spec.folder,
            env={**os.environ, **self.spec.environ},
            # Its own group: Ctrl-C in the terminal reaches the supervisor alone, which keeps the
            # order, and ending the group leaves no orphan.
            process_group=0 if POSIX else None,
        )

    def _copy_output(self, reader: int) -> None:
        log = LogFile(self.spec.log_path)
        with os.fdopen(reader, encoding="utf-8", errors="replace") as output:
            while line := output.readline(LONGEST_LINE):
                self._take_line(line.rstrip("\r\n"), log)
        log.close()

    def _take_line(self, line: str, log: LogFile) -> None:
        if (kept := self.spec.keep(line)) is not None:
            log.write(kept)
            self._last_line = kept.strip() or self._last_line
        if self.spec.on_line:
            self.spec.on_line(line)

    def _signal(self, number: signal.Signals) -> None:
        if self._process is None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if POSIX:
                os.killpg(self._process.pid, number)
            else:
                self._process.send_signal(number)
