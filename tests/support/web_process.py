"""Real processes that serve the application, as a test starts, stops and kills them."""

import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from http.client import HTTPConnection
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[2]
START_DEADLINE_S = 60.0
STOP_DEADLINE_S = 30.0
POLL_S = 0.05
KEPT_VARIABLES = ("PATH", "HOME", "LANG", "COVERAGE_PROCESS_CONFIG", "PYTHONPATH")


WEB = (sys.executable, "manage.py", "web", "--host", "127.0.0.1", "--port", "0")


class WebProcess:
    """One process that serves the page, on a data folder that several may share."""

    def __init__(
        self,
        data_dir: Path,
        environment: Mapping[str, str],
        *,
        name: str = "web",
        command: Sequence[str] = WEB,
        folder: Path = ROOT,
        start_deadline_s: float = START_DEADLINE_S,
    ) -> None:
        self._command = command
        self._folder = folder
        self._environment = clean_environment(data_dir, environment)
        self._log_path = data_dir / f"{name}.log"
        self._start_deadline_s = start_deadline_s
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.Queue[str | None] = queue.Queue()
        self.url = ""

    def __enter__(self) -> Self:
        """Start, and return once it answers."""
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop it if it still runs; properly, so that it can write what it has measured."""
        if self.is_running:
            self.terminate()

    @property
    def is_running(self) -> bool:
        """Whether the process is there."""
        return self._process is not None and self._process.poll() is None

    @property
    def log(self) -> str:
        """Everything it has printed."""
        return self._log_path.read_text(encoding="utf-8") if self._log_path.exists() else ""

    def start(self) -> None:
        """Start the process and wait until it answers.

        Raises:
            AssertionError: when it ends or does not answer in time; with its output.
        """
        self._lines = queue.Queue()
        self._process = subprocess.Popen(
            self._command,
            cwd=self._folder,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        threading.Thread(target=self._pump, args=(self._process,), daemon=True).start()
        deadline = time.monotonic() + self._start_deadline_s
        self.url = self._read_address(deadline)
        self._wait_healthy(deadline)

    def terminate(self) -> int:
        """Ask it to end and wait; return its exit code."""
        return self._end(signal.SIGTERM)

    def kill(self) -> int:
        """End it without warning; return its exit code."""
        return self._end(signal.SIGKILL)

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal to the process and its children, as a terminal does; do not wait."""
        assert self._process is not None
        os.killpg(self._process.pid, number)

    def wait(self, deadline_s: float = STOP_DEADLINE_S) -> int:
        """Wait until it has ended; return its exit code."""
        assert self._process is not None
        return self._process.wait(deadline_s)

    def _end(self, number: signal.Signals) -> int:
        self.send_signal(number)
        return self.wait()

    def _pump(self, process: subprocess.Popen[str]) -> None:
        """Copy its output to the log, so that the pipe never fills."""
        assert process.stdout is not None
        with process.stdout, self._log_path.open("a", encoding="utf-8") as log:
            for line in process.stdout:
                log.write(line)
                log.flush()
                self._lines.put(line)
        self._lines.put(None)

    def _read_address(self, deadline: float) -> str:
        while (left_s := deadline - time.monotonic()) > 0:
            try:
                line = self._lines.get(timeout=left_s)
            except queue.Empty:
                break
            assert line is not None, f"The web process ended:\n{self.log}"
            if address := find_address(line):
                return address
        raise AssertionError(f"The web process printed no address:\n{self.log}")

    def _wait_healthy(self, deadline: float) -> None:
        while time.monotonic() < deadline:
            assert self.is_running, f"The web process ended:\n{self.log}"
            if is_healthy(self.url):
                return
            # There is no event to wait for: another process opens the port.
            time.sleep(POLL_S)
        raise AssertionError(f"The web process does not answer:\n{self.log}")


def clean_environment(data_dir: Path, more: Mapping[str, str]) -> dict[str, str]:
    """Return an environment with nothing of the machine but what a process needs to start."""
    kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
    return {
        **kept,
        "DATA_DIR": str(data_dir),
        "GLASSBOX_LOCAL_USER": "1",
        "PYTHONUNBUFFERED": "1",
        **more,
    }


def find_address(line: str) -> str | None:
    """Return the address in a line of output, if there is one."""
    words = [word.rstrip("/.") for word in line.split() if word.startswith("http://")]
    return next((word for word in words if (urlsplit(word).port or 0) > 0), None)


def is_healthy(url: str) -> bool:
    """Return whether /healthz answers 200."""
    parts = urlsplit(url)
    connection = HTTPConnection(parts.hostname or "", parts.port, timeout=2)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


def run_python(data_dir: Path, environment: Mapping[str, str], *arguments: str) -> str:
    """Run Python under an installation's settings and return what it printed.

    Raises:
        AssertionError: when it fails; with all its output.
    """
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=clean_environment(data_dir, environment),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{' '.join(arguments)}: {done.stdout}{done.stderr}"
    return done.stdout
