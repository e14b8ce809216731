"""Ten turns with the real local model in a real browser, by the one command, from nothing.

What a small model says is its own affair: these tests ask what was sent, where it came from, and
in which state every turn ended.
"""

import html
import json
import re
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.support.chat_page import ChatPage
from tests.support.local_run import (
    DEFAULT_MODEL,
    SMALL_MODEL,
    TURN_DEADLINE_MS,
    wait_ready,
)
from tests.support.page_watch import PageWatch
from tests.support.web_process import WebProcess, run_python

pytestmark = pytest.mark.local_model

PLANTED = "zebrafinch"
QUESTIONS = (
    "Say hello in five words.",
    "Name one river in Europe.",
    "Назови одну реку в Сибири. Ответь одним предложением.",
    "用一句话介绍长江。",
    "Write a Python function that adds two numbers. Only the code.",
)


@pytest.fixture(scope="module")
def chat(chromium: Browser, local_run: WebProcess) -> Iterator[ChatPage]:
    """Open a conversation; the page is there before the model, and says when it can answer."""
    context = chromium.new_context(base_url=local_run.url, locale="en-US")
    watch = PageWatch(context)
    page = ChatPage(context.new_page(), watch)
    page.open_new()
    wait_ready(page, local_run)
    yield page
    context.close()
    assert watch.faults() == []


def exact_request(chat: ChatPage, attempt: str) -> tuple[dict[str, Any], str]:
    """Return what the panel shows of a request: the body, and whether it is proven."""
    fragment = chat.page.request.get(f"{chat.page.url.split('?')[0]}attempts/{attempt}").text()
    shown = re.search(r"<pre[^>]*><code>(.*?)</code></pre>", fragment, re.DOTALL)
    assert shown is not None
    return json.loads(html.unescape(shown.group(1))), fragment


def check_turn(chat: ChatPage, number: int, question: str, model: str) -> None:
    """Check that the newest turn is whole: its end, its tokens, and every word that was sent."""
    turns = chat.state()["turns"]
    assert len(turns) == number
    newest, attempt = turns[-1], turns[-1]["attempts"][-1]
    assert (newest["status"], newest["input_text"]) == ("committed", question)
    assert newest["answer_text"]
    assert attempt["model_name"] == model
    assert (attempt["prompt_quality"], attempt["completion_quality"]) == ("reported", "reported")
    assert attempt["first_token_ms"] > 0
    assert attempt["prompt_tokens"] + attempt["completion_tokens"] <= attempt["window_tokens"]
    body, fragment = exact_request(chat, attempt["id"])
    assert "proof-good" in fragment
    check_sources(body["messages"], turns, attempt)


def check_sources(
    sent: list[dict[str, str]], turns: list[dict[str, Any]], attempt: dict[str, Any]
) -> None:
    """Check that what was sent is the system prompt and the newest turns, word for word."""
    said = []
    for turn in turns[attempt["dropped_turns"] : -1]:
        said += [turn["input_text"], turn["answer_text"]]
    said.append(turns[-1]["input_text"])
    assert sent[0]["role"] == "system"
    messages = [message["content"] for message in sent[1:]]
    if any(segment["kind"] == "state_block" for segment in attempt["segments"]):
        # What memory gives back stands in front of the input.
        del messages[-2]
    assert messages == said


def wait_first_text(chat: ChatPage) -> None:
    """Wait until the answer is under way, whatever its words are."""
    answer = chat.turns.last.locator(".answer")
    expect(answer).to_have_text(re.compile(r"\S"), timeout=TURN_DEADLINE_MS)


def test_ten_turns(chat: ChatPage):
    number = 0
    for question in QUESTIONS:
        number += 1
        ask(chat, question)
        check_turn(chat, number, question, DEFAULT_MODEL)

    # The picker works between any two turns, and the thread is the same for the other model.
    chat.choose_model(SMALL_MODEL)
    number += 1
    ask(chat, "Say one word.")
    check_turn(chat, number, "Say one word.", SMALL_MODEL)
    chat.choose_model(DEFAULT_MODEL)

    # A reload in the middle shows everything so far and goes on.
    number += 1
    question = "Count from one to thirty, one number a line."
    chat.send(question)
    wait_first_text(chat)
    chat.reload()
    chat.wait_idle(TURN_DEADLINE_MS)
    check_turn(chat, number, question, DEFAULT_MODEL)

    # Stop keeps what was written.
    number += 1
    question = "Write a very long story about a river, with as many details as you can."
    chat.send(question)
    wait_first_text(chat)
    chat.stop()
    chat.wait_idle(TURN_DEADLINE_MS)
    stopped = chat.state()["turns"][-1]
    assert (stopped["status"], stopped["finish"]) == ("committed", "stopped")
    assert stopped["answer_text"]

    for question in (f"The code word is {PLANTED}. Say yes.", "What is the code word?"):
        number += 1
        ask(chat, question)
        check_turn(chat, number, question, DEFAULT_MODEL)
    assert number == 10


def test_the_log_verifies_and_nothing_personal_lies_in_the_files(
    chat: ChatPage, local_run: WebProcess, local_data_dir: Path
):
    assert chat.state()["turns"], "the ten turns come first"
    found = [
        str(path.relative_to(local_data_dir))
        for path in local_data_dir.rglob("*")
        if path.is_file() and path.suffix != ".gguf" and PLANTED.encode() in path.read_bytes()
    ]

    assert found == []
    assert "verified" in run_python(local_data_dir, {}, "manage.py", "verify_log")
    assert local_run.is_running


def test_ctrl_c_ends_everything(chat: ChatPage, local_run: WebProcess):
    # Leave the page first: its console would tell of the lost server.
    chat.page.goto("about:blank")

    local_run.send_signal(signal.SIGINT)

    # `make` itself may end by the signal; what it started ends in order.
    assert local_run.wait() in {0, 2, 130, -signal.SIGINT}
    assert not answers(local_run.url)


def ask(chat: ChatPage, question: str) -> None:
    chat.send(question)
    chat.wait_idle(TURN_DEADLINE_MS)


def answers(url: str) -> bool:
    port = int(url.rsplit(":", 1)[1])
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0
