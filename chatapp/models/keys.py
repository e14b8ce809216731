"""Key spaces: every row with personal text belongs to one."""

from django.conf import settings
from django.db import models

from chatapp.ids import new_id


class KeySpace(models.Model):
    """One data key, wrapped by the master key; losing it erases everything sealed under it."""

    class Kind(models.TextChoices):
        USER = "user"
        TEAM = "team"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    kind = models.CharField(max_length=8, choices=Kind.choices, default=Kind.USER)
    owner = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="key_space"
    )
    wrapped_key = models.BinaryField()
    last_seq = models.BigIntegerField(default=0)
    """The newest seq of the facts of this key space."""
    created_ms = models.BigIntegerField()
