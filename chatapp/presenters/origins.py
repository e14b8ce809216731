"""Where the words of a request come from: codes, names, and how many tokens each has."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from django.utils.translation import gettext_lazy as _

from chatapp.presenters import units
from chatapp.presenters.reasons import Words
from statecore.tokens import Count

Origin = Literal[
    "rule",
    "contract",
    "fact",
    "summary",
    "field",
    "message",
    "anchor",
    "tool",
    "workflow",
    "text",
]

ORIGINS: dict[Origin, Words] = {
    "message": _("Message"),
    "tool": _("Tool"),
    "rule": _("Rule"),
    "summary": _("Summary"),
    "field": _("Session field"),
    "fact": _("Long-term fact"),
    "anchor": _("Anchor"),
    "contract": _("Contract field"),
    "workflow": _("Workflow"),
    "text": _("Text of the application"),
}
"""In the order of the legend; text: what the template and the formats add."""

MEANINGS: dict[Origin, Words] = {
    "message": _("Something that you or the model said, word for word or shortened."),
    "tool": _("What a tool returned, or what tools there are."),
    "rule": _("A rule or a prohibition of yours."),
    "summary": _("A sentence that the conversation taught."),
    "field": _("A temporary note of this conversation."),
    "fact": _("Something known about you across conversations."),
    "anchor": _("An old message that your words point at, brought back."),
    "contract": _("How every model is to answer; it is never cut."),
    "workflow": _("A value that the state machine holds; it is never cut."),
    "text": _("The system prompt, and the words around what was remembered."),
}

_OF_GROUP: dict[str, Origin] = {
    "rule": "rule",
    "field": "field",
    "fact": "fact",
    "workflow": "workflow",
    "contract": "contract",
    "anchor": "anchor",
}


def of_group(group: str) -> Origin:
    """Return the origin of a line of the notes; all lines of the ledger but rules are summary."""
    return _OF_GROUP.get(group, "summary")


def of_message(kind: str, role: str) -> Origin:
    """Return the origin of what a message holds beside what memory put into it."""
    if kind in {"system", "state_block"}:
        return "text"
    return "tool" if kind == "tools" or role == "tool" else "message"


@dataclass(frozen=True, slots=True)
class LegendItem:
    """How much of a request comes from one origin."""

    origin: Origin
    label: Words
    meaning: Words
    tokens: str


def present_legend(tokens: Mapping[Origin, Count]) -> tuple[LegendItem, ...]:
    """Return how many tokens come from where; what is not there is not listed.

    Args:
        tokens: By origin.
    """
    return tuple(
        LegendItem(origin, label, MEANINGS[origin], units.tokens(found.tokens, found.quality))
        for origin, label in ORIGINS.items()
        if (found := tokens.get(origin)) and found.tokens
    )


def shares(tokens: int, sizes: Iterable[tuple[Origin, int]]) -> dict[Origin, int]:
    """Return how the tokens of a message fall to the origins of its parts, by their length.

    Args:
        tokens: Of the whole message.
        sizes: Origin and length of each part, in characters.
    """
    lengths: dict[Origin, int] = {}
    for origin, size in sizes:
        lengths[origin] = lengths.get(origin, 0) + size
    whole = sum(lengths.values())
    if not whole:
        return {}
    found = {origin: tokens * size // whole for origin, size in lengths.items()}
    largest = max(lengths, key=lambda origin: lengths[origin])
    found[largest] += tokens - sum(found.values())
    return found
