"""What a file of conversations with alternatives becomes, whatever its format."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from statecore.messages import Message

Why = Literal["hidden", "empty", "system", "before", "result", "call"]
"""hidden: no person was shown it; empty: it says nothing; system: a system message that does not
stand first; before: said before the first message of a user; result: of a tool that nothing had
called; call: of a tool, without a result, in a turn that was answered."""


class LeftOut(NamedTuple):
    """One message that does not come in."""

    why: Why
    name: str
    """Its id in the file."""


@dataclass(frozen=True, slots=True)
class Node:
    """One message, and what it follows."""

    message: Message
    parent: str | None
    """Id of the message before it; None at the root."""
    tool: str | None = None
    """Of a result that names no call: the tool that gave it."""
    model: str = ""
    """Who said it, where the file knows."""


@dataclass(frozen=True, slots=True)
class MessageTree:
    """The messages of one conversation, on all its branches."""

    nodes: tuple[Node, ...]
    """Parents before children; siblings in their order."""
    selected: str | None = None
    """Id of the message that was looked at last; None for the first path."""
    title: str = ""
    created_ms: int | None = None
    updated_ms: int | None = None
    left_out: tuple[LeftOut, ...] = ()
    """What the format itself has left out."""
