"""A real worker process, as the application starts it, that a test kills."""

import os
import signal
import subprocess
import threading
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from chatapp.local.programs import worker_program
from tests.support.web_process import ROOT, STOP_DEADLINE_S, clean_environment

START_DEADLINE_S = 60.0
READY = "ready."


class WorkerProcess:
    """One worker with its schedule; leaving the block ends it."""

    def __init__(
        self, data_dir: Path, environment: Mapping[str, str], *, name: str = "worker"
    ) -> None:
        program = worker_program(ROOT, data_dir, {})
        # It says that it is ready at this level only.
        self._command = ["INFO" if word == "WARNING" else word for word in program.command]
        self._environment = clean_environment(data_dir, environment)
        self._log_path = data_dir / f"{name}.log"
        self._process: subprocess.Popen[str] | None = None
        self._ready = threading.Event()
        (data_dir / "run").mkdir(exist_ok=True)

    def __enter__(self) -> Self:
        """Start, and return once it takes work."""
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop it if it still runs."""
        if self._process is not None and self._process.poll() is None:
            self._end(signal.SIGTERM)

    @property
    def log(self) -> str:
        """Everything it has printed."""
        return self._log_path.read_text(encoding="utf-8") if self._log_path.exists() else ""

    def start(self) -> None:
        """Start the process and wait until it takes work.

        Raises:
            AssertionError: when it does not in time; with its output.
        """
        self._ready.clear()
        self._process = subprocess.Popen(
            self._command,
            cwd=ROOT,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        threading.Thread(target=self._pump, args=(self._process,), daemon=True).start()
        assert self._ready.wait(START_DEADLINE_S), f"The worker is not ready:\n{self.log}"

    def kill(self) -> None:
        """End it and its schedule without warning."""
        self._end(signal.SIGKILL)

    def _end(self, number: signal.Signals) -> None:
        assert self._process is not None
        os.killpg(self._process.pid, number)
        self._process.wait(STOP_DEADLINE_S)

    def _pump(self, process: subprocess.Popen[str]) -> None:
        """Copy its output to the log, so that the pipe never fills."""
        assert process.stdout is not None
        with process.stdout, self._log_path.open("a", encoding="utf-8") as log:
            for line in process.stdout:
                log.write(line)
                log.flush()
                if READY in line:
                    self._ready.set()
