"""Asks the machine for memory, disk, a port and a folder before anything is started."""

import errno
import os
import shutil
import socket
from pathlib import Path

from chatapp.local.catalogue import GIB, MIB, LocalModel
from chatapp.local.faults import LocalError

LOOPBACK = "127.0.0.1"
DISK_MARGIN_BYTES = 256 * MIB
MEMINFO = Path("/proc/meminfo")
CGROUP = Path("/sys/fs/cgroup")


def free_memory_bytes(meminfo: Path = MEMINFO, cgroup: Path = CGROUP) -> int | None:
    """Return the memory that a new process can get, or None where the system does not say."""
    found = [size for size in (_available(meminfo), _left_in_cgroup(cgroup)) if size is not None]
    return min(found, default=None)


def require_memory(models: list[LocalModel], free_bytes: int | None) -> None:
    """Stop when the largest of the models does not fit.

    Raises:
        LocalError: says how much is missing and what to do.
    """
    if free_bytes is None or not models:
        return
    largest = max(models, key=lambda model: model.memory_bytes)
    if free_bytes < largest.memory_bytes:
        raise LocalError(
            f"The local model {largest.name} needs {_gib(largest.memory_bytes)} of free memory and "
            f"this machine has {_gib(free_bytes)}: close other programs, take the small model "
            f"(make run MODEL=small), or set OPENAI_API_KEY or GLASSBOX_MODELS."
        )


def require_disk(folder: Path, needed_bytes: int, purpose: str) -> None:
    """Stop when a folder's disk has too little room.

    Raises:
        LocalError: says how much is missing.
    """
    if needed_bytes <= 0:
        return
    wanted = needed_bytes + DISK_MARGIN_BYTES
    free = shutil.disk_usage(folder).free
    if free < wanted:
        raise LocalError(
            f"{purpose} needs {_gib(wanted)} of free disk space in {folder} and there is "
            f"{_gib(free)}: free some space or set DATA_DIR to a folder on another disk."
        )


def require_port(port: int) -> int:
    """Return the port if a server can listen on it, or a free one for 0.

    Raises:
        LocalError: when it is taken or not allowed.
    """
    with socket.socket() as probe:
        if os.name == "posix":
            # As the web server does: a port in TIME_WAIT is free, one with a listener is not.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError as error:
            reason = "not allowed" if error.errno == errno.EACCES else "already in use"
            raise LocalError(
                f"Port {port} is {reason}: choose another one, for example make run PORT=8001."
            ) from error
        return int(probe.getsockname()[1])


def require_folder(folder: Path) -> None:
    """Stop when a folder or what lies in it directly cannot be written by this user.

    Raises:
        LocalError: names the path.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        paths = [folder, *folder.iterdir()]
    except OSError as error:
        raise LocalError(f"The folder {folder} cannot be used: {error.strerror}.") from error
    for path in paths:
        if not os.access(path, os.W_OK):
            raise LocalError(
                f"{path} cannot be written by this user, perhaps because another user (root) made "
                f"it: change its owner or set DATA_DIR to another folder."
            )


def _available(meminfo: Path) -> int | None:
    try:
        lines = meminfo.read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    for line in lines:
        name, _, rest = line.partition(":")
        if name == "MemAvailable":
            return int(rest.split()[0]) * 1024
    return None


def _left_in_cgroup(cgroup: Path) -> int | None:
    """Return what a container's limit leaves; the page cache counts as used there, but can go."""
    try:
        limit = (cgroup / "memory.max").read_text(encoding="ascii").strip()
        used = int((cgroup / "memory.current").read_text(encoding="ascii"))
        stat = (cgroup / "memory.stat").read_text(encoding="ascii")
    except OSError:
        return None
    if limit == "max":
        return None
    counters = dict(line.split() for line in stat.splitlines())
    cache = int(counters.get("inactive_file", 0)) + int(counters.get("active_file", 0))
    return int(limit) - used + cache


def _gib(size_bytes: int) -> str:
    return f"{size_bytes / GIB:.1f} GB"
