"""The Django application."""

from django.apps import AppConfig


class ChatappConfig(AppConfig):
    """Glassbox itself."""

    name = "chatapp"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the system checks."""
        from chatapp import checks  # noqa: F401, PLC0415  # needs the app registry
