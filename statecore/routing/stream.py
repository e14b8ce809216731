"""Reads the stream of an OpenAI chat completion into a handful of small events.

It runs for every token of hundreds of streams. Whatever a server sends becomes an event, never
an exception.
"""

import json
from dataclasses import dataclass
from typing import Any

from statecore.routing.errors import ErrorSaid, error_said, stream_error_said
from statecore.routing.sse import SseEvent, SseParser
from statecore.routing.surrogates import SurrogateJoiner, whole_characters
from statecore.routing.usage import UsageSeen, timed_usage, usage_seen

__all__ = [
    "ChatReader",
    "Done",
    "Event",
    "FinishSeen",
    "ReasoningDelta",
    "StreamError",
    "TextDelta",
    "ToolCallDelta",
    "UsageSeen",
]

END_MARK = "[DONE]"
MAX_WORD_CHARACTERS = 32


@dataclass(frozen=True, slots=True)
class TextDelta:
    """More of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    """More of what the model thinks aloud; not part of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolCallDelta:
    """More of one tool call; id and name come once, the arguments in parts."""

    index: int
    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class FinishSeen:
    """The provider said why the answer ends, in its own word of at most 32 characters."""

    reason: str


@dataclass(frozen=True, slots=True)
class StreamError:
    """An error inside a stream that began with status 200."""

    code: str
    """The provider's most telling code or type; `bad_chunk` for what cannot be read."""
    message: str


@dataclass(frozen=True, slots=True)
class Done:
    """The end mark."""


Event = TextDelta | ReasoningDelta | ToolCallDelta | FinishSeen | UsageSeen | StreamError | Done

# RecursionError: nested too deeply for the JSON parser; OverflowError: a count that is infinite.
_UNREADABLE = (
    ValueError,
    TypeError,
    AttributeError,
    LookupError,
    RecursionError,
    OverflowError,
)


class ChatReader:
    """Reads one stream; give it the bytes as they come, then close it."""

    __slots__ = ("_cached_apart", "_done", "_reasoning", "_sse", "_text", "_usage")

    def __init__(self, *, cached_apart: bool = False) -> None:
        """Cached_apart: whether this server leaves cached tokens out of the prompt's."""
        self._cached_apart = cached_apart
        self._usage: dict[str, Any] = {}
        self._sse = SseParser()
        self._text = SurrogateJoiner()
        self._reasoning = SurrogateJoiner()
        self._done = False

    def feed(self, chunk: bytes) -> list[Event]:
        """Return the events that these bytes complete."""
        return self._read(self._sse.feed(chunk))

    def close(self) -> list[Event]:
        """Return the events that the end of the stream completes."""
        events = self._read(self._sse.close())
        for kind, joiner in ((ReasoningDelta, self._reasoning), (TextDelta, self._text)):
            if rest := joiner.flush():
                events.append(kind(rest))
        return events

    def _read(self, raw: list[SseEvent]) -> list[Event]:
        events: list[Event] = []
        for name, data in raw:
            if self._done:
                break
            if data == END_MARK or data.strip() == END_MARK:
                self._done = True
                events.append(Done())
                continue
            found: list[Event] = []
            try:
                self._read_chunk(json.loads(data), name, found)
            except _UNREADABLE:
                events.append(_unreadable(name, data))
            else:
                events += found
        return events

    def _read_chunk(self, chunk: dict[str, Any], name: str, events: list[Event]) -> None:
        choices = chunk.get("choices")
        if choices:
            self._read_choice(choices[0], events)
        elif name == "error":
            events.append(_error(error_said(chunk)))
            return
        timings, usage = chunk.get("timings"), chunk.get("usage")
        if timings or usage:
            self._read_usage(timings or {}, usage, events)
        if chunk.get("error") or not choices:
            said = stream_error_said(chunk)
            if not said.is_empty:
                events.append(_error(said))

    def _read_usage(
        self, timings: dict[str, Any], usage: dict[str, Any] | None, events: list[Event]
    ) -> None:
        # Some say at the start what was read, and at the end only what was written.
        said = {**self._usage, **(usage or {})}
        if timings.get("cache_n") is not None:
            said.setdefault("cached_tokens", timings["cache_n"])
        if usage:
            events.append(usage_seen(said, cached_apart=self._cached_apart))
        elif "prompt_tokens" not in said:
            events.append(timed_usage(timings))
        self._usage = said

    def _read_choice(self, choice: dict[str, Any], events: list[Event]) -> None:
        delta = choice.get("delta") or {}
        if (content := delta.get("content")) and (text := self._text.join(_plain(content))):
            events.append(TextDelta(text))
        thought = delta.get("reasoning_content") or delta.get("reasoning")
        if thought and (text := self._reasoning.join(_plain(thought))):
            events.append(ReasoningDelta(text))
        if calls := delta.get("tool_calls"):
            events += [_tool_call(call, position) for position, call in enumerate(calls)]
        if reason := choice.get("finish_reason"):
            events.append(FinishSeen(_word(reason)))


def _plain(content: str | list[dict[str, Any]]) -> str:
    if isinstance(content, str):
        return content
    # Some servers send a list of parts.
    return "".join(part["text"] for part in content if part.get("type", "text") == "text")


def _word(value: object) -> str:
    # It is stored in the open: a word of a protocol, never a text.
    return "".join(c for c in str(value)[:MAX_WORD_CHARACTERS] if c.isprintable())


def _tool_call(call: dict[str, Any], position: int) -> ToolCallDelta:
    function = call.get("function") or {}
    arguments = function.get("arguments") or ""
    if not isinstance(arguments, str):
        arguments = json.dumps(arguments, ensure_ascii=False)
    index = call.get("index")
    return ToolCallDelta(
        index=position if index is None else int(index),
        id=whole_characters(str(call.get("id") or "")),
        name=whole_characters(str(function.get("name") or "")),
        arguments=whole_characters(arguments),
    )


def _error(said: ErrorSaid) -> StreamError:
    # A code that is a word says most; a number only repeats the status that a type explains.
    is_number = said.code.lstrip("-").isdigit()
    telling = (said.kind or said.code) if is_number else (said.code or said.kind)
    return StreamError(whole_characters(telling or "stream_error"), whole_characters(said.message))


def _unreadable(name: str, data: str) -> StreamError:
    if name == "error":
        return StreamError("stream_error", data[:500])
    return StreamError("bad_chunk", "the server sent a part that is not a chat chunk")
