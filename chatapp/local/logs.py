"""Log files of child processes: bounded in size, and free of what was said."""

import re
from collections.abc import Callable
from pathlib import Path

MAX_BYTES = 4 * 1024 * 1024
KEPT_SUFFIX = ".1"

Keep = Callable[[str], str | None]
"""Returns what of a line may be written, or None for nothing."""

# A line of llama.cpp's own log: time, level, where, what.
LLAMA_LINE = re.compile(r"^[\d.]+ [IWE] [^{\"'`]*")
LLAMA_CRASH = re.compile(r"^\S*ggml\S*:\d+: GGML_ASSERT", re.IGNORECASE)


class LogFile:
    """Appends lines to a file; when it is full, the older half is what the `.1` file holds."""

    def __init__(self, path: Path, max_bytes: int = MAX_BYTES) -> None:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._path = path
        self._max_bytes = max_bytes
        self._open()

    def write(self, line: str) -> None:
        """Append one line."""
        if self._file.tell() > self._max_bytes:
            self._file.close()
            self._path.replace(self._path.with_name(self._path.name + KEPT_SUFFIX))
            self._open()
        self._file.write(line.encode() + b"\n")

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _open(self) -> None:
        self._path.touch(mode=0o600)
        self._file = self._path.open("ab", buffering=0)


def whole_line(line: str) -> str | None:
    """Keep a line as it is."""
    return line


def llama_line(line: str) -> str | None:
    """Keep the head of llama.cpp's own lines and drop all others.

    Its errors quote schemas and grammars of a request, which can hold words of the user: a line
    is cut where a quotation or a document begins.
    """
    if LLAMA_CRASH.match(line):
        return line
    head = LLAMA_LINE.match(line)
    return head[0].rstrip() if head else None
