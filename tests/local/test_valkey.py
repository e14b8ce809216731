import stat

import pytest

from chatapp.local import valkey
from chatapp.local.faults import LocalError
from chatapp.local.valkey import (
    answers,
    find_binary,
    make_socket_folder,
    remove_socket_folder,
    server_command,
    socket_url,
)
from tests.support.valkey import Valkey


def test_the_folder_of_the_socket_is_private_and_short(tmp_path):
    folder = make_socket_folder(tmp_path / "run" / "note")
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert len(socket_url(folder)) < 100
    remove_socket_folder(tmp_path / "run" / "note")
    assert not folder.exists()


def test_a_long_temporary_folder_is_avoided(tmp_path, monkeypatch):
    long = tmp_path / ("x" * 120)
    long.mkdir()
    monkeypatch.setattr(valkey.tempfile, "tempdir", str(long))
    folder = make_socket_folder(tmp_path / "note")
    assert len(str(folder)) < 40
    assert not list(long.iterdir())
    remove_socket_folder(tmp_path / "note")


def test_the_folder_of_a_killed_run_is_removed_by_the_next(tmp_path):
    old = make_socket_folder(tmp_path / "note")
    new = make_socket_folder(tmp_path / "note")
    assert not old.exists()
    assert new.exists()
    remove_socket_folder(tmp_path / "note")


def test_a_note_about_a_folder_of_others_removes_nothing(tmp_path):
    precious = tmp_path / "precious"
    precious.mkdir()
    (tmp_path / "note").write_text(str(precious))
    remove_socket_folder(tmp_path / "note")
    assert precious.exists()


def test_no_port_is_opened_and_everything_is_appended_to_a_file(tmp_path):
    words = server_command(tmp_path / "server", tmp_path / "s", tmp_path / "data")
    pairs = dict(zip(words[1::2], words[2::2], strict=True))
    assert pairs["--port"] == "0"
    assert pairs["--appendonly"] == "yes"
    assert pairs["--maxmemory-policy"] == "noeviction"
    assert (tmp_path / "data").is_dir()


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "data").touch()
    with pytest.raises(LocalError, match="cannot be made"):
        server_command(tmp_path / "server", tmp_path, tmp_path / "data")


def test_a_machine_without_the_package_has_no_server(monkeypatch):
    monkeypatch.setattr(valkey, "PACKAGE", "package_that_is_not_there")
    assert find_binary() is None


def test_nobody_answers_where_no_server_is(tmp_path):
    assert not answers(tmp_path)


def test_a_real_server_answers_on_its_socket(tmp_path):
    with Valkey(tmp_path) as server:
        assert server.url.startswith("unix:///")
        assert server.url.endswith("/valkey.sock")
