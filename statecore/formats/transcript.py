"""What a file of messages becomes, whatever its format."""

from dataclasses import dataclass

from statecore.messages import Message
from statecore.requests import ToolDefinition


@dataclass(frozen=True, slots=True)
class Transcript:
    """The messages of one conversation, oldest first, as a format brought them."""

    messages: tuple[Message, ...]
    tools: tuple[ToolDefinition, ...] = ()
    title: str = ""
    place: str = ""
    """Which conversation of the file it is, in words; empty where the file is one conversation."""
    reply_tokens: int | None = None
    """The most tokens of the answer, where the file says so."""
