"""Joins characters that a server has cut into two JSON escapes of half a character each."""

import re

_SURROGATE = re.compile("[\ud800-\udfff]")


class SurrogateJoiner:
    """Joins the deltas of one text; half a character waits for its other half."""

    __slots__ = ("_half",)

    def __init__(self) -> None:
        self._half = ""

    def join(self, text: str) -> str:
        """Return the text with whole characters only; a half at its end is held back."""
        if text.isascii() and not self._half:
            return text
        text = self._half + text
        self._half = ""
        if "\ud800" <= text[-1:] <= "\udbff":
            self._half = text[-1]
            text = text[:-1]
        return whole_characters(text)

    def flush(self) -> str:
        """Return what stands for a half that was never completed."""
        half, self._half = self._half, ""
        return whole_characters(half)


def whole_characters(text: str) -> str:
    """Return the text with halves joined, and with U+FFFD where the other half is missing."""
    if not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
