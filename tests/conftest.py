"""Fixtures that every test may ask for."""

from tests.support.flush import flush_permitted
from tests.support.people import cast, fresh_caches
from tests.support.scripted_provider.fixture import provider, running_provider

__all__ = ["cast", "fresh_caches", "flush_permitted", "provider", "running_provider"]
