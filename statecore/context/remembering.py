"""Remembering: what was found out about a text is not worked out again for the next plan."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

KEPT_TEXTS = 8_192
"""Several windows of the largest models."""
LONGEST_CHARS = 20_000
"""Pasted documents are few in a window, and many of them would fill the memory of a process."""

Found = TypeVar("Found")


def remembered(function: Callable[[str], Found]) -> Callable[[str], Found]:
    """Return a function of a text that keeps its newest results, except those of long texts."""
    kept = lru_cache(maxsize=KEPT_TEXTS)(function)

    @wraps(function)
    def found(text: str) -> Found:
        return kept(text) if len(text) <= LONGEST_CHARS else function(text)

    return found
