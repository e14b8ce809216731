import subprocess
import sys

import pytest

from chatapp.local.faults import Busy
from chatapp.local.locks import file_lock

HOLD = """
import sys
from pathlib import Path
from chatapp.local.locks import file_lock
with file_lock(Path(sys.argv[1]), "taken"):
    print("held", flush=True)
    sys.stdin.readline()
"""


def test_a_second_process_is_told_who_holds_it(tmp_path):
    path = tmp_path / "run" / "it.lock"
    command = [sys.executable, "-c", HOLD, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(Busy, match="somebody is at it"), file_lock(path, "somebody is at it"):
            pass
        holder.kill()
        holder.wait()
        # The lock ends with its process, however that ends.
        with file_lock(path, "somebody is at it"):
            pass


def test_it_is_free_again_after_the_block(tmp_path):
    path = tmp_path / "it.lock"
    holders = []
    for name in ("first", "second"):
        with file_lock(path, "taken"):
            holders.append(name)
            with pytest.raises(Busy, match="taken"), file_lock(path, "taken"):
                holders.append("a third")

    assert holders == ["first", "second"]
