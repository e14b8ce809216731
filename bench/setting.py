"""What is measured: a provider, Valkey and one web process, each a process of its own."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.request import Request, urlopen

from tests.support.installation import Installation
from tests.support.valkey import Valkey
from tests.support.web_process import ROOT


class Provider:
    """A scripted provider in a process of its own."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.base_url = f"{url}/v1"

    def answer_always(self, **reply: str | float) -> None:
        """Give every request this reply from now on."""
        self._control("clear", {})
        self._control("rules", reply)

    def last_request(self) -> dict[str, Any]:
        """Return the body of the newest chat request."""
        requests = self._control("requests", {})
        chats: list[dict[str, Any]] = [
            r["body"] for r in requests if r["path"].endswith("/chat/completions")
        ]
        return chats[-1]

    def _control(self, path: str, body: object) -> list[dict[str, Any]]:
        request = Request(f"{self.url}/control/{path}", json.dumps(body).encode())  # noqa: S310  # own address
        with urlopen(request) as response:  # noqa: S310  # own address
            answer: list[dict[str, Any]] = json.load(response)
        return answer


class Application(NamedTuple):
    """A web process that answers."""

    url: str
    installation: Installation


@contextmanager
def running_provider() -> Iterator[Provider]:
    """Run a provider until the block is left."""
    command = [sys.executable, "-m", "tests.support.scripted_provider"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None  # noqa: S101  # tells the type checker
        try:
            yield Provider(process.stdout.readline().strip())
        finally:
            process.terminate()


@contextmanager
def running_application(data_dir: Path, provider: Provider) -> Iterator[Application]:
    """Run one web process on SQLite and Valkey until the block is left."""
    with Valkey(data_dir) as valkey:
        installation = Installation(data_dir, provider.base_url, redis_url=valkey.url)
        installation.prepare()
        with installation.web() as web:
            yield Application(web.url, installation)
