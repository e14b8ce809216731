"""Lines of a text with their place in it, and what marks them in Markdown."""

import re
from typing import NamedTuple

# Backticks after backticks on one line are code inside a sentence and open nothing.
_FENCE = re.compile(r"[ \t]*(`{3,}(?=[^`]*$)|~{3,})")
_ITEM = re.compile(
    r"""[ \t]*(?:
        [-*+•][ \t]
        | \d{1,3}[.)][ \t]
        | \d{1,3}[、．]
        | [(（]\d{1,2}[)）]
        | [一二三四五六七八九十]{1,3}、
    )""",
    re.VERBOSE,
)


class Line(NamedTuple):
    """One line without its end."""

    text: str
    start: int

    @property
    def end(self) -> int:
        """Offset after its last character."""
        return self.start + len(self.text)

    @property
    def is_blank(self) -> bool:
        """Whether nothing stands in it."""
        return not self.text or self.text.isspace()

    @property
    def is_indented(self) -> bool:
        """Whether something stands in it that belongs to the line above."""
        return self.text[:1] in {" ", "\t"} and not self.is_blank

    @property
    def is_item(self) -> bool:
        """Whether it begins an item of a list."""
        return bool(self.bullet)

    @property
    def bullet(self) -> str:
        """What marks it as an item, with the space before it; empty when it is none."""
        found = _ITEM.match(self.text)
        return found[0] if found else ""

    @property
    def has_columns(self) -> bool:
        """Whether it may be a row of a table."""
        return "|" in self.text

    @property
    def is_delimiter(self) -> bool:
        """Whether it stands between the head of a table and its rows."""
        return self.has_columns and "-" in self.text and not self.text.strip("|-: \t")

    @property
    def fence(self) -> str:
        """The fence that opens or closes code in it; empty when there is none."""
        found = _FENCE.match(self.text)
        return found[1] if found else ""


def lines_of(text: str) -> tuple[Line, ...]:
    """Return the lines of a text; a carriage return at the end is left out."""
    lines = []
    start = 0
    for line in text.split("\n"):
        lines.append(Line(line.removesuffix("\r"), start))
        start += len(line) + 1
    return tuple(lines)
