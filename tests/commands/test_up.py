import os
import signal
import socket
import subprocess
import sys
import threading
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
from django.core.management import call_command

from chatapp.llm.registry import Registry
from chatapp.local import llama_server, machine, valkey
from chatapp.local.catalogue import GIB, SMOLLM2
from chatapp.local.machine import require_port
from chatapp.local.valkey import find_binary
from chatapp.management.commands import up
from tests.support.installation import models_toml
from tests.support.web_process import ROOT, clean_environment

LIMIT_S = 90
LOCAL = """
[[models]]
name = "{name}"
local = true
window_tokens = 2048
reply_reserve_tokens = 256
"""
REMOTE = """
[[models]]
name = "{name}"
endpoint = "http://127.0.0.1:9/v1"
key_variable = "{key}"
window_tokens = 4096
reply_reserve_tokens = 512
"""


class Setting:
    """A data folder, a models file, and a supervisor that only notes what it was given."""

    def __init__(self, folder, monkeypatch, settings):
        self.folder = folder
        self.environ = {"GLASSBOX_MODELS": str(folder / "models.toml")}
        self.parts = None
        settings.DATA_DIR = folder / "data"
        settings.REDIS_URL = ""
        settings.ALLOWED_HOSTS = ["127.0.0.1"]
        monkeypatch.delenv("GLASSBOX_LOCAL_USER", raising=False)
        registry = Registry(environ=self.environ, data_dir=settings.DATA_DIR, shipped=folder)
        monkeypatch.setattr(up, "registry", lambda: registry)
        monkeypatch.setattr(up, "Supervisor", self.supervise)
        monkeypatch.setattr(machine, "free_memory_bytes", lambda: 8 * GIB)
        monkeypatch.setattr(llama_server, "is_installed", lambda: True)
        monkeypatch.setattr(valkey, "find_binary", lambda: Path("/bin/valkey-server"))

    def models(self, text):
        (self.folder / "models.toml").write_text(text)

    def supervise(self, parts, _board, _out, _err):
        self.parts = parts

        async def run():
            return 0

        return SimpleNamespace(run=run)

    def up(self, *words):
        with pytest.raises(SystemExit) as ended:
            call_command("up", *(words or ("--port", "0")))
        return ended.value.code


@pytest.fixture
def setting(tmp_path, monkeypatch, settings):
    made = Setting(tmp_path, monkeypatch, settings)
    made.models(LOCAL.format(name="smollm2-135m"))
    return made


def test_web_worker_broker_and_models_are_started(setting):
    assert setting.up() == 0
    assert setting.parts.valkey.command[0] == "/bin/valkey-server"
    assert setting.parts.worker is not None
    assert [service.name for service in setting.parts.models] == ["smollm2-135m"]
    assert setting.parts.only_local


def test_all_processes_know_the_same_address_and_models(setting, settings):
    setting.up()
    environ = setting.parts.web.environ
    assert environ["REDIS_URL"] == f"unix://{setting.parts.socket_folder}/valkey.sock"
    assert environ["GLASSBOX_MODELS"] == str(setting.folder / "models.toml")
    assert environ["DATA_DIR"] == str(settings.DATA_DIR)
    assert environ["GLASSBOX_LOCAL_USER"] == "1"
    assert setting.parts.worker.environ == environ


@pytest.mark.parametrize(
    ("hosts", "told", "signs_in"),
    [
        (["localhost", "127.0.0.1"], None, "1"),
        (["localhost", "chat.example.org"], None, "0"),
        (["localhost"], "0", "0"),
    ],
)
def test_nobody_is_signed_in_without_a_password_where_others_may_come_in(
    setting, settings, monkeypatch, hosts, told, signs_in
):
    settings.ALLOWED_HOSTS = hosts
    monkeypatch.setenv("GLASSBOX_LOCAL_USER", told or "")
    setting.up()
    assert setting.parts.web.environ["GLASSBOX_LOCAL_USER"] == signs_in


def test_the_socket_folder_is_gone_afterwards(setting):
    setting.up()
    assert not setting.parts.socket_folder.exists()


def test_a_redis_of_ones_own_is_used(setting, settings):
    settings.REDIS_URL = "redis://127.0.0.1:9/0"
    setting.up()
    assert setting.parts.valkey is None
    assert setting.parts.web.environ["REDIS_URL"] == "redis://127.0.0.1:9/0"
    assert setting.parts.worker is not None


def test_a_machine_without_a_broker_runs_in_one_process_and_says_so(setting, monkeypatch, capsys):
    monkeypatch.setattr(valkey, "find_binary", lambda: None)
    assert setting.up() == 0
    assert (setting.parts.valkey, setting.parts.worker) == (None, None)
    assert setting.parts.web.environ["REDIS_URL"] == ""
    assert capsys.readouterr().err == f"{up.NO_BROKER}\n"


def test_a_machine_without_a_model_server_goes_on_and_says_so(setting, monkeypatch, capsys):
    monkeypatch.setattr(llama_server, "is_installed", lambda: False)
    assert setting.up() == 0
    assert setting.parts.models == []
    assert capsys.readouterr().err == f"{up.NO_MODEL_SERVER}\n"


def refused(setting, capsys, *words):
    assert setting.up(*words) == 1
    assert setting.parts is None
    sentences = capsys.readouterr().err.splitlines()
    assert len(sentences) == 1
    return sentences[0]


def test_a_busy_port_is_refused(setting, capsys):
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        assert f"Port {port} is already in use" in refused(setting, capsys, "--port", str(port))


def test_too_little_memory_is_refused(setting, monkeypatch, capsys):
    monkeypatch.setattr(machine, "free_memory_bytes", lambda: SMOLLM2.memory_bytes - 1)
    assert "of free memory" in refused(setting, capsys)


def test_too_little_disk_is_refused(setting, monkeypatch, capsys):
    monkeypatch.setattr(machine, "DISK_MARGIN_BYTES", 10**18)
    assert "of free disk space" in refused(setting, capsys)


def test_a_missing_key_of_the_first_model_is_refused(setting, capsys):
    setting.models(REMOTE.format(name="far", key="FAR_KEY"))
    assert refused(setting, capsys) == "far needs a key: set FAR_KEY."


def test_a_missing_key_of_another_model_is_said(setting, capsys):
    setting.models(REMOTE.format(name="a", key="") + REMOTE.format(name="b", key="B_KEY"))
    assert setting.up() == 0
    assert capsys.readouterr().err == "b needs a key: set B_KEY.\n"
    assert not setting.parts.only_local


def test_a_mistake_in_the_models_file_is_refused(setting, capsys):
    setting.models("[[models]]\n")
    assert "name: is missing" in refused(setting, capsys)


def test_a_local_model_that_nobody_knows_is_refused(setting, capsys):
    setting.models(LOCAL.format(name="llama-900b"))
    assert "no model 'llama-900b' itself" in refused(setting, capsys)


def test_a_second_run_on_one_data_folder_is_refused(setting, settings, capsys):
    with up._exclusive(settings.DATA_DIR):
        assert "already runs on" in refused(setting, capsys)


# --- with real processes ---------------------------------------------------------------------


@contextmanager
def running(data_dir, provider_url):
    data_dir.mkdir()
    (data_dir / "models.toml").write_text(models_toml(provider_url))
    port = require_port(0)
    more = {"GLASSBOX_MODELS": str(data_dir / "models.toml"), "PORT": str(port)}
    environ = clean_environment(data_dir, more)
    with subprocess.Popen(
        [sys.executable, "manage.py", "up"],
        cwd=ROOT,
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        watchdog = threading.Timer(LIMIT_S, process.kill)
        watchdog.start()
        try:
            yield process, environ
        finally:
            process.kill()
            watchdog.cancel()


def health(address):
    parts = urlsplit(address)
    connection = HTTPConnection(parts.hostname, parts.port, timeout=10)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status
    finally:
        connection.close()


def processes_of(data_dir):
    """Return the processes that have this data folder in their environment or command."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            told = (folder / "environ").read_bytes() + (folder / "cmdline").read_bytes()
            state = (folder / "stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if str(data_dir).encode() in told and state != "Z" and int(folder.name) != os.getpid():
            found.append(int(folder.name))
    return found


@pytest.mark.crash
@pytest.mark.skipif(find_binary() is None, reason="no Valkey for this machine")
def test_one_command_serves_refuses_a_second_and_leaves_nothing_behind(tmp_path, provider):
    data_dir = tmp_path / "data"
    with running(data_dir, provider.base_url) as (process, environ):
        line = process.stdout.readline()
        assert line.startswith("Glassbox: http://127.0.0.1:")
        assert health(line.split()[1]) == 200
        second = subprocess.run(
            [sys.executable, "manage.py", "up"],
            cwd=ROOT,
            env=environ,
            capture_output=True,
            text=True,
            check=False,
        )
        assert second.returncode == 1
        assert "already runs on" in second.stderr
        process.send_signal(signal.SIGINT)
        rest, complaints = process.communicate(timeout=LIMIT_S)
        assert (process.returncode, rest, complaints) == (0, "", "")
    assert processes_of(data_dir) == []


@pytest.mark.crash
@pytest.mark.skipif(find_binary() is None, reason="no Valkey for this machine")
def test_nothing_outlives_a_supervisor_that_was_killed(tmp_path, provider):
    data_dir = tmp_path / "data"
    with running(data_dir, provider.base_url) as (process, _):
        assert process.stdout.readline().startswith("Glassbox:")
        process.kill()
        process.wait()
        gone = threading.Event()
        for _ in range(LIMIT_S * 10):
            if not processes_of(data_dir):
                break
            # Processes of nobody's: there is no event to wait for.
            gone.wait(0.1)
        assert processes_of(data_dir) == []
