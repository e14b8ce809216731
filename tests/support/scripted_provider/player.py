"""Plays a reply on a connection, step by step."""

import asyncio
import time
from typing import assert_never

from tests.support.scripted_provider.connection import Connection
from tests.support.scripted_provider.gates import Gates
from tests.support.scripted_provider.record import Recorded
from tests.support.scripted_provider.replies import Reply
from tests.support.scripted_provider.steps import (
    Done,
    Finish,
    Hold,
    PacedTokens,
    Raw,
    Reasoning,
    Reset,
    Silence,
    Step,
    StreamError,
    Text,
    ToolCall,
    Wait,
)
from tests.support.scripted_provider.wire import DONE, ChunkMaker, event, tool_delta, usage_of

NEVER = "never opened"
STREAM_HEADERS = {"content-type": "text/event-stream", "transfer-encoding": "chunked"}


class Player:
    """One streamed reply on its way to one client."""

    def __init__(
        self, connection: Connection, gates: Gates, request: Recorded, reply: Reply
    ) -> None:
        self._connection = connection
        self._gates = gates
        self._request = request
        self._reply = reply
        self._chunks = ChunkMaker(request)
        self._said: list[str] = []

    async def play(self) -> None:
        """Send the whole reply."""
        self._connection.write_head(200, {**STREAM_HEADERS, **self._reply.headers})
        self._send(self._chunks.opening())
        for step in self._reply.steps:
            await self._play_step(step)
        self._connection.write(b"0\r\n\r\n")

    async def _play_step(self, step: Step) -> None:
        match step:
            case Wait(seconds):
                await asyncio.sleep(seconds)
            case Hold(gate):
                await self._gates.wait(gate)
            case Silence():
                await self._gates.wait(NEVER)
            case PacedTokens(count, per_second):
                await self._play_paced(count, per_second)
            case Finish(reason):
                self._finish(reason)
            case Reset():
                self._connection.reset()
            case _:
                self._send(self._encode(step))

    def _encode(self, step: Text | Reasoning | ToolCall | Raw | StreamError | Done) -> bytes:
        match step:
            case Text(text):
                self._said.append(text)
                return self._chunks.text(text)
            case Reasoning(text):
                return self._chunks.delta({"reasoning_content": text})
            case ToolCall():
                return self._chunks.delta(tool_delta(step))
            case Raw(data):
                return data
            case StreamError(body):
                return event(body)
            case Done():
                return DONE
            case _:
                assert_never(step)

    async def _play_paced(self, count: int, per_second: float) -> None:
        start = time.monotonic()
        for number in range(count):
            # Against the start, not the token before, so that lateness does not add up.
            await asyncio.sleep(max(0.0, start + number / per_second - time.monotonic()))
            self._send(self._chunks.text(f"{time.monotonic_ns()} "))

    def _finish(self, reason: str) -> None:
        self._send(self._chunks.delta({}, finish=reason))
        options = self._request.body.get("stream_options") or {}
        if options.get("include_usage") and self._reply.reports_usage:
            usage = usage_of(self._request, self._reply, "".join(self._said))
            self._send(self._chunks.usage(usage))

    def _send(self, data: bytes) -> None:
        size = self._reply.piece_bytes or len(data)
        for start in range(0, len(data), size):
            self._connection.write_chunk(data[start : start + size])
