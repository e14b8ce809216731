"""Pointers: what a phrase of the input can point back at, and the patterns of one language."""

import re
from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

from statecore.language.features import FeatureKind

PointerKind = FeatureKind | Literal["step", "item", "version", "text", "work", "message", "back"]
"""step: one of numbered instructions; item: one of any list, by its place; version: an earlier
wording of what is worked on; work: an answer by what it was asked for ("your letter"); text: an
answer by what it was called ("the sketch you gave"); message: a message by its place; back: what
was said, by its words."""

Speaker = Literal["user", "assistant"]

LAST = -1
"""The number of the last one, counted from the front."""


class Pointer(NamedTuple):
    """One phrase that points at something said before."""

    kind: PointerKind
    start: int
    """Offset in the text."""
    end: int
    """After the last character."""
    ordinal: int | None = None
    """Which one, from 1; None: whichever was last. Of a step `LAST` is the last item."""
    from_end: bool = True
    """Whether the ordinal counts back from the newest; of a step, from where the talk stands."""
    terms: frozenset[str] = frozenset()
    """Content words of the phrase that narrow what is meant."""
    speaker: Speaker | None = None
    """Whose message it must be; None where the phrase does not say."""
    is_sure: bool = True
    """Whether it points back by itself; otherwise its terms have to be found there."""


class Form(NamedTuple):
    """One shape of pointing phrases.

    Groups of its pattern, all of which may be missing: `phrase` what points, else the whole match;
    `n` a number or ordinal word; `my`, `your` whose it is; `narrow`, `after` words that narrow.
    """

    kind: PointerKind
    pattern: re.Pattern[str]
    ordinal: int | None = None
    """Where the phrase itself says which one."""
    from_end: bool = False
    """Whether its number counts back; one below zero does in any case."""
    speaker: Speaker | None = None
    is_sure: bool = True


class PointerCues(NamedTuple):
    """How one language points back."""

    script: re.Pattern[str]
    """A text without it is not looked through."""
    forms: tuple[Form, ...]
    """The more particular before the more general: what one form took, no later one takes."""
    number: Callable[[str], int | None]
    """Reads a number or ordinal word; below zero: counted from the end."""
    traps: re.Pattern[str]
    """What it covers points at nothing."""


def form(pattern: str) -> re.Pattern[str]:
    """Return the pattern of a form; case makes no difference."""
    return re.compile(pattern, re.IGNORECASE)


def numbered(beginnings: Mapping[str, int]) -> Callable[[str], int | None]:
    """Return what reads digits, letters of options, and words by how they begin."""

    def number(word: str) -> int | None:
        folded = word.casefold()
        if digits := re.match(r"\d+", folded):
            return int(digits[0]) or None
        if len(folded) == 1 and "a" <= folded <= "h":
            return ord(folded) - ord("a") + 1
        best = max((key for key in beginnings if folded.startswith(key)), key=len, default=None)
        return None if best is None else beginnings[best]

    return number
