"""A Valkey of the tests' own, started as the application starts its own."""

import shutil
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from chatapp.local.valkey import (
    answers,
    find_binary,
    make_socket_folder,
    remove_socket_folder,
    server_command,
    socket_url,
)
from tests.support.skips import skip_or_fail

START_DEADLINE_S = 30.0
POLL_S = 0.01


class Valkey:
    """One server with an append-only file; leaving the block ends it."""

    def __init__(self, data_dir: Path) -> None:
        self._note = data_dir / "valkey-of-tests.note"
        self._data_folder = data_dir / "valkey-of-tests"
        self._socket_folder = make_socket_folder(self._note)
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The address as REDIS_URL takes it."""
        return socket_url(self._socket_folder)

    def __enter__(self) -> Self:
        """Start, and return once it answers."""
        command = server_command(server_path(), self._socket_folder, self._data_folder)
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + START_DEADLINE_S
        while not answers(self._socket_folder):
            assert self._process.poll() is None, "Valkey ended at its start"
            assert time.monotonic() < deadline, "Valkey does not answer"
            # There is no event to wait for: another process opens the socket.
            time.sleep(POLL_S)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End it."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(START_DEADLINE_S)
        remove_socket_folder(self._note)

    def written(self) -> bytes:
        """Return everything in its append-only files."""
        return b"".join(path.read_bytes() for path in sorted(self._data_folder.rglob("*.aof")))


def server_path() -> Path:
    """Return the server of the package, else of the machine; without one, skip or fail."""
    installed = shutil.which("valkey-server") or shutil.which("redis-server")
    path = find_binary() or (Path(installed) if installed else None)
    if path is None:
        skip_or_fail("No Valkey for this machine: tests with two processes did not run.")
    return path
