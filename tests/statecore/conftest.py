"""How the properties of the core are searched: by count, never by the clock of a busy machine."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "core", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("core")
