"""Runs a program that must not outlive its parent; started by path, so that it imports nothing.

Linux binds the program itself: the kernel sends it SIGTERM when the parent dies. Elsewhere this
process stays beside the program, passes signals on and watches the parent.
"""

import ctypes
import os
import signal
import subprocess
import sys

# Not `sys.platform`: type checkers would take one of the two ways for dead.
ON_LINUX = os.uname().sysname == "Linux"
PR_SET_PDEATHSIG = 1
POLL_S = 0.5
GRACE_S = 12.0
PASSED_ON = (signal.SIGTERM, signal.SIGINT)


def main(parent: int, command: list[str]) -> int:
    """Become the command (Linux) or run it until it or the parent ends (elsewhere)."""
    if ON_LINUX:
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() == parent:
            os.execvp(command[0], command)  # noqa: S606  # no shell wanted
        # The parent died before the binding was in force.
        return 1
    return _stay_beside(parent, command)


def _stay_beside(parent: int, command: list[str]) -> int:
    process = subprocess.Popen(command)  # noqa: S603  # the supervisor's own command
    for number in PASSED_ON:
        signal.signal(number, lambda received, _frame: process.send_signal(received))
    while os.getppid() == parent:
        try:
            return process.wait(POLL_S)
        except subprocess.TimeoutExpired:
            continue
    process.terminate()
    try:
        return process.wait(GRACE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
