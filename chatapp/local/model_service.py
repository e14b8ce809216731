"""Brings one local model up: weights first, then its server; says on the board how far it is."""

import asyncio
import secrets
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from chatapp.local.board import StatusBoard
from chatapp.local.catalogue import LocalModel
from chatapp.local.children import Child, ChildSpec
from chatapp.local.faults import Cancelled, LocalError
from chatapp.local.llama_server import KEY_VARIABLE, LISTENS
from chatapp.local.logs import llama_line
from chatapp.local.weights import Progress, ensure_weights, weights_are_here

SERVER_MODULE = "chatapp.local.llama_server"


@dataclass(frozen=True, slots=True)
class Serving:
    """Which model is served, and how."""

    model: LocalModel
    window_tokens: int
    data_dir: Path
    project_dir: Path
    """Where the server's module is found."""


class ModelService:
    """One local model from its first byte to the end of its server."""

    def __init__(
        self,
        serving: Serving,
        board: StatusBoard,
        on_progress: Progress,
        ensure: Callable[..., Path] = ensure_weights,
    ) -> None:
        self.name = serving.model.name
        self._serving = serving
        self._board = board
        self._on_progress = on_progress
        self._ensure = ensure
        self._cancelled = Event()
        self._child: Child | None = None

    async def run(self) -> None:
        """Serve the model until `stop` is called.

        Raises:
            LocalError: when it cannot be had; the board says why.
        """
        try:
            weights = await asyncio.to_thread(self._fetch)
            if self._cancelled.is_set():
                return
            self._child = Child(self._spec(weights))
            await self._child.run()
        except Cancelled:
            self._board.put(self.name, "stopped", "The download was stopped.")
        except LocalError as error:
            self._board.put(self.name, "failed", str(error))
            raise

    async def stop(self) -> None:
        """Break off the download or end the server."""
        self._cancelled.set()
        if self._child:
            await self._child.stop()

    def kill(self) -> None:
        """The same, at once."""
        self._cancelled.set()
        if self._child:
            self._child.kill()

    def _fetch(self) -> Path:
        model = self._serving.model
        if weights_are_here(self._serving.data_dir, model):
            self._starting()
        return self._ensure(
            self._serving.data_dir, model, on_progress=self._progress, cancelled=self._cancelled
        )

    def _progress(self, done_bytes: int, total_bytes: int) -> None:
        self._board.progress(self.name, done_bytes, total_bytes)
        self._on_progress(done_bytes, total_bytes)

    def _starting(self) -> None:
        self._board.put(self.name, "starting", f"{self.name} is being read into memory.")

    def _spec(self, weights: Path) -> ChildSpec:
        model = self._serving.model
        key = secrets.token_urlsafe(24)
        self._starting()

        def on_line(line: str) -> None:
            if line.startswith(LISTENS):
                endpoint = f"{line.removeprefix(LISTENS).strip()}/v1"
                detail = f"{self.name} answers."
                self._board.put(self.name, "ready", detail, endpoint=endpoint, key=key)

        return ChildSpec(
            name=self.name,
            command=[
                *(sys.executable, "-m", SERVER_MODULE, str(weights), "--name", self.name),
                *("--window", str(self._serving.window_tokens), "--slots", str(model.slots)),
                *("--cache-ram-mib", str(model.cache_ram_mib)),
            ],
            log_path=self._serving.data_dir / "logs" / f"{self.name}.log",
            folder=self._serving.project_dir,
            environ={KEY_VARIABLE: key},
            keep=llama_line,
            on_line=on_line,
            on_exit=self._starting,
        )
