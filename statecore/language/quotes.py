"""Quotation marks: words inside them are mentioned, not meant."""

import re
from collections.abc import Iterator

from statecore.language.mentions import Span

LONGEST = 300
"""A quotation mark that finds no partner within so many characters is taken for a stray one."""

_QUOTED = re.compile(
    rf"“[^“”]{{1,{LONGEST}}}”"
    rf"|„[^“”„]{{1,{LONGEST}}}[“”]"
    rf"|«[^«»]{{1,{LONGEST}}}»"
    rf"|「[^「」]{{1,{LONGEST}}}」"
    rf"|『[^『』]{{1,{LONGEST}}}』"
    rf'|(?<!\d)"[^"\n]{{1,{LONGEST}}}"'
    rf"|`[^`\n]{{1,{LONGEST}}}`"
    rf"|(?<![\w'])'(?=\w)(?:[^'\n]|(?<=\w)'(?=\w)){{1,{LONGEST}}}'(?!\w)"
    rf"|‘(?:[^‘’\n]|(?<=\w)’(?=\w)){{1,{LONGEST}}}’(?!\w)"
)


def quoted(text: str) -> Iterator[Span]:
    """Yield what stands in quotation marks or between backticks, with its marks."""
    for found in _QUOTED.finditer(text):
        yield found.span()


def without_quotes(text: str) -> str:
    """Return a text with a space in place of each quoted character, so that offsets stay."""
    return _QUOTED.sub(lambda found: " " * len(found[0]), text)
