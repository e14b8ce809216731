"""How many tokens a text has for a tokenizer that nobody knows, told by its scripts.

The weights were measured: they stand near the largest of three common vocabularies (cl100k_base,
o200k_base and Qwen 2.5), so that the figure is rather too high than too low for any script. For
a newer vocabulary it may be several times too high for Georgian or Tamil; what a provider reports
corrects that after one answer.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable
from math import ceil
from typing import Final

_RANGES: Final[tuple[tuple[int, str], ...]] = (
    (0x00, "n"),  # controls
    (0x20, "s"),
    (0x21, "p"),
    (0x30, "d"),
    (0x3A, "p"),
    (0x41, "U"),
    (0x5B, "p"),
    (0x61, "l"),
    (0x7B, "p"),
    (0xA0, "s"),
    (0xA1, "y"),
    (0xC0, "x"),
    (0x100, "X"),
    (0x2B0, "y"),
    (0x300, "a"),  # accents apart from their letter
    (0x370, "g"),
    (0x400, "C"),
    (0x410, "c"),
    (0x450, "C"),
    (0x530, "m"),
    (0x590, "h"),
    (0x600, "A"),
    (0x621, "r"),
    (0x653, "A"),
    (0x660, "2"),  # Arabic digits
    (0x66A, "A"),
    (0x700, "2"),
    (0x900, "v"),
    (0x980, "b"),
    (0xC00, "i"),
    (0xE00, "t"),
    (0xE80, "i"),
    (0x10A0, "m"),
    (0x1100, "3"),
    (0x1E00, "w"),
    (0x1F00, "3"),
    (0x2000, "y"),
    (0x2190, "Y"),
    (0x2C00, "3"),
    (0x3000, "y"),
    (0x3040, "k"),
    (0x3100, "3"),
    (0x3400, "R"),  # told apart below
    (0xA000, "3"),
    (0xAC00, "o"),
    (0xD7B0, "3"),
    (0xF900, "R"),
    (0xFB00, "3"),
    (0xFE00, "a"),
    (0xFE10, "y"),
    (0xFE70, "3"),
    (0xFF00, "f"),
    (0x10000, "4"),
    (0x1F000, "e"),
    (0x1FB00, "4"),
)
"""Where a kind of characters begins; it goes on to the next one."""

_STARTS: Final = [start for start, _ in _RANGES]
_HAN: Final = range(0x3400, 0xA000)
_JOINER: Final = 0x200D

_WEIGHTS: Final[dict[str, float]] = {
    "x": 0.95,  # this and the next two beside their share of a word
    "X": 1.30,
    "w": 0.70,
    "y": 1.00,
    "Y": 1.70,
    "a": 1.40,
    "d": 0.90,  # many vocabularies give each digit a token
    "g": 1.00,
    "c": 0.51,
    "C": 2.00,
    "m": 2.00,
    "h": 1.08,
    "r": 0.80,
    "A": 1.80,
    "2": 1.80,
    "v": 1.22,
    "b": 1.40,
    "i": 1.85,
    "t": 0.85,
    "3": 2.70,
    "4": 3.60,
    "k": 0.85,
    "H": 1.25,
    "T": 2.10,
    "R": 2.80,
    "o": 1.10,
    "f": 1.30,
    "e": 2.50,
}
"""Tokens of one character of a kind; Latin words, punctuation and space are counted as runs."""

_SCRIPTS: Final[tuple[tuple[str, str], ...]] = (
    ("cyrillic", "cC"),
    ("greek", "g"),
    ("hebrew", "h"),
    ("arabic", "rA"),
    ("indic", "vb"),
    ("caucasian", "m"),
    ("thai", "t"),
    ("asian", "i"),
    ("cjk", "HTRkf"),
    ("hangul", "o"),
    ("emoji", "eY"),
    ("other", "234a"),
)
"""Scripts whose texts vocabularies treat alike, by the kinds of their characters."""

LATIN: Final = "latin"
"""Also what has no letters: marks, digits, space."""

_SAMPLE: Final = 300
"""Characters that tell the script of a text, and its tokens for each character."""

_WORD: Final = re.compile("[lUxXw]+")
_MARKS: Final = re.compile("p+")
_GAP: Final = re.compile("[sn]{2,}|n")
_NOT_PLAIN: Final = frozenset("xXwU")
_WORD_TOKENS: Final = 0.50
_LETTER_TOKENS: Final = 0.27
_ENGLISH_LETTER_TOKENS: Final = 0.12
_HUMP_TOKENS: Final = 1.20
_MARKS_TOKENS: Final = 0.65
_MARK_TOKENS: Final = 0.20
_GAP_TOKENS: Final = 1.30
_LONG_GAP: Final = 40

_ENGLISH_WORDS: Final = (" the ", " and ", " to ", " of ", " you ", " that ", " with ", " for ")
_ENGLISH_SHARE: Final = 0.12
"""Vocabularies are made of English most of all: its words are shorter in tokens."""


class _Kinds(dict[int, str]):
    """The kind of each character, found once."""

    def __missing__(self, code: int) -> str:
        kind = _kind(code)
        if code < 0x10000:  # noqa: PLR2004  # beyond it there is room for a million entries
            self[code] = kind
        return kind


def _kind(code: int) -> str:
    if code in _HAN:
        return _han_kind(chr(code))
    if code == _JOINER:
        return "a"
    return _RANGES[bisect_right(_STARTS, code) - 1][1]


def _han_kind(character: str) -> str:
    """Return how common a Chinese character is; the old encodings are sorted by that."""
    encoded = character.encode("gb2312", "ignore")
    if encoded and encoded[0] < 0xD8:  # noqa: PLR2004  # the first level of GB 2312
        return "H"
    encoded = encoded or character.encode("big5", "ignore")
    return "T" if encoded and encoded[0] < 0xC9 else "R"  # noqa: PLR2004  # of Big5


_KINDS: Final = _Kinds()


def estimate(text: str) -> int:
    """Return about how many tokens a text has, whatever its script; at least 1 for any text."""
    kinds = text.translate(_KINDS)
    tokens = sum(kinds.count(kind) * weight for kind, weight in _WEIGHTS.items())
    tokens += _word_tokens(text, kinds)
    tokens += _MARKS_TOKENS * len(_MARKS.findall(kinds)) + _MARK_TOKENS * kinds.count("p")
    # A space belongs to the word behind it, but to no number and no Chinese character.
    tokens += sum(map(kinds.count, ("sd", "sH", "sT", "sR")))
    tokens += sum(_GAP_TOKENS + len(gap) // _LONG_GAP for gap in _GAP.findall(kinds))
    return max(ceil(tokens), 1) if text else 0


def script_of(text: str) -> str:
    """Return the script that takes most of the tokens of a text, told by its beginning."""
    kinds = text[:_SAMPLE].translate(_KINDS)
    best, most = LATIN, _LETTER_TOKENS * sum(map(kinds.count, "lUxXw"))
    for script, letters in _SCRIPTS:
        tokens = sum(kinds.count(kind) * _WEIGHTS[kind] for kind in letters)
        if tokens > most:
            best, most = script, tokens
    return best


def tokens_by_script(texts: Iterable[str]) -> dict[str, int]:
    """Return about how many tokens of some texts are in each script, told by their beginnings."""
    found: defaultdict[str, int] = defaultdict(int)
    for text in texts:
        sample = text[:_SAMPLE]
        if sample:
            found[script_of(text)] += estimate(sample) * len(text) // len(sample)
    return dict(found)


def _word_tokens(text: str, kinds: str) -> float:
    words = _WORD.findall(kinds)
    if not words:
        return 0.0
    common = sum(text.count(word) for word in _ENGLISH_WORDS)
    english = min(1.0, common / len(words) / _ENGLISH_SHARE)
    # A word with accents or capitals inside is no English one, whatever stands around it.
    plain = sum(len(word) for word in words if _NOT_PLAIN.isdisjoint(word[1:]))
    saved = english * plain * (_LETTER_TOKENS - _ENGLISH_LETTER_TOKENS)
    letters = sum(map(len, words))
    tokens = len(words) * _WORD_TOKENS + letters * _LETTER_TOKENS - saved
    return tokens + kinds.count("lU") * _HUMP_TOKENS
