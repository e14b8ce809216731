import asyncio
import io
import os
import signal
import sys
import textwrap

import pytest

from chatapp.local import children, supervisor
from chatapp.local.board import StatusBoard
from chatapp.local.children import ChildSpec
from chatapp.local.faults import LocalError
from chatapp.local.machine import require_port
from chatapp.local.status import read_status
from chatapp.local.supervisor import Parts, Supervisor

LIMIT_S = 30

WEB = """
import http.server, pathlib, signal, sys

class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200 if self.path == "/healthz" else 404)
        self.end_headers()
    def log_message(self, *_):
        pass

def leave(*_):
    with open("order.txt", "a") as order:
        order.write("web ends\\n")
    sys.exit(0)

signal.signal(signal.SIGTERM, leave)
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Page).serve_forever()
"""

OTHER = """
import signal, sys, time
def leave(*_):
    with open("order.txt", "a") as order:
        order.write(sys.argv[1] + " ends\\n")
    sys.exit(0)
signal.signal(signal.SIGTERM, leave)
with open("order.txt", "a") as order:
    order.write(sys.argv[1] + " starts\\n")
while True: time.sleep(0.05)
"""


class FakeService:
    """A model that is there, or that cannot be had."""

    def __init__(self, name, fault=""):
        self.name = name
        self.fault = fault
        self.stopped = asyncio.Event()

    async def run(self):
        if self.fault:
            raise LocalError(self.fault)
        await self.stopped.wait()

    async def stop(self):
        self.stopped.set()

    def kill(self):
        self.stopped.set()


class Run:
    """One run of the supervisor on stand-in programs."""

    def __init__(self, tmp_path, monkeypatch):
        monkeypatch.setattr(children, "FIRST_DELAY_S", 0.01)
        self.folder = tmp_path
        self.port = require_port(0)
        self.out, self.err = io.StringIO(), io.StringIO()
        self.web_code = WEB
        self.web_stop_s = 10.0
        self.models = []
        self.only_local = True
        self.prepare = lambda: None
        self.worker = None

    def spec(self, name, code, *words, stop_s=10.0):
        command = [sys.executable, "-u", "-c", textwrap.dedent(code), *words]
        log = self.folder / "logs" / f"{name}.log"
        return ChildSpec(name, command, log, self.folder, stop_s=stop_s)

    def start(self):
        parts = Parts(
            valkey=None,
            socket_folder=None,
            prepare=self.prepare,
            web=self.spec("web", self.web_code, str(self.port), stop_s=self.web_stop_s),
            port=self.port,
            worker=self.worker,
            models=self.models,
            only_local=self.only_local,
        )
        board = StatusBoard(self.folder)
        for model in self.models:
            board.put(model.name, "ready", "Here.", endpoint="http://127.0.0.1:1/v1", key="k")
        run = Supervisor(parts, board, self.out, self.err).run()
        self.running = asyncio.create_task(run)
        return self.running

    def signal(self, number):
        """Send this process a signal, which would end pytest if nobody listened any more."""
        assert not self.running.done(), self.err.getvalue()
        os.kill(os.getpid(), number)

    async def until(self, condition):
        async with asyncio.timeout(LIMIT_S):
            # Another process brings it about: there is no event to wait for.
            while not condition():  # noqa: ASYNC110
                await asyncio.sleep(0.02)

    async def until_up(self):
        await self.until(self.out.getvalue)

    @property
    def order(self):
        path = self.folder / "order.txt"
        return path.read_text().splitlines() if path.exists() else []


@pytest.fixture
def run(tmp_path, monkeypatch):
    return Run(tmp_path, monkeypatch)


async def test_one_address_is_printed_once_the_web_answers(run):
    running = run.start()
    await run.until_up()
    run.signal(signal.SIGTERM)
    assert await asyncio.wait_for(running, LIMIT_S) == 0
    assert run.out.getvalue() == f"Glassbox: http://127.0.0.1:{run.port}/\n"
    assert run.err.getvalue() == ""


async def test_ctrl_c_ends_it_in_order_the_web_first(run):
    run.worker = run.spec("worker", OTHER, "worker")
    running = run.start()
    await run.until(lambda: "worker starts" in run.order)
    run.signal(signal.SIGINT)
    assert await asyncio.wait_for(running, LIMIT_S) == 0
    assert run.order == ["worker starts", "web ends", "worker ends"]


async def test_stopping_takes_the_addresses_of_the_models_away(run):
    run.models = [FakeService("a")]
    running = run.start()
    await run.until_up()
    run.signal(signal.SIGTERM)
    await asyncio.wait_for(running, LIMIT_S)
    assert read_status(run.folder)["a"].state == "stopped"
    assert run.models[0].stopped.is_set()


async def test_the_database_is_ready_before_the_web_starts(run):
    def prepare():
        assert not (run.folder / "logs").exists()
        (run.folder / "prepared").touch()

    run.prepare = prepare
    run.web_code = "import os; assert os.path.exists('prepared')" + WEB
    running = run.start()
    await run.until_up()
    run.signal(signal.SIGTERM)
    assert await asyncio.wait_for(running, LIMIT_S) == 0


async def test_a_database_that_cannot_be_prepared_is_one_sentence_and_no_web(run):
    def prepare():
        raise LocalError("The database is on strike.")

    run.prepare = prepare
    assert await asyncio.wait_for(run.start(), LIMIT_S) == 1
    assert run.err.getvalue() == "The database is on strike.\n"
    assert run.out.getvalue() == ""


async def test_a_web_that_does_not_start_is_one_sentence(run):
    run.web_code = "raise SystemExit('no such setting')"
    assert await asyncio.wait_for(run.start(), LIMIT_S) == 1
    assert "no such setting" in run.err.getvalue()
    assert len(run.err.getvalue().splitlines()) == 1


async def test_a_web_that_never_answers_is_given_up(run, monkeypatch):
    monkeypatch.setattr(supervisor, "WEB_START_S", 0.2)
    run.web_code = "import time; time.sleep(300)"
    assert await asyncio.wait_for(run.start(), LIMIT_S) == 1
    assert "The web process does not answer" in run.err.getvalue()


async def test_a_signal_while_it_starts_ends_it(run):
    run.web_code = "import time; time.sleep(300)"
    running = run.start()
    await run.until((run.folder / "logs" / "web.log").exists)
    run.signal(signal.SIGTERM)
    assert await asyncio.wait_for(running, LIMIT_S) == 0


async def test_a_second_signal_ends_everything_at_once(run):
    run.web_code = WEB.replace("sys.exit(0)", "pass")
    run.web_stop_s = 10.0 * LIMIT_S
    running = run.start()
    await run.until_up()
    run.signal(signal.SIGINT)
    await run.until(lambda: "web ends" in run.order)
    assert answers(run.port)
    run.signal(signal.SIGINT)
    assert await asyncio.wait_for(running, LIMIT_S) == 0
    assert not answers(run.port)


async def test_a_crashed_web_comes_back(run):
    run.web_code = "print(__import__('os').getpid(), flush=True)\n" + WEB
    running = run.start()
    await run.until_up()
    log = run.folder / "logs" / "web.log"
    os.kill(int(log.read_text().split()[0]), signal.SIGKILL)
    await run.until(lambda: len(log.read_text().split()) == 2)
    await run.until(lambda: answers(run.port))
    run.signal(signal.SIGTERM)
    assert await asyncio.wait_for(running, LIMIT_S) == 0
    assert run.out.getvalue().count("Glassbox:") == 1


def answers(port):
    import socket  # noqa: PLC0415

    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


async def test_without_any_model_the_run_ends_with_the_reason(run):
    run.models = [FakeService("a", "The download broke off."), FakeService("b", "So did this.")]
    assert await asyncio.wait_for(run.start(), LIMIT_S) == 1
    assert run.err.getvalue().splitlines() == ["The download broke off.", "So did this."]


async def test_one_model_of_two_is_enough_to_go_on_and_the_exit_code_tells(run):
    run.models = [FakeService("a"), FakeService("b", "The download broke off.")]
    running = run.start()
    await run.until(run.err.getvalue)
    assert not running.done()
    run.signal(signal.SIGTERM)
    assert await asyncio.wait_for(running, LIMIT_S) == 1


async def test_remote_models_go_on_when_the_local_one_fails(run):
    run.only_local = False
    run.models = [FakeService("a", "The download broke off.")]
    running = run.start()
    await run.until(run.err.getvalue)
    assert not running.done()
    run.signal(signal.SIGTERM)
    await asyncio.wait_for(running, LIMIT_S)


async def test_a_mistake_in_the_program_is_not_swallowed(run):
    def prepare():
        raise ZeroDivisionError

    run.prepare = prepare
    with pytest.raises(ZeroDivisionError):
        await asyncio.wait_for(run.start(), LIMIT_S)
