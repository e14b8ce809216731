"""The append-only log: commitments in one table, erasable payloads in another."""

from django.db import models

from chatapp.ids import new_id
from chatapp.models.conversations import Conversation
from chatapp.models.turns import Turn


class Transition(models.Model):
    """One change of a conversation; only keyed commitments, never text."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="+")
    seq = models.BigIntegerField()
    kind = models.CharField(max_length=32)
    turn = models.UUIDField(null=True)
    """Not a foreign key: the skeleton outlives what it speaks of."""
    created_ms = models.BigIntegerField()
    state_before = models.BinaryField()
    input = models.BinaryField()
    request = models.BinaryField()
    output = models.BinaryField()
    state_after = models.BinaryField()
    chain = models.BinaryField()
    """HMAC over the chain value before and every field of this row."""

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("conversation", "seq"), name="transition_seq_once"),
        )


class Payload(models.Model):
    """The sealed content behind one commitment; may be erased, which the log can tell."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    transition = models.ForeignKey(Transition, on_delete=models.CASCADE, related_name="payloads")
    part = models.CharField(max_length=16)
    """input, request, output, state_before or state_after."""
    body = models.BinaryField(null=True)
    """Sealed; null once erased."""
    erased_ms = models.BigIntegerField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("transition", "part"), name="payload_part_once"),
        )


class ErasurePermit(models.Model):
    """While a row of this table exists, SQLite's triggers let the log be erased."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    conversation = models.UUIDField(null=True)
    created_ms = models.BigIntegerField()


class Outbox(models.Model):
    """Work that follows a commit; written with it, so that a lost message loses nothing."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="+")
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, null=True, related_name="+")
    kind = models.CharField(max_length=32)
    created_ms = models.BigIntegerField()
    not_before_ms = models.BigIntegerField(default=0)
    tries = models.IntegerField(default=0)
    done_ms = models.BigIntegerField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("turn", "kind"), name="outbox_once_per_turn"),
        )
        indexes = (
            models.Index(
                fields=("kind", "created_ms"),
                condition=models.Q(done_ms__isnull=True),
                name="outbox_waiting",
            ),
        )
