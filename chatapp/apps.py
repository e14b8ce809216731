"""The Django application."""

from django.apps import AppConfig
from django.conf import settings
from django.db.models.signals import post_save


class ChatappConfig(AppConfig):
    """Glassbox itself."""

    name = "chatapp"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the system checks, and what follows when a user is saved."""
        from chatapp import checks  # noqa: F401, PLC0415  # needs the app registry
        from chatapp.services.accounts import account_saved  # noqa: PLC0415  # the same

        post_save.connect(
            account_saved, sender=settings.AUTH_USER_MODEL, dispatch_uid="account_saved"
        )
