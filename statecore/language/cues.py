"""Cues: what a sentence can be marked as, and the patterns that a language marks it by."""

import re
from collections.abc import Mapping
from typing import Literal

Mark = Literal[
    "prohibition",
    "obligation",
    "refusal",
    "correction",
    "temporary",
    "hedge",
    "condition",
    "question",
    "small_talk",
    "identity",
    "preference",
    "decision",
    "goal",
    "task",
    "value",
    "request",
]
"""prohibition, obligation: told to the assistant or binding for the matter, not reported of the
world; request: what the next answer shall be; value: an exact value stands in it."""

Cues = Mapping[Mark, re.Pattern[str]]


def cue(*patterns: str) -> re.Pattern[str]:
    """Return one pattern of several; longer cues stand before shorter ones they begin with."""
    return re.compile("|".join(patterns), re.IGNORECASE)


def words(*patterns: str) -> re.Pattern[str]:
    """Return one pattern of several, each of whole words."""
    return re.compile(rf"\b(?:{'|'.join(patterns)})(?!\w)", re.IGNORECASE)


def whole(*patterns: str) -> re.Pattern[str]:
    """Return a pattern of a sentence that is made of these phrases and nothing else."""
    return re.compile(rf"\A\W*(?:(?:{'|'.join(patterns)})(?!\w)\W*){{1,4}}\Z", re.IGNORECASE)
