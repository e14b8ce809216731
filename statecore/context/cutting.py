"""Cutting: how a text is shortened so that it stays readable and says that it was shortened."""

import re
import unicodedata

ELLIPSIS = "…"

_SIGN = re.compile(r"\[… \d+ characters left out\]\Z")
_JOINER = "\u200d"
_SKIN_TONES = range(0x1F3FB, 0x1F400)
_FLAG_LETTERS = range(0x1F1E6, 0x1F200)
_SPACE_BEFORE = 24
"""How far back a space is looked for, so that no word is cut."""
_FEWEST_SAVED_BYTES = 16
_LEAST_PART_SAVED = 4
"""One part in four must be gained; less is not worth what a reader loses."""


def size(text: str) -> int:
    """Return the bytes of a text: a fair measure of what it costs in any script."""
    return len(text.encode(errors="surrogatepass"))


def cut(text: str, limit_bytes: int) -> str:
    """Return the beginning of a text, cut between words and never inside a character.

    Args:
        text: of any length.
        limit_bytes: of the result, without the ellipsis that ends it where something was cut.
    """
    if len(text) <= limit_bytes and size(text) <= limit_bytes:
        return text
    head = text[:limit_bytes].encode(errors="surrogatepass")[:limit_bytes]
    at = _whole(text, len(head.decode(errors="ignore")))
    near = max(at - _SPACE_BEFORE, 0)
    space = max(text.rfind(" ", near, at), text.rfind("\n", near, at))
    return text[: space if space > at // 2 else at].rstrip() + ELLIPSIS


def _whole(text: str, at: int) -> int:
    """Return the last place up to `at` that lies inside no composed character."""
    while 0 < at < len(text) and _is_glued(text, at):
        at -= 1
    return at


def _is_glued(text: str, at: int) -> bool:
    character, before = text[at], text[at - 1]
    if _JOINER in (character, before) or ord(character) in _SKIN_TONES:
        return True
    if ord(character) in _FLAG_LETTERS and ord(before) in _FLAG_LETTERS:
        return True
    return unicodedata.category(character) in {"Mn", "Mc", "Me"}


def is_shortened(text: str) -> bool:
    """Return whether a text ends with the sign of one that was shortened."""
    return bool(_SIGN.search(text[-80:]))


def signed(shortened: str, original: str) -> str | None:
    """Return a shortened text with the sign at its end; None when it does not gain enough."""
    left_out = max(len(original) - len(shortened), 0)
    text = f"{shortened.rstrip()}\n[{ELLIPSIS} {left_out} characters left out]"
    before = size(original)
    saved = before - size(text)
    is_worth_it = saved >= _FEWEST_SAVED_BYTES and saved * _LEAST_PART_SAVED >= before
    return text if is_worth_it else None
