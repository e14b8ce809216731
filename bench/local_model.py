"""Serves the weights of a local model as the installation does, for what is measured with it."""

import os
import secrets
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from chatapp.local.llama_server import KEY_VARIABLE, LISTENS
from tests.support.web_process import ROOT


class Served(NamedTuple):
    """Where a model answers."""

    base_url: str
    """Ending in /v1."""
    key: str


@contextmanager
def serving(weights: Path, *options: str) -> Iterator[Served]:
    """Serve weights until the block is left.

    Args:
        weights: in GGUF form.
        options: of `chatapp.local.llama_server`.
    """
    key = secrets.token_urlsafe()
    command = [sys.executable, "-m", "chatapp.local.llama_server", str(weights), *options]
    command += ["--name", "local"]
    environ = os.environ | {KEY_VARIABLE: key}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environ
    ) as process:
        assert process.stdout is not None  # noqa: S101  # tells the type checker
        try:
            url = process.stdout.readline().strip().removeprefix(LISTENS)
            yield Served(f"{url}/v1", key)
        finally:
            process.terminate()
