import asyncio
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from chatapp.local import children, model_service
from chatapp.local.board import StatusBoard
from chatapp.local.faults import Cancelled, LocalError
from chatapp.local.model_service import ModelService, Serving
from chatapp.local.status import read_status
from tests.local.conftest import small_model

LIMIT_S = 20

SERVER = """
import os, sys, time
key = os.environ["GLASSBOX_LOCAL_KEY"]
assert key not in sys.argv
print("a secret of the user")
print("listens on http://127.0.0.1:5", flush=True)
time.sleep(300)
"""


@pytest.fixture
def service(tmp_path, monkeypatch):
    """Return a service whose server is a script, and whose weights are here."""
    (tmp_path / "stand_in.py").write_text(SERVER)
    monkeypatch.setattr(model_service, "SERVER_MODULE", "stand_in")
    monkeypatch.setattr(children, "FIRST_DELAY_S", 0.01)

    def make(ensure=lambda *_args, **_more: Path("weights.gguf"), on_progress=lambda *_: None):
        model = replace(small_model([], b""), size_bytes=10)
        serving = Serving(model, 2048, tmp_path / "data", tmp_path)
        board = StatusBoard(tmp_path / "data")
        return ModelService(serving, board, on_progress, ensure)

    return make


def status(tmp_path):
    return read_status(tmp_path / "data").get("tiny")


async def until(tmp_path, state):
    async with asyncio.timeout(LIMIT_S):
        # Another process brings it about: there is no event to wait for.
        while (found := status(tmp_path)) is None or found.state != state:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    return found


async def test_a_server_that_listens_is_ready_with_address_and_key(service, tmp_path):
    one = service()
    running = asyncio.create_task(one.run())
    ready = await until(tmp_path, "ready")
    await one.stop()
    await running
    assert ready.endpoint == "http://127.0.0.1:5/v1"
    assert len(ready.key) >= 24


async def test_words_of_the_user_stay_out_of_the_log(service, tmp_path):
    one = service()
    running = asyncio.create_task(one.run())
    await until(tmp_path, "ready")
    await one.stop()
    await running
    assert "secret" not in (tmp_path / "data" / "logs" / "tiny.log").read_text()


async def test_the_window_and_slots_are_handed_on(service):
    words = list(service()._spec(Path("weights.gguf")).command)
    assert words[:3] == [sys.executable, "-m", "stand_in"]
    assert words[words.index("--window") + 1] == "2048"
    assert words[words.index("--slots") + 1] == "2"
    assert words[words.index("--cache-ram-mib") + 1] == "16"


async def test_a_download_shows_how_far_it_is(service, tmp_path):
    shown = []

    def ensure(*_args, on_progress, **_more):
        on_progress(1, 4)
        shown.append(status(tmp_path))
        raise LocalError("enough")

    with pytest.raises(LocalError, match="enough"):
        await service(ensure, lambda *amounts: shown.append(amounts)).run()
    assert shown[0] == (1, 4)
    assert (shown[1].state, shown[1].progress) == ("downloading", 0.25)


async def test_a_failed_download_says_why(service, tmp_path):
    def ensure(*_args, **_more):
        raise LocalError("The network is down.")

    with pytest.raises(LocalError):
        await service(ensure).run()
    assert (status(tmp_path).state, status(tmp_path).detail) == ("failed", "The network is down.")


async def test_a_server_that_keeps_ending_is_failed(service, tmp_path):
    (tmp_path / "stand_in.py").write_text("raise SystemExit(4)")
    with pytest.raises(LocalError, match="3 times in a row"):
        await asyncio.wait_for(service().run(), LIMIT_S)
    assert status(tmp_path).state == "failed"


async def test_a_server_that_crashed_is_not_ready_until_it_is_back(service, tmp_path):
    (tmp_path / "stand_in.py").write_text(
        SERVER.replace("time.sleep(300)", "time.sleep(300 if os.path.exists('once') else 0)")
        + "open('once', 'w').close()\n"
    )
    seen = []
    one = service()
    put = one._board.put

    def noting(name, state, *words, **more):
        seen.append(state)
        put(name, state, *words, **more)

    one._board.put = noting
    running = asyncio.create_task(one.run())
    async with asyncio.timeout(LIMIT_S):
        while seen.count("ready") < 2:  # noqa: ASYNC110  # another process brings it about
            await asyncio.sleep(0.02)
    await one.stop()
    await running
    assert seen == ["starting", "ready", "starting", "ready"]


async def test_stopping_breaks_off_a_download(service, tmp_path):
    def ensure(*_args, cancelled, **_more):
        assert cancelled.wait(LIMIT_S)
        raise Cancelled("stopped")

    one = service(ensure)
    running = asyncio.create_task(one.run())
    await asyncio.sleep(0)
    await one.stop()
    await asyncio.wait_for(running, LIMIT_S)
    assert status(tmp_path).state == "stopped"


async def test_stopping_between_download_and_server_starts_no_server(service, tmp_path):
    def ensure(*_args, cancelled, **_more):
        cancelled.wait(LIMIT_S)
        return Path("weights.gguf")

    one = service(ensure)
    running = asyncio.create_task(one.run())
    await asyncio.sleep(0)
    one.kill()
    await asyncio.wait_for(running, LIMIT_S)
    assert not (tmp_path / "data" / "logs").exists()
