import os
import socket
import stat
from dataclasses import replace

import pytest

from chatapp.local import machine
from chatapp.local.catalogue import GIB, QWEN, SMOLLM2
from chatapp.local.faults import LocalError


def test_free_memory_is_what_the_system_calls_available(tmp_path):
    meminfo = tmp_path / "meminfo"
    meminfo.write_text("MemTotal: 100 kB\nMemAvailable:    2048 kB\n")
    assert machine.free_memory_bytes(meminfo, tmp_path) == 2048 * 1024


def test_a_container_limit_counts_and_its_page_cache_does_not(tmp_path):
    meminfo = tmp_path / "meminfo"
    meminfo.write_text("MemAvailable: 99999999 kB\n")
    (tmp_path / "memory.max").write_text("1000000\n")
    (tmp_path / "memory.current").write_text("900000\n")
    (tmp_path / "memory.stat").write_text("anon 1\nactive_file 50000\ninactive_file 100000\n")
    assert machine.free_memory_bytes(meminfo, tmp_path) == 250_000
    (tmp_path / "memory.max").write_text("max\n")
    assert machine.free_memory_bytes(meminfo, tmp_path) == 99_999_999 * 1024


def test_unknown_memory_stops_nobody(tmp_path):
    assert machine.free_memory_bytes(tmp_path / "none", tmp_path) is None
    machine.require_memory([QWEN], None)


def test_too_little_memory_names_the_model_and_the_way_out():
    with pytest.raises(LocalError, match=r"qwen.* needs 5\.0 GB .* 4\.0 GB.*MODEL=small"):
        machine.require_memory([SMOLLM2, QWEN], 4 * GIB)
    machine.require_memory([SMOLLM2], 4 * GIB)
    machine.require_memory([SMOLLM2, QWEN], 5 * GIB)
    machine.require_memory([], 0)


def test_too_little_disk_names_the_folder(tmp_path):
    with pytest.raises(LocalError, match=f"free disk space in {tmp_path}.*DATA_DIR"):
        machine.require_disk(tmp_path, 2**60, "Downloading")
    machine.require_disk(tmp_path, 1, "Downloading")
    machine.require_disk(tmp_path, 0, "Downloading")


def test_a_busy_port_is_named():
    with socket.socket() as listener:
        listener.bind((machine.LOOPBACK, 0))
        listener.listen()
        port = listener.getsockname()[1]
        with pytest.raises(LocalError, match=f"Port {port} is already in use: .*PORT=8001"):
            machine.require_port(port)
    assert machine.require_port(port) == port


def test_port_zero_takes_a_free_one():
    assert machine.require_port(0) > 0


def test_a_folder_is_made_for_its_owner_alone(tmp_path):
    machine.require_folder(tmp_path / "new" / "data")
    assert stat.S_IMODE((tmp_path / "new" / "data").stat().st_mode) == 0o700


def test_a_folder_that_is_a_file_is_refused(tmp_path):
    (tmp_path / "data").touch()
    with pytest.raises(LocalError, match="cannot be used"):
        machine.require_folder(tmp_path / "data")


def test_what_another_user_made_is_named(tmp_path, monkeypatch):
    (tmp_path / "models").mkdir()
    monkeypatch.setattr(os, "access", lambda path, _mode: path.name != "models")
    with pytest.raises(LocalError, match=f"{tmp_path / 'models'} cannot be written"):
        machine.require_folder(tmp_path)


def test_the_largest_model_decides():
    with pytest.raises(LocalError, match="giant"):
        machine.require_memory([replace(SMOLLM2, name="giant", memory_bytes=10)], 9)
