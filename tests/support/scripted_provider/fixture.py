"""The pytest fixture `provider`: one running server for a session, forgotten between tests."""

from collections.abc import Iterator

import pytest

from tests.support.scripted_provider.thread import ProviderThread


@pytest.fixture(scope="session")
def running_provider() -> Iterator[ProviderThread]:
    """Run one scripted provider for the whole session."""
    with ProviderThread() as provider:
        yield provider


@pytest.fixture
def provider(running_provider: ProviderThread) -> Iterator[ProviderThread]:
    """Hand out the scripted provider, empty before and after."""
    running_provider.clear()
    yield running_provider
    running_provider.clear()
