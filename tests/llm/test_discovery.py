import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from chatapp.llm.discovery import (
    OPENAI_URL,
    PLACES,
    fetch_models,
    models_by_variables,
    models_on_this_machine,
)

OLLAMA, LLAMA, STUDIO = (place.base_url for place in PLACES)


class Servers:
    """Lists of models by address; remembers who was asked, and with which key."""

    def __init__(self):
        self.lists = {}
        self.asked = []

    def serve(self, base_url, *entries):
        self.lists[base_url] = [e if isinstance(e, dict) else {"id": e} for e in entries]
        return self

    def fetch(self, base_url, key, _timeout_s):
        self.asked.append((base_url, key))
        return self.lists.get(base_url)


def by_variables(servers, chosen="", **environ):
    return models_by_variables(environ, chosen, servers.fetch)


def test_without_variables_nothing_is_asked():
    servers = Servers()
    assert by_variables(servers) is None
    assert servers.asked == []


def test_a_key_alone_means_openai():
    servers = Servers().serve(OPENAI_URL, "gpt-4o", "gpt-4.1-mini", "text-embedding-3-small")
    models = by_variables(servers, OPENAI_API_KEY="k")
    assert [spec.name for spec in models] == ["gpt-4.1-mini", "gpt-4o"]
    assert {spec.key_variable for spec in models} == {"OPENAI_API_KEY"}
    assert {spec.endpoint for spec in models} == {OPENAI_URL}
    assert servers.asked == [(OPENAI_URL, "k")]


def test_openai_out_of_reach_still_gives_a_model():
    assert [spec.name for spec in by_variables(Servers(), OPENAI_API_KEY="k")] == ["gpt-4.1-mini"]


def test_a_chosen_model_of_openai_is_not_looked_up():
    servers = Servers()
    (spec,) = by_variables(servers, "gpt-9", OPENAI_API_KEY="k")
    assert spec.name == "gpt-9"
    assert servers.asked == []


def test_a_base_url_needs_no_key():
    servers = Servers().serve("http://10.0.0.1/v1", "a", "b")
    models = by_variables(servers, OPENAI_BASE_URL="http://10.0.0.1/v1/")
    assert [(spec.name, spec.key_variable) for spec in models] == [("a", ""), ("b", "")]


def test_a_chosen_model_behind_a_base_url_gets_the_window_its_server_tells():
    servers = Servers().serve("http://10.0.0.1/v1", {"id": "a", "max_model_len": 9000}, "b")
    (spec,) = by_variables(servers, "a", OPENAI_BASE_URL="http://10.0.0.1/v1")
    assert (spec.name, spec.window_tokens) == ("a", 9000)


def test_a_chosen_model_is_believed_when_its_server_lists_none():
    (spec,) = by_variables(Servers(), "a", OPENAI_BASE_URL="http://10.0.0.1/v1")
    assert spec.name == "a"


def test_a_base_url_that_lists_nothing_gives_nothing():
    assert by_variables(Servers(), OPENAI_BASE_URL="http://10.0.0.1/v1") == ()


def test_nobody_on_this_machine_gives_nothing():
    servers = Servers()
    assert models_on_this_machine(servers.fetch) == ()
    assert {address for address, _ in servers.asked} == {OLLAMA, LLAMA, STUDIO}
    assert {key for _, key in servers.asked} == {""}


def test_ollama_comes_before_the_others():
    servers = Servers().serve(STUDIO, "s").serve(OLLAMA, "o")
    (spec,) = models_on_this_machine(servers.fetch)
    assert (spec.name, spec.endpoint, spec.tokenizer) == ("o", OLLAMA, "unknown")
    assert spec.window_tokens == 4096
    assert "careful guess" in spec.expect


def test_a_server_without_models_is_passed_over():
    servers = Servers().serve(OLLAMA).serve(STUDIO, "s")
    assert models_on_this_machine(servers.fetch)[0].name == "s"


def test_llama_cpp_tells_its_window_and_counts_itself():
    servers = Servers().serve(LLAMA, {"id": "m", "meta": {"n_ctx": 16384}})
    (spec,) = models_on_this_machine(servers.fetch)
    assert (spec.window_tokens, spec.tokenizer) == (16384, "server:m")
    assert spec.reply_reserve_tokens < spec.window_tokens


def test_a_model_nearby_may_read_slowly():
    (spec,) = models_on_this_machine(Servers().serve(OLLAMA, "o").fetch)
    assert spec.limits.first_token_base_ms >= 60_000
    assert spec.limits.prefill_tokens_per_s > 0


@contextmanager
def server(body, status=200, headers=()):
    seen = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            seen.append((self.path, self.headers.get("Authorization")))
            self.send_response(status)
            for name, value in headers:
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as http:
        thread = threading.Thread(target=http.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{http.server_port}/v1", seen
        finally:
            http.shutdown()
            thread.join()


def test_the_list_of_a_server_is_read_with_its_key():
    body = json.dumps({"data": [{"id": "a"}, {"id": "text-embed"}, {"no": "id"}, 5]}).encode()
    with server(body) as (url, seen):
        assert fetch_models(url, "k3y", 5) == [{"id": "a"}]
    assert seen == [("/v1/models", "Bearer k3y")]


@pytest.mark.parametrize("body", [b"<html>", b"[]", b"{}", b'{"data": {}}'])
def test_another_kind_of_server_has_no_models(body):
    with server(body) as (url, _):
        assert fetch_models(url, "", 5) is None


def test_a_refusal_is_no_list():
    with server(b"{}", 401) as (url, _):
        assert fetch_models(url, "", 5) is None


def test_a_key_is_never_taken_to_another_address():
    with server(b'{"data": []}') as (elsewhere, seen):
        headers = (("Location", f"{elsewhere}/models"),)
        with server(b"", 302, headers) as (url, _):
            assert fetch_models(url, "k3y", 5) is None
    assert seen == []


def test_nobody_there_is_no_list():
    assert fetch_models("http://127.0.0.1:1/v1", "", 5) is None
