"""The server: routes a request to the script, the tokenizer or the control room."""

import asyncio
import json
from typing import Any
from urllib.parse import urlsplit

from tests.support.scripted_provider.connection import Connection, HttpRequest
from tests.support.scripted_provider.control import Control
from tests.support.scripted_provider.gates import Gates
from tests.support.scripted_provider.player import Player
from tests.support.scripted_provider.record import Recorded, RequestLog
from tests.support.scripted_provider.script import Script
from tests.support.scripted_provider.tokenizer import message_tokens, token_ids
from tests.support.scripted_provider.wire import completion_object

DEFAULT_MODELS = ("scripted",)


class Server:
    """Everything one provider is made of; runs inside one event loop."""

    def __init__(self, models: tuple[str, ...] = DEFAULT_MODELS) -> None:
        self.models = models
        self.log = RequestLog()
        self.gates = Gates()
        self.script = Script()
        self._control = Control(self.log, self.gates, self.script)

    async def listen(self, port: int = 0) -> asyncio.Server:
        """Start to listen on loopback; port 0 takes any free one."""
        loop = asyncio.get_running_loop()
        return await loop.create_server(lambda: Connection(self._handle), "127.0.0.1", port)

    async def _handle(self, connection: Connection, http: HttpRequest) -> None:
        path = urlsplit(http.target).path
        body = _decode(http.body)
        if path.startswith("/control/"):
            connection.respond(*self._control.answer(path, body))
            return
        recorded = self.log.add(http.method, path, http.headers, body)
        try:
            await self._answer(connection, recorded)
        except asyncio.CancelledError:
            self.log.mark_disconnected(recorded)
            raise
        self.log.mark_finished(recorded)

    async def _answer(self, connection: Connection, request: Recorded) -> None:
        match request.method, request.path:
            case "POST", "/v1/chat/completions":
                await self._answer_chat(connection, request)
            case "POST", "/v1/chat/completions/input_tokens":
                tokens = message_tokens(request.body.get("messages", ()))
                connection.respond(200, _encode({"input_tokens": tokens}))
            case "POST", "/tokenize":
                connection.respond(200, _encode({"tokens": token_ids(request.body["content"])}))
            case "GET", "/v1/models":
                listed = [{"id": name, "object": "model", "created": 0} for name in self.models]
                connection.respond(200, _encode({"object": "list", "data": listed}))
            case "GET", "/health":
                connection.respond(200, _encode({"status": "ok"}))
            case _:
                connection.respond(404, _encode({"error": {"message": "Not found."}}))

    async def _answer_chat(self, connection: Connection, request: Recorded) -> None:
        reply = self.script.choose(request)
        if reply.head_gate is not None:
            await self.gates.wait(reply.head_gate)
        if reply.status != 200:
            connection.respond(reply.status, reply.body, reply.headers)
        elif request.body.get("stream"):
            await Player(connection, self.gates, request, reply).play()
        else:
            body = _encode(completion_object(request, reply))
            connection.respond(200, body, reply.headers)


def _decode(body: bytes) -> Any:
    return json.loads(body) if body else None


def _encode(data: Any) -> bytes:
    return json.dumps(data, ensure_ascii=False).encode()
