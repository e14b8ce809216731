import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from chatapp.local import bound, children

LIMIT_S = 20

PARENT = """
import os, subprocess, sys
child = subprocess.Popen([sys.executable, {bound!r}, str(os.getpid()), sys.executable, "-c",
                          {code!r}], stdout=subprocess.PIPE)
print(child.stdout.readline().decode().strip(), flush=True)
sys.stdin.readline()
"""
CHILD = "import os, time; print(os.getpid(), flush=True); time.sleep(300)"


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_until_dead(pid):
    deadline = time.monotonic() + LIMIT_S
    while is_alive(pid):
        assert time.monotonic() < deadline, f"process {pid} outlived its parent"
        # A process of nobody's: there is no event to wait for.
        time.sleep(0.02)


@pytest.mark.skipif(not bound.ON_LINUX, reason="reads /proc")
def test_a_program_dies_with_its_killed_parent():
    code = PARENT.format(bound=str(children.BOUND), code=CHILD)
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as parent:
        pid = int(parent.stdout.readline())
        assert is_alive(pid)
        parent.kill()
        parent.wait()
    wait_until_dead(pid)


def test_a_program_is_not_started_for_a_parent_that_is_gone(tmp_path):
    mark = tmp_path / "started"
    command = [sys.executable, str(children.BOUND), "1", "/usr/bin/touch", str(mark)]
    done = subprocess.run(command, check=False, timeout=LIMIT_S)
    if bound.ON_LINUX:
        assert done.returncode == 1
        assert not mark.exists()


# What other systems do works on Linux too.


def test_staying_beside_a_program_hands_on_its_exit_code():
    command = [sys.executable, "-c", "raise SystemExit(7)"]
    assert run_beside(os.getpid(), command).returncode == 7


def test_staying_beside_a_program_hands_on_signals():
    code = """
        import signal, sys, time
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(9))
        print("ready", flush=True)
        time.sleep(300)
    """
    with beside(os.getpid(), [sys.executable, "-c", textwrap.dedent(code)]) as process:
        assert process.stdout.readline() == "ready\n"
        process.terminate()
        assert process.wait(LIMIT_S) == 9


def test_staying_beside_a_program_ends_it_when_the_parent_is_another():
    done = run_beside(1, [sys.executable, "-c", "import time; time.sleep(300)"])
    assert done.returncode == -15 % 256


BESIDE = """
import runpy, sys
module = runpy.run_path({bound!r})
sys.exit(module["_stay_beside"](int(sys.argv[1]), sys.argv[2:]) % 256)
"""


def beside(parent, command):
    code = BESIDE.format(bound=str(children.BOUND))
    words = [sys.executable, "-c", code, str(parent), *command]
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True)


def run_beside(parent, command):
    with beside(parent, command) as process:
        process.wait(LIMIT_S)
    return process
