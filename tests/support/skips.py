"""Skips that are loud: what is missing, what to do, and where no skip is allowed."""

import os
import shutil
import socket
from typing import NoReturn
from urllib.parse import urlsplit

import pytest

NO_SKIP = "GLASSBOX_NO_SKIP"
POSTGRES_VARIABLE = "GLASSBOX_TEST_POSTGRES"
POSTGRES_DEFAULT = "postgres://postgres@127.0.0.1:5432/postgres"


def skip_or_fail(reason: str) -> NoReturn:
    """Skip the test with a reason, or fail it where GLASSBOX_NO_SKIP=1 forbids skipping."""
    if os.environ.get(NO_SKIP) == "1":
        pytest.fail(f"{reason} ({NO_SKIP}=1 allows no skip.)", pytrace=False)
    pytest.skip(reason)


def chromium_path() -> str:
    """Return where Chromium is; without one, skip or fail."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        skip_or_fail("No Chromium on this machine: browser tests did not run.")
    return path


def postgres_url() -> str:
    """Return the address of a PostgreSQL server; without one, skip or fail."""
    address = postgres_address()
    if address is None:
        skip_or_fail("No PostgreSQL answers: its tests did not run.")
    return address


def postgres_address() -> str | None:
    """Return the address of a PostgreSQL server, or None when it does not answer."""
    url = os.environ.get(POSTGRES_VARIABLE) or POSTGRES_DEFAULT
    parts = urlsplit(url)
    return url if answers(parts.hostname or "127.0.0.1", parts.port or 5432) else None


def answers(host: str, port: int) -> bool:
    """Return whether something listens there."""
    try:
        with socket.create_connection((host, port), timeout=1):
            return True
    except OSError:
        return False
