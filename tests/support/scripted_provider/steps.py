"""The steps that an answer is made of; a reply plays them in order."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Text:
    """One delta of answer text."""

    text: str


@dataclass(frozen=True, slots=True)
class Reasoning:
    """One delta of reasoning, which is not answer text."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One delta of a tool call; a name opens the call, arguments are appended."""

    index: int
    id: str | None = None
    name: str | None = None
    arguments: str = ""


@dataclass(frozen=True, slots=True)
class Wait:
    """A pause."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Hold:
    """A pause that ends when a test opens the gate."""

    gate: str


@dataclass(frozen=True, slots=True)
class PacedTokens:
    """Tokens at a steady rate; each one is the nanosecond of the machine's clock it left at."""

    count: int
    per_second: float


@dataclass(frozen=True, slots=True)
class Raw:
    """Bytes put on the stream as they are."""

    data: bytes


@dataclass(frozen=True, slots=True)
class StreamError:
    """An error object inside the stream, after status 200."""

    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Finish:
    """The last chunk: why the answer ended; followed by usage when the client asked for it."""

    reason: str = "stop"


@dataclass(frozen=True, slots=True)
class Done:
    """The end mark of the stream."""


@dataclass(frozen=True, slots=True)
class Silence:
    """Nothing more, until the client gives up."""


@dataclass(frozen=True, slots=True)
class Reset:
    """The connection breaks."""


Step = (
    Text
    | Reasoning
    | ToolCall
    | Wait
    | Hold
    | PacedTokens
    | Raw
    | StreamError
    | Finish
    | Done
    | Silence
    | Reset
)
