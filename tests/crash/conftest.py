"""Installations with real processes, for tests that kill them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.installation import Installation
from tests.support.scripted_provider.thread import ProviderThread
from tests.support.valkey import Valkey


@pytest.fixture
def valkey(tmp_path: Path) -> Iterator[Valkey]:
    """Run a Valkey for one test."""
    with Valkey(tmp_path) as server:
        yield server


@pytest.fixture
def database_url() -> str:
    """Return the address of the installation's database: empty for SQLite in its folder."""
    return ""


@pytest.fixture
def for_memory() -> bool:
    """Whether the models are asked to label sentences too."""
    return False


@pytest.fixture
def installation(
    tmp_path: Path,
    provider: ProviderThread,
    valkey: Valkey,
    database_url: str,
    for_memory: bool,  # noqa: FBT001  # a fixture
) -> Installation:
    """Return a migrated installation whose models the scripted provider serves."""
    made = Installation(
        tmp_path,
        provider.base_url,
        redis_url=valkey.url,
        environment={"DATABASE_URL": database_url},
        for_memory=for_memory,
    )
    made.prepare()
    return made
