"""`make run` in a copy of what git tracks, with the real local models, for all tests of a run."""

import contextlib
import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from tests.support.chat_page import ChatPage
from tests.support.web_process import ROOT, WebProcess

DEFAULT_MODEL = "qwen2.5-coder-1.5b"
SMALL_MODEL = "smollm2-135m"
DATA_VARIABLE = "GLASSBOX_LOCAL_TEST_DATA"
"""Where weights are kept from one run to the next; everything else in it is made anew."""
KEPT = ("cache", "models")
START_DEADLINE_S = 900.0
MODEL_DEADLINE_MS = 1_200_000
READY_POLL_MS = 5_000
TURN_DEADLINE_MS = 300_000


@pytest.fixture(scope="session")
def local_data_dir() -> Path:
    """Return a data folder that holds nothing but weights of an earlier run."""
    folder = Path(os.environ.get(DATA_VARIABLE) or ROOT / ".cache" / "local-model")
    folder.mkdir(parents=True, exist_ok=True)
    for entry in folder.iterdir():
        if entry.name not in KEPT:
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    return folder


@pytest.fixture(scope="session")
def local_copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of what git tracks: no environment, no data."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    copy = tmp_path_factory.mktemp("fresh")
    for name in filter(None, listed.stdout.decode().split("\0")):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, copy / name)
    return copy


@pytest.fixture(scope="session")
def local_run(local_data_dir: Path, local_copy: Path) -> Iterator[WebProcess]:
    """Run `make run` in the copy; the last test may end it."""
    process = WebProcess(
        local_data_dir,
        {"PORT": str(free_port())},
        name="make-run",
        command=("make", "run"),
        folder=local_copy,
        start_deadline_s=START_DEADLINE_S,
    )
    with process:
        yield process


def wait_ready(page: ChatPage, running: WebProcess) -> None:
    """Wait until the model can be asked, for as long as what serves it is there."""
    for _ in range(MODEL_DEADLINE_MS // READY_POLL_MS):
        assert running.is_running, running.log
        with contextlib.suppress(PlaywrightTimeoutError):
            page.wait_model_ready(READY_POLL_MS)
            return
    raise AssertionError(f"The model is not ready:\n{running.log}")


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port
