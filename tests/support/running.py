"""A runtime within the test's own event loop, with the scripted provider as its only model."""

import asyncio
from collections.abc import Callable

import pytest
import pytest_asyncio

from chatapp.llm.registry import default_registry
from chatapp.runtime import runtime as runtimes
from chatapp.runtime.pool import close_pool, in_pool
from tests.support.installation import models_toml
from tests.support.people import Cast, make_cast

DEADLINE_S = 60.0


@pytest.fixture
def scripted_models(provider, tmp_path, monkeypatch):
    """Make the scripted provider the only one."""
    path = tmp_path / "models.toml"
    path.write_text(models_toml(provider.base_url), encoding="utf-8")
    monkeypatch.setenv("GLASSBOX_MODELS", str(path))
    default_registry.cache_clear()
    yield path
    default_registry.cache_clear()


@pytest.fixture
def learns() -> bool:
    """Whether the runtime learns turns by itself; most tests count on nothing happening alone."""
    return False


@pytest_asyncio.fixture
async def runtime(transactional_db, scripted_models, learns):
    """Return a started runtime; it is drained and its threads end with the test."""
    runtimes.reset()
    current = runtimes.current()
    if not learns:
        current.learner = None
    await current.ensure_started()
    yield current
    await current.drain(limit_s=0.0)
    await asyncio.get_running_loop().run_in_executor(None, close_pool)
    runtimes.reset()


@pytest.fixture
def pool_closed():
    """End the runtime's threads, for tests without a runtime that use them."""
    yield
    close_pool()


@pytest_asyncio.fixture
async def people(runtime) -> Cast:
    """Return the cast, made in the runtime's threads."""
    return await in_pool(make_cast)


async def eventually(ask: Callable[[], object], what: str) -> object:
    """Ask the database until the answer is true, and return it.

    Raises:
        AssertionError: when it does not become true in time.
    """
    loop = asyncio.get_running_loop()
    deadline_s = loop.time() + DEADLINE_S
    while loop.time() < deadline_s:
        if answer := await in_pool(ask):
            return answer
        # Rows give no notice when they change.
        await asyncio.sleep(0.02)
    raise AssertionError(f"Waited {DEADLINE_S:g} s for {what}")


__all__ = ["eventually", "learns", "people", "pool_closed", "runtime", "scripted_models"]
