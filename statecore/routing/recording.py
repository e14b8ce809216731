"""Recordings: what a provider streamed and when, small enough to be kept of every attempt.

The texts are those of the answer; a recording only says how they came, so that they can be played.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from statecore.errors import InvalidInput
from statecore.routing.stream import (
    Done,
    Event,
    FinishSeen,
    ReasoningDelta,
    StreamError,
    TextDelta,
    ToolCallDelta,
    UsageSeen,
)


@dataclass(frozen=True, slots=True)
class Recording:
    """How the stream of one attempt came."""

    chunks: tuple[tuple[int, int], ...] = ()
    """Of each read that brought text: milliseconds since the start, and characters."""
    finish: str = ""
    """The provider's word for why it ended; empty where it said none."""
    usage: UsageSeen | None = None
    error: StreamError | None = None
    saw_reasoning: bool = False
    saw_tool_call: bool = False
    is_done: bool = False
    """Whether the end mark came."""

    def events(self, text: str) -> Iterator[list[Event]]:
        """Yield the events of the stream again, read by read.

        Args:
            text: all that was streamed.

        Raises:
            InvalidInput: when the recording is of another text.
        """
        if sum(count for _, count in self.chunks) != len(text):
            raise InvalidInput("the recording is of another text")
        if self.saw_reasoning:
            yield [ReasoningDelta("…")]
        start = 0
        for _, count in self.chunks:
            yield [TextDelta(text[start : start + count])]
            start += count
        yield list(self._end())

    def _end(self) -> Iterator[Event]:
        if self.saw_tool_call:
            yield ToolCallDelta(0, "", "", "")
        if self.finish:
            yield FinishSeen(self.finish)
        if self.usage is not None:
            yield self.usage
        if self.error is not None:
            yield self.error
        if self.is_done:
            yield Done()


def encode_recording(recording: Recording) -> bytes:
    """Return a recording as compact JSON; what says nothing is left out."""
    times = [time for time, _ in recording.chunks]
    document: dict[str, Any] = {
        # Steps are shorter than times, and most of them are alike.
        "ms": [b - a for a, b in zip([0, *times], times, strict=False)],
        "characters": [count for _, count in recording.chunks],
        "finish": recording.finish,
        "usage": None if recording.usage is None else asdict(recording.usage),
        "error": None if recording.error is None else asdict(recording.error),
        "reasoning": recording.saw_reasoning,
        "tool_call": recording.saw_tool_call,
        "done": recording.is_done,
    }
    told = {name: value for name, value in document.items() if value}
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()


def decode_recording(body: bytes) -> Recording:
    """Return the recording of `encode_recording`.

    Raises:
        InvalidInput: when it is none.
    """
    try:
        document = json.loads(body)
        usage, error = document.get("usage"), document.get("error")
        times, now_ms = [], 0
        for step in document.get("ms", []):
            now_ms += step
            times.append(now_ms)
        return Recording(
            chunks=tuple(zip(times, document.get("characters", []), strict=True)),
            finish=document.get("finish", ""),
            usage=None if usage is None else UsageSeen(**usage),
            error=None if error is None else StreamError(**error),
            saw_reasoning=document.get("reasoning", False),
            saw_tool_call=document.get("tool_call", False),
            is_done=document.get("done", False),
        )
    except (ValueError, TypeError, AttributeError) as fault:
        raise InvalidInput(f"is no recording: {fault}") from None
