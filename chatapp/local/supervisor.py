"""Runs everything that one installation needs, and stops all of it together."""

import asyncio
import signal
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from chatapp.local.board import StatusBoard
from chatapp.local.children import Child, ChildSpec
from chatapp.local.faults import LocalError
from chatapp.local.machine import LOOPBACK
from chatapp.local.model_service import ModelService
from chatapp.local.readiness import wait_until, web_answers
from chatapp.local.valkey import answers

BROKER_START_S = 10.0
WEB_START_S = 60.0
STOP_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")


@dataclass(frozen=True, slots=True)
class Parts:
    """What is to run, in the order of its start."""

    valkey: ChildSpec | None
    socket_folder: Path | None
    """Where Valkey's socket appears; None without Valkey."""
    prepare: Callable[[], None]
    """Brings the database up to date; called in a thread, before the web starts."""
    web: ChildSpec
    port: int
    worker: ChildSpec | None
    models: Sequence[ModelService]
    only_local: bool
    """True when nobody could answer if every local model failed."""


class Supervisor:
    """Starts the parts, keeps them running, and ends them in order on a signal."""

    def __init__(self, parts: Parts, board: StatusBoard, out: TextIO, err: TextIO) -> None:
        self._parts = parts
        self._board = board
        self._out = out
        self._err = err
        self._stop = asyncio.Event()
        self._children: dict[str, Child] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._failed_models = 0
        self._fault = ""

    async def run(self) -> int:
        """Run until a signal comes or nothing can go on; returns the exit code."""
        self._listen_to_signals()
        start = asyncio.create_task(self._guard(self._start()))
        await self._stop.wait()
        start.cancel()
        await asyncio.wait([start])
        await self._end()
        for task in (start, *self._tasks):
            # Only a mistake in this program is left in a task: it deserves its traceback.
            if not task.cancelled() and (error := task.exception()):
                raise error
        if self._fault:
            self._say(self._fault)
        return 1 if self._fault or self._failed_models else 0

    async def _start(self) -> None:
        parts = self._parts
        if parts.valkey and parts.socket_folder:
            self._keep(parts.valkey)
            folder = parts.socket_folder
            await self._expect(
                parts.valkey, lambda: asyncio.to_thread(answers, folder), BROKER_START_S
            )
        await asyncio.to_thread(parts.prepare)
        self._keep(parts.web)
        await self._expect(parts.web, lambda: web_answers(parts.port), WEB_START_S)
        self._out.write(f"Glassbox: http://{LOOPBACK}:{parts.port}/\n")
        self._out.flush()
        if parts.worker:
            self._keep(parts.worker)
        for service in parts.models:
            self._tasks.append(asyncio.create_task(self._guard(self._serve(service))))

    async def _expect(
        self, spec: ChildSpec, ready: Callable[[], Awaitable[bool]], limit_s: float
    ) -> None:
        if not await wait_until(ready, limit_s):
            raise LocalError(
                f"The {spec.name} process does not answer: the reason may be in {spec.log_path}."
            )

    async def _end(self) -> None:
        """Stop the web while models and broker are still there for it, then the rest."""
        await self._stop_child("web")
        await asyncio.gather(
            self._stop_child("worker"), *(service.stop() for service in self._parts.models)
        )
        await self._stop_child("valkey")
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._board.stop_all()

    async def _stop_child(self, name: str) -> None:
        if child := self._children.get(name):
            await child.stop()

    def _keep(self, spec: ChildSpec) -> None:
        child = Child(spec)
        self._children[spec.name] = child
        self._tasks.append(asyncio.create_task(self._guard(child.run())))

    async def _guard(self, work: Awaitable[None]) -> None:
        """Do what nothing goes on without: its failure ends the run with one sentence."""
        try:
            await work
        except LocalError as error:
            self._fault = self._fault or str(error)
            self._stop.set()
        except Exception:
            self._stop.set()
            raise

    async def _serve(self, service: ModelService) -> None:
        """Serve a model; without it the others go on, without any of them nothing does."""
        try:
            await service.run()
        except LocalError as error:
            self._failed_models += 1
            if self._parts.only_local and self._failed_models == len(self._parts.models):
                raise
            self._say(str(error))

    def _say(self, sentence: str) -> None:
        self._err.write(f"{sentence}\n")
        self._err.flush()

    def _listen_to_signals(self) -> None:
        loop = asyncio.get_running_loop()
        for number in _stop_signals():
            try:
                loop.add_signal_handler(number, self._on_signal)
            except NotImplementedError:
                # The loops of Windows take no handlers, and a plain one runs outside of the loop.
                signal.signal(number, lambda *_: loop.call_soon_threadsafe(self._on_signal))

    def _on_signal(self) -> None:
        """The first signal ends everything in order, the second at once."""
        if not self._stop.is_set():
            self._stop.set()
            return
        for child in self._children.values():
            child.kill()
        for service in self._parts.models:
            service.kill()


def _stop_signals() -> list[signal.Signals]:
    """Return the signals that end everything, as far as this system has them."""
    return [number for number in signal.Signals if number.name in STOP_SIGNALS]
