"""The text of the state block, and where in it each thing stands.

Whatever is quoted in it cannot close it, cannot open another one, and cannot begin a line or a
value that looks like one of its own.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from statecore.context.neutral import neutral_notes, unquoted
from statecore.context.selection import Group, Selected, SelectedReason
from statecore.memory.summary import GROUPS
from statecore.templates import NoteTexts

OPEN, CLOSE = "<notes>", "</notes>"

LINES: tuple[Group, ...] = ("workflow", "fact", *GROUPS, "field", "waiting")
"""One line a group, in this order; anchors follow, each on lines of its own."""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that may stand in the block."""

    id: str
    group: Group
    reason: SelectedReason
    text: str
    """As it stands there."""
    message_ids: tuple[str, ...] = ()
    """Where it was said."""
    lead: str = ""
    """Words of the application in front of it; the label of an anchor."""

    @property
    def selected(self) -> Selected:
        """The account of it, without its text."""
        return Selected(self.id, self.group, self.reason)


@dataclass(frozen=True, slots=True)
class Written:
    """A block as text."""

    text: str
    places: tuple[tuple[int, int], ...]
    """Start and end of each item in the text, in the order of the items."""


def quoted(text: str) -> str:
    """Return a sentence as it stands in a line, word for word.

    A break inside it would begin another line, and a straight quotation mark would end it.
    """
    return f'"{in_line(text)}"'


def in_line(text: str) -> str:
    """Return a text without what would end its line or a quotation in it."""
    return unquoted(" ".join(text.splitlines()))


def quoted_lines(text: str) -> str:
    """Return a text of several lines, each marked, so that none looks like a line of the block."""
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def again(notes: NoteTexts) -> NoteTexts:
    """Return the words around a block that is not the first one of its request."""
    return replace(notes, preface=notes.preface_again or notes.preface)


def text_of(chosen: Sequence[Item], notes: NoteTexts) -> str:
    """Return the block: what it is, then one line a group in delimiters that no text can close."""
    return written(chosen, notes).text


def written(chosen: Sequence[Item], notes: NoteTexts) -> Written:
    """Return the block, and where each thing stands in it.

    Args:
        chosen: what it holds.
        notes: the words around.
    """
    body, raw_places = _body(chosen, notes)
    text, moved = neutral_notes(body)
    head = f"{notes.preface}\n{OPEN}\n" if notes.preface else f"{OPEN}\n"
    places = tuple((len(head) + moved(start), len(head) + moved(end)) for start, end in raw_places)
    return Written(f"{head}{text}\n{CLOSE}", places)


def _body(chosen: Sequence[Item], notes: NoteTexts) -> tuple[str, list[tuple[int, int]]]:
    parts: list[str] = []
    length = 0
    places = [(0, 0)] * len(chosen)
    for before, index, text in _stretches(chosen, notes):
        start = length + len(before)
        places[index] = (start, start + len(text))
        parts += (before, text)
        length = start + len(text)
    return "".join(parts), places


def _stretches(chosen: Sequence[Item], notes: NoteTexts) -> Iterator[tuple[str, int, str]]:
    """Yield what stands before an item, its index, and its text, in the order of the block."""
    line_break = ""
    for group in LINES:
        before = f"{line_break}{getattr(notes, group)}: "
        for index, item in enumerate(chosen):
            if item.group == group:
                yield before, index, item.text
                before, line_break = " ", "\n"
    for index, item in enumerate(chosen):
        if item.group == "anchor":
            yield f"{line_break}{item.lead}\n", index, item.text
            line_break = "\n"
