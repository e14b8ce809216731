"""Pointers: what a phrase of the input can point back at, and the patterns of one language."""

import re
from collections.abc import Mapping
from typing import Literal, NamedTuple

from statecore.language.features import FeatureKind

PointerKind = FeatureKind | Literal["step", "version", "message", "back"]
"""step: an item of a list or of numbered instructions, by its number; version: an earlier wording
of what is worked on; message: a message by its place; back: what was said, by its words."""

Speaker = Literal["user", "assistant"]


class Pointer(NamedTuple):
    """One phrase that points at something said before."""

    kind: PointerKind
    start: int
    """Offset in the text."""
    end: int
    """After the last character."""
    ordinal: int | None = None
    """Which one, from 1; None: whichever was last."""
    from_end: bool = True
    """Whether the ordinal counts back from the newest. Of a step: back from the step that the
    conversation has reached."""
    terms: frozenset[str] = frozenset()
    """Content words of the phrase that narrow what is meant."""
    speaker: Speaker | None = None
    """Whose message it must be; None where the phrase does not say."""


class Form(NamedTuple):
    """One shape of pointing phrases."""

    kind: PointerKind
    pattern: re.Pattern[str]
    """Its groups: `n` a number or ordinal word, `my` and `your` a possessive, `narrow` words that
    narrow; all may be missing. The phrase is the group `phrase`, or the whole match."""
    ordinal: int | None = None
    from_end: bool = True


class PointerCues(NamedTuple):
    """How one language points back."""

    forms: tuple[Form, ...]
    """The more particular before the more general: what one form took, no later one takes."""
    numbers: Mapping[str, int]
    """Ordinal and cardinal words; -1 for the last."""
    traps: re.Pattern[str]
    """Where it matches over a phrase, the phrase points at nothing."""
