"""The digest of lines that a tool printed: a log, a table, a file."""

import re
from collections.abc import Sequence

from statecore.context.cutting import ELLIPSIS, cut

FEWEST_LINES = 6
"""Fewer are read as sentences."""

_HEAD = 3
_LINE_BYTES = 200
_FAILURES = 3
_FAILURE = re.compile(
    r"\b(?:error|exception|traceback|failed|failure|fatal|panic|denied)\b"
    r"|ошибк|исключени|отказ|错误|失败|异常",
    re.IGNORECASE,
)


def lines_in(text: str) -> list[str]:
    """Return the lines of a text that hold anything."""
    return [line.rstrip() for line in text.split("\n") if line and not line.isspace()]


def digested(lines: Sequence[str]) -> str:
    """Return the first lines, the first that tell of a failure, how many there are, and the last.

    Args:
        lines: at least `FEWEST_LINES`.
    """
    middle = lines[_HEAD:-1]
    failures = [line for line in middle if _FAILURE.search(line)][:_FAILURES]
    shown = [*lines[:_HEAD], *failures, f"{ELLIPSIS} ({len(lines)} lines)", lines[-1]]
    return "\n".join(cut(line, _LINE_BYTES) for line in shown)
