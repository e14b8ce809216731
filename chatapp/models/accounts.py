"""What belongs to accounts beside Django's user: sessions, names as they are told apart, tries."""

from django.conf import settings
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models

from chatapp.ids import new_id


class Session(AbstractBaseSession):
    """One browser; whose it is stands in a column, so that all of an account end at once."""

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+"
    )
    """Null until somebody signs in."""


class AccountName(models.Model):
    """A name without its case: databases do not agree on the case of Cyrillic letters."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="account_name",
    )
    folded = models.CharField(max_length=450, unique=True)


class SignInFailure(models.Model):
    """One wrong password, counted for its name or for the address that it came from."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    target = models.CharField(max_length=64)
    """Keyed hash of the name or of the address."""
    created_ms = models.BigIntegerField(db_index=True)

    class Meta:
        indexes = (models.Index(fields=("target", "created_ms"), name="sign_in_failure_recent"),)
