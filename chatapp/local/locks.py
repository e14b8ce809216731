"""A lock on a file: held by one process, freed by the system when that process ends."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from chatapp.local.faults import Busy

if sys.platform == "win32":
    import msvcrt

    def _take(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _take(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def file_lock(path: Path, holder: str) -> Iterator[None]:
    """Hold the lock of a file for the length of the block.

    Args:
        path: the lock file; it stays behind, since removing it would let two processes in.
        holder: the sentence to fail with when another process has it.

    Raises:
        Busy: when another process holds it.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            _take(handle)
        except OSError as error:
            raise Busy(holder) from error
        yield
    finally:
        os.close(handle)
