"""The leases of running processes."""

from django.db import models

from chatapp.ids import new_id


class Process(models.Model):
    """One web or worker process; silent for ten seconds means dead."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    kind = models.CharField(max_length=16)
    host = models.CharField(max_length=255)
    pid = models.IntegerField()
    started_ms = models.BigIntegerField()
    heartbeat_ms = models.BigIntegerField(db_index=True)
    """By the database's clock where it has one, so that hosts need not agree."""
    draining = models.BooleanField(default=False)
