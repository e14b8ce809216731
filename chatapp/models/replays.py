"""Replays: stored conversations planned again with other settings, as work in the background."""

from django.db import models

from chatapp.ids import new_id
from chatapp.models.keys import KeySpace


class ReplayRun(models.Model):
    """One replay of one or many conversations."""

    class Status(models.TextChoices):
        WAITING = "waiting"
        RUNNING = "running"
        DONE = "done"
        CANCELLED = "cancelled"
        FAILED = "failed"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    key_space = models.ForeignKey(KeySpace, on_delete=models.CASCADE, related_name="+")
    order = models.BinaryField()
    """Sealed JSON: the conversations and the settings that they are planned with."""
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.WAITING)
    total = models.IntegerField(default=0)
    """Conversations to replay."""
    done = models.IntegerField(default=0)
    cancel_requested = models.BooleanField(default=False)
    report = models.BinaryField(null=True)
    """Sealed JSON of what was found so far; null before the first conversation is through."""
    detail = models.CharField(max_length=300, default="")
    """Why it failed, without personal text."""
    heartbeat_ms = models.BigIntegerField(default=0)
    created_ms = models.BigIntegerField()
    ended_ms = models.BigIntegerField(null=True)

    class Meta:
        indexes = (models.Index(fields=("key_space", "-created_ms"), name="replay_by_recency"),)
