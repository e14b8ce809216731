"""What must come back word for word: corrections, refusals, names and exact values."""

import re
from functools import lru_cache

from statecore.language import chinese, english, russian
from statecore.language.values import values

_KINDS = frozenset({"code", "money", "date", "time", "email", "phone"})
"""A mere number is no exact value: "In 1907 we ate dish 7"."""
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
_CHARS = 1_000
_MEASURE = re.compile(
    r"(?<![A-Za-zА-Яа-яЁё\d.,-])\d+(?:[.,]\d+)?\s?(?:%|°\s?[CF]?|(?:kg|g|mg|km|m|cm|mm|l|ml|gb|mb|tb|kwh|kw|km/h"
    r"|lbs?|oz|ft|miles?|кг|мг|км|см|мм|мл|л|гб|м²|m²)(?!\w)|公斤|千克|公里|厘米|毫升|平方米|度)",
    re.IGNORECASE,
)
_ENGLISH, *_OTHERS = (
    [language.CUES[mark] for mark in ("correction", "refusal", "identity")]
    for language in (english, russian, chinese)
)
_SIGNS = re.compile(r"[\d@一二两三四五六七八九十百千万零〇]")

KNOWN = 16_384
"""A ledger of ten thousand entries is judged for each plan."""


@lru_cache(maxsize=KNOWN)
def is_exact(text: str) -> bool:
    """Return whether a sentence loses its use where it is not at hand word for word.

    Args:
        text: a sentence of the ledger.
    """
    begin = text[:_CHARS].replace("’", "'")
    # All marks of a sentence take ten times as long.
    cues = [*_ENGLISH, *(c for cues in _OTHERS for c in cues if _BEYOND_ASCII.search(begin))]
    if any(cue.search(begin) for cue in cues):
        return True
    # Most sentences have no sign of a value, and reading values is dear.
    if not _SIGNS.search(text):
        return False
    return bool(_MEASURE.search(text)) or any(value.kind in _KINDS for value in values(text))
