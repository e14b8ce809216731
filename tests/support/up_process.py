"""`manage.py up`, everything that one installation needs, as a person starts it."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.support.web_process import ROOT

ADDRESS = re.compile(r"Glassbox: (http://\S+?)/?\s*$", re.MULTILINE)
START_DEADLINE_S = 120.0
STOP_DEADLINE_S = 40.0


class UpProcess:
    """The whole application under its supervisor."""

    def __init__(self, data_dir: Path, environment: Mapping[str, str]) -> None:
        self.data_dir = data_dir
        self._environment = {
            **{name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ},
            **{name: text for name, text in os.environ.items() if name.startswith("PIP_")},
            "DATA_DIR": str(data_dir),
            **environment,
        }
        self._lines: list[str] = []
        self._news = threading.Condition()
        self._process: subprocess.Popen[str] | None = None
        self.url = ""

    def __enter__(self) -> Self:
        """Start, and return once the page is up; the model may take longer."""
        self._process = subprocess.Popen(
            [sys.executable, "manage.py", "up"],
            cwd=ROOT,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        threading.Thread(target=self._read, daemon=True).start()
        self.url = self._wait_address()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Make sure that nothing is left running."""
        if self._process is not None and self._process.poll() is None:
            self.interrupt()

    @property
    def output(self) -> str:
        """Everything it has printed."""
        return "".join(self._lines)

    def interrupt(self) -> int:
        """Press Ctrl-C, wait, and return the exit code."""
        assert self._process is not None
        self._process.send_signal(signal.SIGINT)
        return self._process.wait(STOP_DEADLINE_S)

    def _read(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        for line in self._process.stdout:
            with self._news:
                self._lines.append(line)
                self._news.notify_all()
        with self._news:
            self._lines.append("")
            self._news.notify_all()

    def _wait_address(self) -> str:
        deadline = time.monotonic() + START_DEADLINE_S
        with self._news:
            while time.monotonic() < deadline:
                if found := ADDRESS.search(self.output):
                    return found.group(1)
                assert self._process is not None
                ended = self._process.poll() is not None
                assert not ended, f"It ended before it was up:\n{self.output}"
                self._news.wait(1.0)
        raise AssertionError(f"No address in {START_DEADLINE_S:g} s:\n{self.output}")
