"""Keeps the state of all local model servers and writes it down for the other processes."""

import time
from pathlib import Path
from threading import Lock

from chatapp.local.status import ModelStatus, State, write_status

PROGRESS_STEP_S = 0.5


class StatusBoard:
    """The only writer of the status file; its methods may be called from any thread."""

    def __init__(self, data_dir: Path) -> None:
        self._data_dir = data_dir
        self._statuses: dict[str, ModelStatus] = {}
        self._lock = Lock()
        self._next_progress_s = 0.0

    def put(
        self, name: str, state: State, detail: str, *, endpoint: str = "", key: str = ""
    ) -> None:
        """Note a new state of one server."""
        with self._lock:
            self._statuses[name] = ModelStatus(state, detail, None, endpoint, key)
            write_status(self._data_dir, self._statuses)

    def progress(self, name: str, done_bytes: int, total_bytes: int) -> None:
        """Note how much of a download is here, written at most twice a second."""
        with self._lock:
            detail = f"Downloading {name}; this happens once."
            share = done_bytes / total_bytes
            self._statuses[name] = ModelStatus("downloading", detail, round(share, 3))
            if time.monotonic() >= self._next_progress_s:
                self._next_progress_s = time.monotonic() + PROGRESS_STEP_S
                write_status(self._data_dir, self._statuses)

    def state_of(self, name: str) -> State | None:
        """Return the last state noted for a server."""
        with self._lock:
            status = self._statuses.get(name)
            return status.state if status else None

    def stop_all(self) -> None:
        """Note that no server runs any more; one that failed keeps its reason."""
        with self._lock:
            for name, status in self._statuses.items():
                if status.state != "failed":
                    self._statuses[name] = ModelStatus("stopped", "Glassbox is not running.")
            write_status(self._data_dir, self._statuses)
