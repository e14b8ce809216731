import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from chatapp.local.probing import ask_once


@contextmanager
def server(status, body):
    seen = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            length = int(self.headers["Content-Length"])
            seen.append((self.path, dict(self.headers), json.loads(self.rfile.read(length))))
            self.send_response(status)
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


def test_a_model_that_answers_is_asked_for_one_token():
    with server(200, b'{"choices": [{}]}') as (url, seen):
        answer = ask_once(url, "k3y", "m", limit_field="max_completion_tokens")
    assert answer.fault == ""
    path, headers, body = seen[0]
    assert path == "/v1/chat/completions"
    assert headers["Authorization"] == "Bearer k3y"
    assert (body["model"], body["max_completion_tokens"]) == ("m", 1)


def test_no_key_means_no_header():
    with server(200, b'{"choices": [{}]}') as (url, seen):
        ask_once(url, "", "m")
    assert "Authorization" not in seen[0][1]


@pytest.mark.parametrize(
    ("status", "body", "words"),
    [
        (401, b"{}", "refuses the key (HTTP 401"),
        (404, b"{}", "neither this address nor this model"),
        (429, b"{}", "limit is reached"),
        (500, b"{}", "refuses the request (HTTP 500"),
        (200, b"<html>", "does not answer with JSON"),
        (200, b"[]", "not as a chat completions server does"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(status, body, words):
    with server(status, body) as (url, _):
        assert words in ask_once(url, "k3y", "m").fault


def test_a_server_that_is_not_there_is_named():
    assert "cannot be reached" in ask_once("http://127.0.0.1:1/v1", "", "m").fault


def test_a_fault_never_names_the_key():
    with server(401, b"{}") as (url, _):
        assert "k3y" not in ask_once(url, "k3y", "m").fault
