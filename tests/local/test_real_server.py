"""The real server with the small real model: what it lets in, what it writes, how soon it stops.

Asks for states, headers and files, never for what the model says.
"""

import asyncio
import http.client
import json
import os
import time
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from urllib.parse import urlsplit

import pytest

from chatapp.local.board import StatusBoard
from chatapp.local.catalogue import SMOLLM2
from chatapp.local.model_service import ModelService, Serving
from chatapp.local.probing import ask_once
from chatapp.local.status import read_status
from chatapp.local.weights import ensure_weights, weights_are_sound, weights_path
from tests.support.web_process import ROOT

pytestmark = pytest.mark.local_model

DATA_VARIABLE = "GLASSBOX_LOCAL_TEST_DATA"
LIMIT_S = 300
PLANTED = "zebrafinch"
FOREIGN = {"Origin": "http://stranger.example.org"}


@pytest.fixture(scope="module")
def weights_dir():
    """Fetch the small model once, into the folder that `make test-local` keeps."""
    folder = Path(os.environ.get(DATA_VARIABLE) or ROOT / ".cache" / "local-model")
    ensure_weights(folder, SMOLLM2, on_progress=lambda *_: None, cancelled=Event())
    return folder


@dataclass
class Server:
    """A model server that runs."""

    endpoint: str
    key: str
    log_path: Path

    def ask(self, method, path, body=None, headers=(), *, key=None):
        parts = urlsplit(self.endpoint)
        connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=LIMIT_S)
        all_headers = {"Content-Type": "application/json", **dict(headers)}
        if key != "":
            all_headers["Authorization"] = f"Bearer {key or self.key}"
        connection.request(method, path, json.dumps(body) if body else None, all_headers)
        return connection, connection.getresponse()

    def status(self, *words, **more):
        connection, response = self.ask(*words, **more)
        connection.close()
        return response.status


@pytest.fixture
async def server(weights_dir, tmp_path):
    serving = Serving(SMOLLM2, 2048, tmp_path, ROOT)
    weights_path(tmp_path, SMOLLM2).parent.mkdir()
    weights_path(tmp_path, SMOLLM2).symlink_to(weights_path(weights_dir, SMOLLM2))
    service = ModelService(serving, StatusBoard(tmp_path), lambda *_: None)
    running = asyncio.create_task(service.run())
    async with asyncio.timeout(LIMIT_S):
        # Another process brings it about: there is no event to wait for.
        while read_status(tmp_path).get(SMOLLM2.name, None) is None or (  # noqa: ASYNC110
            read_status(tmp_path)[SMOLLM2.name].state != "ready"
        ):
            await asyncio.sleep(0.05)
    status = read_status(tmp_path)[SMOLLM2.name]
    yield Server(status.endpoint, status.key, tmp_path / "logs" / f"{SMOLLM2.name}.log")
    await service.stop()
    await running


def chat(text, **more):
    return {"messages": [{"role": "user", "content": text}], "max_tokens": 8, **more}


def test_the_weights_have_the_pinned_hash(weights_dir):
    assert weights_are_sound(weights_dir, SMOLLM2)


async def test_a_word_is_answered(server):
    answer = await asyncio.to_thread(ask_once, server.endpoint, server.key, SMOLLM2.name)
    assert answer.fault == ""


async def test_without_the_key_nothing_but_health_is_served(server):
    assert server.status("GET", "/health", key="") == 200
    for path in ("/v1/models", "/props", "/slots", "/metrics", "/tokenize"):
        assert server.status("GET", path, key="") == 401
    assert server.status("POST", "/v1/chat/completions", chat("Hi"), key="guess") == 401


async def test_slots_metrics_and_pages_are_off_even_with_the_key(server):
    assert server.status("GET", "/slots") == 501
    assert server.status("GET", "/metrics") == 501
    assert server.status("GET", "/") == 404


async def test_no_page_of_another_origin_may_read_an_answer(server):
    for words in (("GET", "/v1/models"), ("GET", "/health"), ("OPTIONS", "/v1/models")):
        connection, response = server.ask(*words, headers=FOREIGN)
        connection.close()
        assert not response.getheader("Access-Control-Allow-Origin")
        assert response.getheader("Access-Control-Allow-Credentials") in {None, "false"}


async def test_tokens_are_counted_by_the_models_own_tokenizer(server):
    connection, response = server.ask("POST", "/tokenize", {"content": "one two three"})
    assert len(json.loads(response.read())["tokens"]) == 3
    connection.close()


async def test_a_second_request_with_the_same_beginning_reads_only_its_end(server):
    long = "Tell me about rivers. " * 40
    cached = []
    for _ in range(2):
        connection, response = server.ask("POST", "/v1/chat/completions", chat(long))
        cached.append(json.loads(response.read())["usage"]["prompt_tokens_details"])
        connection.close()
    assert cached[0]["cached_tokens"] < 20
    assert cached[1]["cached_tokens"] > 150


async def test_too_long_a_request_is_refused_as_such(server):
    connection, response = server.ask("POST", "/v1/chat/completions", chat("word " * 3000))
    error = json.loads(response.read())["error"]
    connection.close()
    assert (response.status, error["type"]) == (400, "exceed_context_size_error")


async def test_no_word_of_a_request_is_written_to_the_log(server):
    schema = {"type": "json_schema", "json_schema": {"schema": {"type": PLANTED}}}
    tool = {"type": "function", "function": {"name": PLANTED, "parameters": {"type": PLANTED}}}
    for body in (
        chat(f"Say {PLANTED}."),
        chat(PLANTED, grammar=f"root ::= {PLANTED} ("),
        chat(PLANTED, response_format=schema),
        chat(PLANTED, tools=[tool]),
        chat(f"{PLANTED} " * 3000),
        {"messages": PLANTED},
        {"messages": [{"role": PLANTED, "content": PLANTED}], "max_tokens": PLANTED},
    ):
        connection, response = server.ask("POST", "/v1/chat/completions", body)
        response.read()
        connection.close()
    server.status("GET", f"/{PLANTED}")
    text = server.log_path.read_text()
    assert PLANTED not in text
    # The refusals were noted all the same.
    assert "exceeds the available context size" in text


async def test_a_broken_connection_frees_the_slots_soon(server):
    for number in range(4):
        # More than there are slots: those that wait must be dropped as well.
        body = chat(f"{number} " + "word " * 1500, max_tokens=400, stream=True)
        parts = urlsplit(server.endpoint)
        connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=LIMIT_S)
        headers = {"Authorization": f"Bearer {server.key}", "Content-Type": "application/json"}
        connection.request("POST", "/v1/chat/completions", json.dumps(body), headers)
        connection.close()
    started = time.monotonic()
    answer = await asyncio.to_thread(ask_once, server.endpoint, server.key, SMOLLM2.name)
    assert answer.fault == ""
    # Reading the four prompts to their end would take about a minute on two cores.
    assert time.monotonic() - started < 20
