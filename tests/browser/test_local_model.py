"""Ten turns with the real local model in a real browser, by the one command, from nothing.

What a small model says is its own affair: these tests ask what was sent, where it came from, and
in which state every turn ended.
"""

import contextlib
import html
import json
import os
import re
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from tests.support.chat_page import ChatPage
from tests.support.page_watch import PageWatch
from tests.support.web_process import ROOT, WebProcess, run_python

pytestmark = pytest.mark.local_model

DEFAULT = "qwen2.5-coder-1.5b"
SMALL = "smollm2-135m"
PLANTED = "zebrafinch"
DATA_VARIABLE = "GLASSBOX_LOCAL_TEST_DATA"
"""Where weights are kept from one run to the next; everything else in it is made anew."""
KEPT = ("cache", "models")
START_DEADLINE_S = 900.0
MODEL_DEADLINE_MS = 1_200_000
READY_POLL_MS = 5_000
TURN_DEADLINE_MS = 300_000
QUESTIONS = (
    "Say hello in five words.",
    "Name one river in Europe.",
    "Назови одну реку в Сибири. Ответь одним предложением.",
    "用一句话介绍长江。",
    "Write a Python function that adds two numbers. Only the code.",
)


@pytest.fixture(scope="module")
def data_dir() -> Path:
    """Return a data folder that holds nothing but weights of an earlier run."""
    folder = Path(os.environ.get(DATA_VARIABLE) or ROOT / ".cache" / "local-model")
    folder.mkdir(parents=True, exist_ok=True)
    for entry in folder.iterdir():
        if entry.name not in KEPT:
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    return folder


@pytest.fixture(scope="module")
def fresh_copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of what git tracks: no environment, no data."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    copy = tmp_path_factory.mktemp("fresh")
    for name in filter(None, listed.stdout.decode().split("\0")):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, copy / name)
    return copy


@pytest.fixture(scope="module")
def running(data_dir: Path, fresh_copy: Path) -> Iterator[WebProcess]:
    """Run `make run` in the copy."""
    process = WebProcess(
        data_dir,
        {"PORT": str(free_port())},
        name="make-run",
        command=("make", "run"),
        folder=fresh_copy,
        start_deadline_s=START_DEADLINE_S,
    )
    with process:
        yield process


@pytest.fixture(scope="module")
def chat(chromium: Browser, running: WebProcess) -> Iterator[ChatPage]:
    """Open a conversation; the page is there before the model, and says when it can answer."""
    context = chromium.new_context(base_url=running.url, locale="en-US")
    watch = PageWatch(context)
    page = ChatPage(context.new_page(), watch)
    page.open_new()
    wait_ready(page, running)
    yield page
    context.close()
    assert watch.faults() == []


def wait_ready(page: ChatPage, running: WebProcess) -> None:
    """Wait until the model can be asked, for as long as what serves it is there."""
    for _ in range(MODEL_DEADLINE_MS // READY_POLL_MS):
        assert running.is_running, running.log
        with contextlib.suppress(PlaywrightTimeoutError):
            page.wait_model_ready(READY_POLL_MS)
            return
    raise AssertionError(f"The model is not ready:\n{running.log}")


def exact_request(chat: ChatPage, attempt: str) -> tuple[dict[str, Any], str]:
    """Return what the panel shows of a request: the body, and whether it is proven."""
    fragment = chat.page.request.get(f"{chat.page.url}attempts/{attempt}").text()
    shown = re.search(r"<pre[^>]*>(.*?)</pre>", fragment, re.DOTALL)
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
    assert [message["content"] for message in sent[1:]] == said


def wait_first_text(chat: ChatPage) -> None:
    """Wait until the answer is under way, whatever its words are."""
    answer = chat.turns.last.locator(".answer")
    expect(answer).to_have_text(re.compile(r"\S"), timeout=TURN_DEADLINE_MS)


def test_ten_turns(chat: ChatPage):
    number = 0
    for question in QUESTIONS:
        number += 1
        ask(chat, question)
        check_turn(chat, number, question, DEFAULT)

    # The picker works between any two turns, and the thread is the same for the other model.
    chat.choose_model(SMALL)
    number += 1
    ask(chat, "Say one word.")
    check_turn(chat, number, "Say one word.", SMALL)
    chat.choose_model(DEFAULT)

    # A reload in the middle shows everything so far and goes on.
    number += 1
    question = "Count from one to thirty, one number a line."
    chat.send(question)
    wait_first_text(chat)
    chat.reload()
    chat.wait_idle(TURN_DEADLINE_MS)
    check_turn(chat, number, question, DEFAULT)

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
        check_turn(chat, number, question, DEFAULT)
    assert number == 10


def test_the_log_verifies_and_nothing_personal_lies_in_the_files(
    chat: ChatPage, running: WebProcess, data_dir: Path
):
    assert chat.state()["turns"], "the ten turns come first"
    found = [
        str(path.relative_to(data_dir))
        for path in data_dir.rglob("*")
        if path.is_file() and path.suffix != ".gguf" and PLANTED.encode() in path.read_bytes()
    ]

    assert found == []
    assert "verified" in run_python(data_dir, {}, "manage.py", "verify_log")
    assert running.is_running


def test_ctrl_c_ends_everything(chat: ChatPage, running: WebProcess):
    # Leave the page first: its console would tell of the lost server.
    chat.page.goto("about:blank")

    running.send_signal(signal.SIGINT)

    # `make` itself may end by the signal; what it started ends in order.
    assert running.wait() in {0, 2, 130, -signal.SIGINT}
    assert not answers(running.url)


def ask(chat: ChatPage, question: str) -> None:
    chat.send(question)
    chat.wait_idle(TURN_DEADLINE_MS)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def answers(url: str) -> bool:
    port = int(url.rsplit(":", 1)[1])
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0
