"""Server-sent events from bytes that may be cut anywhere; it never raises on what a server sends.

Lines are only decoded when they are complete, so no cut can fall inside a character.
"""

from typing import NamedTuple

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_JSON_LINES = 2_000
"""How much is kept of an answer that is one object and no stream, as errors with status 200 are."""


class SseEvent(NamedTuple):
    """One dispatched event."""

    name: str
    """Empty for the usual, nameless one."""
    data: str
    """All data lines, joined by newlines."""


class SseParser:
    """Reads one stream; give it the bytes as they come, then close it."""

    __slots__ = ("_begun", "_cut_line", "_data", "_is_json", "_name", "_skip_newline")

    def __init__(self) -> None:
        self._cut_line: list[bytes] = []
        self._data: list[str] = []
        self._name = ""
        self._begun = False
        self._is_json = False
        self._skip_newline = False

    def feed(self, chunk: bytes) -> list[SseEvent]:
        """Return the events that these bytes complete."""
        if self._skip_newline and chunk:
            chunk = chunk.removeprefix(b"\n")
            self._skip_newline = False
        if b"\r" in chunk:
            # A carriage return ends its line at once; the newline of the pair may come later.
            self._skip_newline = chunk.endswith(b"\r")
            chunk = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        if b"\n" not in chunk:
            self._cut_line.append(chunk)
            return []
        lines = chunk.split(b"\n")
        if self._cut_line:
            lines[0] = b"".join((*self._cut_line, lines[0]))
        rest = lines.pop()
        self._cut_line = [rest] if rest else []
        return self._take(lines)

    def close(self) -> list[SseEvent]:
        """Return the event that the end of the stream completes, if it left one open."""
        rest = b"".join(self._cut_line)
        self._cut_line = []
        events = self._take([rest, b""])
        return self._whole() if self._is_json else events

    def _take(self, lines: list[bytes]) -> list[SseEvent]:
        if not self._begun and lines:
            lines[0] = lines[0].removeprefix(_BYTE_ORDER_MARK)
            self._begun = True
            self._is_json = lines[0].lstrip().startswith((b"{", b"["))
        if self._is_json:
            room = _JSON_LINES - len(self._data)
            self._data += [_value(line, 0) for line in lines[: max(0, room)]]
            return []
        events = []
        for line in lines:
            if line.startswith(b"data:"):
                self._data.append(_value(line, 5))
            elif line:
                self._take_field(line)
            elif self._data:
                events.append(SseEvent(self._name, "\n".join(self._data)))
                self._data = []
                self._name = ""
            else:
                self._name = ""
        return events

    def _whole(self) -> list[SseEvent]:
        data, self._data = "\n".join(self._data), []
        return [SseEvent("", data)] if data.strip() else []

    def _take_field(self, line: bytes) -> None:
        if line.startswith(b"event:"):
            self._name = _value(line, 6)
        elif line.startswith(b"error:"):
            # llama.cpp has sent errors as a field of their own.
            self._name = "error"
            self._data.append(_value(line, 6))
        elif line == b"data":
            self._data.append("")


def _value(line: bytes, start: int) -> str:
    if line[start : start + 1] == b" ":
        start += 1
    return line[start:].decode("utf-8", "replace")
