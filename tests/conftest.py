"""Fixtures that every test may ask for."""

from tests.support.flush import flush_permitted
from tests.support.labels import local_models, memory_models
from tests.support.people import cast, fresh_caches
from tests.support.running import learns, people, pool_closed, runtime, scripted_models
from tests.support.scripted_provider.fixture import provider, running_provider
from tests.support.visitors import visitors

__all__ = [
    "cast",
    "flush_permitted",
    "fresh_caches",
    "learns",
    "local_models",
    "memory_models",
    "people",
    "pool_closed",
    "provider",
    "running_provider",
    "runtime",
    "scripted_models",
    "visitors",
]
