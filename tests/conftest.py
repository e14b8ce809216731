"""Fixtures that every test may ask for, and how properties are searched.

The same examples in every run, by count and never by the clock of a busy machine. With
GLASSBOX_EXPLORE=1 each run looks at other examples.
"""

import os

from hypothesis import HealthCheck, settings

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

settings.register_profile(
    "glassbox",
    deadline=None,
    derandomize=os.environ.get("GLASSBOX_EXPLORE") != "1",
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
)
settings.load_profile("glassbox")
