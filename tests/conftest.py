"""Fixtures that every test may ask for."""

from tests.support.flush import flush_permitted
from tests.support.scripted_provider.fixture import provider, running_provider

__all__ = ["flush_permitted", "provider", "running_provider"]
