"""The control room: what a test in another process asks and orders over HTTP."""

import json
from dataclasses import asdict
from typing import Any

from tests.support.scripted_provider.gates import Gates
from tests.support.scripted_provider.parsing import parse_reply, parse_rule
from tests.support.scripted_provider.record import RequestLog
from tests.support.scripted_provider.script import Script


class Control:
    """Answers the paths under /control/."""

    def __init__(self, log: RequestLog, gates: Gates, script: Script) -> None:
        self._log = log
        self._gates = gates
        self._script = script

    def answer(self, path: str, body: Any) -> tuple[int, bytes]:
        """Return the status and the JSON body for one request."""
        result: Any = {}
        match path.removeprefix("/control/"):
            case "requests":
                result = [asdict(request) for request in self._log.all()]
            case "rules":
                self._script.add(parse_rule(body))
            case "queue":
                self._script.enqueue(parse_reply(body))
            case "release":
                self._gates.open(body["gate"])
            case "hold":
                self._gates.close(body["gate"])
            case "clear":
                self._script.clear()
                self._gates.clear()
                self._log.clear()
            case _:
                return 404, b"{}"
        return 200, json.dumps(result, ensure_ascii=False).encode()
