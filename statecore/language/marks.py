"""Marks: what the words of a sentence say it is, without a model, in three languages."""

import re
from collections.abc import Iterator, Mapping

from statecore.language import chinese, english, russian
from statecore.language.cues import Mark
from statecore.language.quotes import without_quotes
from statecore.language.values import values

__all__ = ["Mark", "marks"]

_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_CHINESE = re.compile(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]")
_FENCED = re.compile(r"(?:```|~~~).*?(?:```|~~~|\Z)", re.DOTALL)
_FOLDED = str.maketrans({"’": "'", "ё": "е", "Ё": "Е", "\u00a0": " ", "\n": " "})
_ORDINAL = re.compile(r"(?:st|nd|rd|th|-?(?:й|я|е|го|ый|ой|ая|ое))(?!\w)")
_LONGEST = 1_000
"""Cues of one sentence stand near its begin; more of a pasted document is not looked through."""


def marks(text: str) -> frozenset[Mark]:
    """Return what the cues of all three languages say of one sentence.

    Words in quotation marks or code are mentioned, not meant, and mark nothing. A text can mix
    languages, so each is looked for.
    """
    if text.startswith(">"):
        return frozenset()
    meant = without_quotes(_FENCED.sub(" ", text[:_LONGEST])).translate(_FOLDED).strip()
    found = {mark for cues in _languages(meant) for mark, cue in cues.items() if cue.search(meant)}
    if has_value(meant):
        found.add("value")
    return frozenset(found)


def _languages(text: str) -> Iterator[Mapping[Mark, re.Pattern[str]]]:
    """Yield the cues that can be in a text: without its letters a language says nothing."""
    yield english.CUES
    if _CYRILLIC.search(text):
        yield russian.CUES
    if _CHINESE.search(text):
        yield chinese.CUES


def has_value(text: str) -> bool:
    """Return whether a text holds an exact value; "the 2nd one" names a place, no value."""
    return any(
        value.kind != "number" or not _ORDINAL.match(text, value.end) for value in values(text)
    )
