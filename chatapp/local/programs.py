"""The programs of one installation: web, worker and Valkey, as the supervisor starts them."""

import sys
from collections.abc import Mapping
from pathlib import Path

from chatapp.local.children import ChildSpec
from chatapp.local.machine import LOOPBACK
from chatapp.local.valkey import server_command

# A running answer may take ten seconds to end, and the process two more to leave.
WEB_STOP_S = 12.0
WORKER_THREADS = 2


def web_program(
    project_dir: Path, data_dir: Path, port: int, environ: Mapping[str, str]
) -> ChildSpec:
    """Return the web process."""
    manage = str(project_dir / "manage.py")
    return ChildSpec(
        name="web",
        command=[sys.executable, manage, "web", "--host", LOOPBACK, "--port", str(port)],
        log_path=data_dir / "logs" / "web.log",
        folder=project_dir,
        environ=environ,
        stop_s=WEB_STOP_S,
    )


def worker_program(project_dir: Path, data_dir: Path, environ: Mapping[str, str]) -> ChildSpec:
    """Return the Celery worker, which also keeps the schedule."""
    options = {
        "--pool": "threads",
        "--concurrency": str(WORKER_THREADS),
        "--loglevel": "WARNING",
        "--schedule": str(data_dir / "run" / "schedule"),
    }
    words = [word for name, value in options.items() for word in (name, value)]
    # There is one worker: it has nobody to gossip with.
    words += ["--beat", "--without-gossip", "--without-mingle"]
    return ChildSpec(
        name="worker",
        command=[sys.executable, "-m", "celery", "--app", "chatapp", "worker", *words],
        log_path=data_dir / "logs" / "worker.log",
        folder=project_dir,
        environ=environ,
    )


def valkey_program(binary: Path, socket_folder: Path, data_dir: Path) -> ChildSpec:
    """Return Valkey, the broker and channel layer."""
    return ChildSpec(
        name="valkey",
        command=server_command(binary, socket_folder, data_dir / "valkey"),
        log_path=data_dir / "logs" / "valkey.log",
        folder=data_dir,
    )
