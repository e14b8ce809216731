import asyncio
import os
import signal
import sys
import textwrap
import time
from pathlib import Path

import pytest

from chatapp.local import children
from chatapp.local.children import Child, ChildSpec
from chatapp.local.faults import LocalError

LIMIT_S = 20


def spec(tmp_path, code, **more):
    command = [sys.executable, "-u", "-c", textwrap.dedent(code)]
    return ChildSpec("it", command, tmp_path / "logs" / "it.log", tmp_path, **more)


def log_of(tmp_path):
    return (tmp_path / "logs" / "it.log").read_text()


def is_alive(pid):
    try:
        # A zombie has ended: only its parent has not looked yet.
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


async def wait_for(condition):
    async with asyncio.timeout(LIMIT_S):
        # Another process changes it: there is no event to wait for.
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.02)


async def test_output_goes_to_the_log_and_to_the_listener(tmp_path):
    lines = []
    code = "import time; print('hello'); time.sleep(60)"
    child = Child(spec(tmp_path, code, on_line=lines.append))
    running = asyncio.create_task(child.run())
    await wait_for(lambda: lines)
    await child.stop()
    await running
    assert lines == ["hello"]
    assert log_of(tmp_path) == "hello\n"


async def test_only_what_may_be_kept_is_logged(tmp_path):
    lines = []
    code = "import time; print('open'); print('secret'); time.sleep(60)"
    keep = lambda line: None if "secret" in line else line  # noqa: E731
    child = Child(spec(tmp_path, code, keep=keep, on_line=lines.append))
    running = asyncio.create_task(child.run())
    await wait_for(lambda: len(lines) == 2)
    await child.stop()
    await running
    assert log_of(tmp_path) == "open\n"


async def test_secrets_travel_in_the_environment(tmp_path):
    lines = []
    code = "import os, time; print(os.environ['IT']); time.sleep(60)"
    child = Child(spec(tmp_path, code, environ={"IT": "s3cret"}, on_line=lines.append))
    running = asyncio.create_task(child.run())
    await wait_for(lambda: lines)
    await child.stop()
    await running
    assert lines == ["s3cret"]
    assert "s3cret" not in " ".join(child.spec.command)


async def test_a_crashed_process_is_started_again(tmp_path, monkeypatch):
    monkeypatch.setattr(children, "FIRST_DELAY_S", 0.01)
    exits = []
    code = """
        import pathlib, sys, time
        if not pathlib.Path("once").exists():
            pathlib.Path("once").touch()
            sys.exit(3)
        print("second life")
        time.sleep(60)
    """
    lines = []
    child = Child(spec(tmp_path, code, on_line=lines.append, on_exit=lambda: exits.append(1)))
    running = asyncio.create_task(child.run())
    await wait_for(lambda: lines)
    await child.stop()
    await running
    assert exits == [1]


async def test_a_process_that_ends_at_once_is_given_up_with_its_last_words(tmp_path, monkeypatch):
    monkeypatch.setattr(children, "FIRST_DELAY_S", 0.01)
    child = Child(spec(tmp_path, "import sys; print('no such table'); sys.exit(7)"))
    with pytest.raises(LocalError, match=r"it process .* 3 times .*exit code 7.*no such table"):
        await asyncio.wait_for(child.run(), LIMIT_S)


async def test_a_process_that_lived_long_starts_with_a_clean_slate(tmp_path, monkeypatch):
    monkeypatch.setattr(children, "FIRST_DELAY_S", 0.01)
    monkeypatch.setattr(children, "STEADY_S", 0.0)
    exits = []
    child = Child(spec(tmp_path, "", on_exit=lambda: exits.append(1)))
    running = asyncio.create_task(child.run())
    await wait_for(lambda: len(exits) > children.QUICK_DEATHS or running.done())
    await child.stop()
    await running
    assert len(exits) > children.QUICK_DEATHS


async def test_stopping_lets_a_process_end_in_its_own_way(tmp_path):
    code = """
        import signal, sys, time
        signal.signal(signal.SIGTERM, lambda *_: (print("goodbye"), sys.exit(0)))
        print("ready")
        while True: time.sleep(0.1)
    """
    lines = []
    child = Child(spec(tmp_path, code, on_line=lines.append, stop_s=LIMIT_S))
    running = asyncio.create_task(child.run())
    await wait_for(lambda: lines)
    await child.stop()
    await running
    assert lines == ["ready", "goodbye"]


async def test_a_process_that_will_not_end_is_killed(tmp_path):
    code = """
        import signal, time
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        print("ready")
        while True: time.sleep(0.1)
    """
    lines = []
    child = Child(spec(tmp_path, code, on_line=lines.append, stop_s=0.2))
    running = asyncio.create_task(child.run())
    await wait_for(lambda: lines)
    started = time.monotonic()
    await child.stop()
    await running
    assert time.monotonic() - started < LIMIT_S / 2


async def test_what_a_process_started_ends_with_it(tmp_path):
    code = """
        import subprocess, sys, time
        other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)"])
        print(other.pid)
        time.sleep(300)
    """
    lines = []
    child = Child(spec(tmp_path, code, on_line=lines.append))
    running = asyncio.create_task(child.run())
    await wait_for(lambda: lines)
    other = int(lines[0])
    assert is_alive(other)
    await child.stop()
    await asyncio.wait_for(running, LIMIT_S)
    await wait_for(lambda: not is_alive(other))
    assert not is_alive(other)


async def test_stopping_before_the_start_starts_nothing(tmp_path):
    child = Child(spec(tmp_path, "print('never')"))
    await child.stop()
    await asyncio.wait_for(child.run(), LIMIT_S)
    assert not (tmp_path / "logs").exists()


async def test_stopping_while_it_starts_ends_it(tmp_path, monkeypatch):
    spawn, spawned = asyncio.create_subprocess_exec, []

    async def watched(*command, **more):
        spawned.append(await spawn(*command, **more))
        return spawned[-1]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", watched)
    child = Child(spec(tmp_path, "import time; time.sleep(300)"))
    running = asyncio.create_task(child.run())
    await asyncio.sleep(0)
    assert spawned == []
    await child.stop()
    await asyncio.wait_for(running, LIMIT_S)
    assert [process.returncode for process in spawned] == [-signal.SIGTERM]


async def test_a_child_has_a_group_of_its_own(tmp_path):
    lines = []
    code = "import os, time; print(os.getpgrp()); time.sleep(60)"
    child = Child(spec(tmp_path, code, on_line=lines.append))
    running = asyncio.create_task(child.run())
    await wait_for(lambda: lines)
    child.kill()
    await asyncio.wait_for(running, LIMIT_S)
    assert int(lines[0]) != os.getpgrp()
