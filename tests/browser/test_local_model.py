"""The main job, from nothing: `make run` in a fresh copy, then ten turns with the local model."""

import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.support.chat_page import ChatPage
from tests.support.page_watch import PageWatch
from tests.support.web_process import ROOT, WebProcess

pytestmark = pytest.mark.local_model

MODEL = "qwen2.5-coder-1.5b"
DATA_VARIABLE = "GLASSBOX_LOCAL_TEST_DATA"
"""Where weights are kept from one run to the next; everything else in it is made anew."""
KEPT = ("cache", "models")
START_DEADLINE_S = 900.0
MODEL_DEADLINE_MS = 1_800_000
TURN_DEADLINE_MS = 300_000
QUESTIONS = (
    "My order has the number 48371. Answer with one word: noted?",
    "The jacket is blue. Answer with one word: noted?",
    "Ответь одним словом: ты меня понимаешь?",
    "用一个词回答:你好吗?",
    "Name one colour, in one word.",
    "Name one animal, in one word.",
    "Write one line of Python that prints 1.",
    "Answer with one word: is the sky green?",
    "Count from 1 to 3.",
    "What is the number of my order? Answer with the number only.",
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


@pytest.fixture
def page(chromium: Browser, running: WebProcess) -> Iterator[ChatPage]:
    context = chromium.new_context(base_url=running.url, locale="en-US")
    yield ChatPage(context.new_page(), PageWatch(context))
    context.close()


def test_ten_turns_from_nothing(page: ChatPage, running: WebProcess):
    page.open_new()
    page.wait_model_ready(MODEL_DEADLINE_MS)

    for question in QUESTIONS:
        page.send(question)
        page.wait_idle(TURN_DEADLINE_MS)

    state = page.state()
    assert [turn["input_text"] for turn in state["turns"]] == list(QUESTIONS)
    for turn in state["turns"]:
        assert_answered_locally(turn)
    assert_grows(state["turns"])
    assert page.watch.faults() == []

    running.send_signal(signal.SIGINT)
    assert running.wait() in {0, 130}
    assert not answers(running.url)


def assert_answered_locally(turn: dict[str, Any]) -> None:
    """Check who answered, from what, and that it was counted exactly; never the words."""
    assert turn["status"] == "committed"
    assert turn["answer_text"]
    (attempt,) = turn["attempts"]
    assert attempt["status"] == "succeeded"
    assert attempt["model_name"] == MODEL
    assert attempt["prompt_quality"] in {"exact", "reported"}
    assert attempt["prompt_tokens"] > 0
    assert attempt["first_token_ms"] > 0


def assert_grows(turns: list[dict[str, Any]]) -> None:
    """Check that each request stands on the messages before it."""
    parts = [turn["attempts"][0]["segments"] for turn in turns]
    kept = [[p for p in segments if p["kind"] in {"message", "input"}] for segments in parts]
    assert [len(segments) for segments in kept] == [2 * n + 1 for n in range(len(turns))]


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def answers(url: str) -> bool:
    port = int(url.rsplit(":", 1)[1])
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0
