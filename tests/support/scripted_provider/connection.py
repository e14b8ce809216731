"""One HTTP/1.1 connection: requests in, bytes out, and the moment when the client leaves.

Written by hand because a test decides about every byte, down to a broken connection.
"""

import asyncio
import socket
import struct
from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import NamedTuple, cast

HEAD_END = b"\r\n\r\n"
RESET_ON_CLOSE = struct.pack("ii", 1, 0)
"""SO_LINGER with zero seconds: closing sends RST."""


class HttpRequest(NamedTuple):
    """One request as it came."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes


class Connection(asyncio.Protocol):
    """Reads one request after the other and hands each to the handler."""

    def __init__(self, handler: Callable[["Connection", HttpRequest], Awaitable[None]]) -> None:
        self._handler = handler
        self._buffer = bytearray()
        self._task: asyncio.Task[None] | None = None
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport and send small writes at once."""
        self._transport = cast("asyncio.Transport", transport)
        self._socket().setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def data_received(self, data: bytes) -> None:
        """Collect bytes until a request is whole."""
        self._buffer += data
        if self._task is None:
            self._start_next()

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell the running handler that nobody listens any more."""
        self._transport = None
        if self._task is not None:
            self._task.cancel()

    def write(self, data: bytes) -> None:
        """Send bytes; after the client has left they go nowhere."""
        if self._transport is not None:
            self._transport.write(data)

    def write_chunk(self, data: bytes) -> None:
        """Send bytes as one piece of a chunked body."""
        self.write(b"%x\r\n%b\r\n" % (len(data), data))

    def write_head(self, status: int, headers: Mapping[str, str]) -> None:
        """Send the status line and the headers."""
        lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        self.write("\r\n".join(lines).encode() + HEAD_END)

    def respond(self, status: int, body: bytes, headers: Mapping[str, str] | None = None) -> None:
        """Send a whole response."""
        named = {"content-type": "application/json", **(headers or {})}
        self.write_head(status, {**named, "content-length": str(len(body))})
        self.write(body)

    def reset(self) -> None:
        """Break the connection."""
        if self._transport is not None:
            self._socket().setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)
            self._transport.abort()
            self._transport = None

    def _socket(self) -> socket.socket:
        assert self._transport is not None
        return cast("socket.socket", self._transport.get_extra_info("socket"))

    def _start_next(self) -> None:
        request = self._take_request()
        if request is not None:
            self._task = asyncio.get_running_loop().create_task(self._run(request))

    async def _run(self, request: HttpRequest) -> None:
        try:
            await self._handler(self, request)
        finally:
            self._task = None
        self._start_next()

    def _take_request(self) -> HttpRequest | None:
        head_end = self._buffer.find(HEAD_END)
        if head_end < 0:
            return None
        first, *lines = self._buffer[:head_end].decode("latin-1").split("\r\n")
        headers = dict(_split_header(line) for line in lines)
        body_start = head_end + len(HEAD_END)
        body_end = body_start + int(headers.get("content-length", "0"))
        if len(self._buffer) < body_end:
            return None
        body = bytes(self._buffer[body_start:body_end])
        del self._buffer[:body_end]
        method, target, _version = first.split(" ")
        return HttpRequest(method, target, headers, body)


def _split_header(line: str) -> tuple[str, str]:
    name, _colon, value = line.partition(":")
    return name.strip().lower(), value.strip()
