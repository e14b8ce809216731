"""What turns taught and what people corrected: deltas, operations, tombstones, facts."""

from django.db import models

from chatapp.ids import new_id
from chatapp.models.conversations import Conversation
from chatapp.models.keys import KeySpace
from chatapp.models.turns import Turn


class MemoryDelta(models.Model):
    """What one completed turn taught; read only by plans whose as_of reaches its seq."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    turn = models.OneToOneField(Turn, on_delete=models.CASCADE, related_name="memory_delta")
    seq = models.BigIntegerField()
    body = models.BinaryField()
    """Sealed operations on summary, session fields and fact candidates."""
    prompt_hash = models.CharField(max_length=64, default="")
    created_ms = models.BigIntegerField()


class Operation(models.Model):
    """What a person changed in memory: edit, pin, delete, add, undo."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="+")
    seq = models.BigIntegerField()
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, null=True, related_name="+")
    """The node it belongs to when its scope is the path."""
    scope = models.CharField(max_length=16)
    """`conversation` or `path`."""
    target = models.BinaryField(default=b"")
    """Keyed hash of the source (message id and span), so that it can be found without its text."""
    body = models.BinaryField()
    """Sealed."""
    created_ms = models.BigIntegerField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("conversation", "seq"), name="operation_seq_once"),
        )


class Tombstone(models.Model):
    """Deleted stays deleted: stops rebuild, late delta, import and restore."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    key_space = models.ForeignKey(KeySpace, on_delete=models.CASCADE, related_name="+")
    conversation = models.ForeignKey(
        Conversation, on_delete=models.CASCADE, null=True, related_name="+"
    )
    seq = models.BigIntegerField()
    target = models.BinaryField(db_index=True)
    """Keyed hash of the source."""
    created_ms = models.BigIntegerField()


class Checkpoint(models.Model):
    """The bounded hot state at a turn, so that a plan walks at most 64 turns."""

    turn = models.OneToOneField(
        Turn, on_delete=models.CASCADE, primary_key=True, related_name="checkpoint"
    )
    as_of_seq = models.BigIntegerField()
    body = models.BinaryField()
    """Sealed; at most 64 KB."""


class MemoryAnswer(models.Model):
    """A checked answer of a memory model, kept so that the same question is paid for once."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    key_space = models.ForeignKey(KeySpace, on_delete=models.CASCADE, related_name="+")
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="+")
    """The one that asked first; the answer is erased with it."""
    digest = models.BinaryField()
    """Keyed hash of question, prompt and model."""
    body = models.BinaryField()
    """Sealed."""
    created_ms = models.BigIntegerField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("key_space", "digest"), name="memory_answer_once"),
        )


class Fact(models.Model):
    """One version of a long-term fact about the user (SCD type 2)."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    key_space = models.ForeignKey(KeySpace, on_delete=models.CASCADE, related_name="+")
    seq = models.BigIntegerField()
    category = models.CharField(max_length=32)
    scope = models.CharField(max_length=32, default="user")
    body = models.BinaryField()
    """Sealed: subject, attribute, content, quote, sources."""
    vector = models.BinaryField(null=True)
    """Sealed."""
    confidence = models.FloatField()
    pinned = models.BooleanField(default=False)
    valid_from_ms = models.BigIntegerField()
    valid_to_ms = models.BigIntegerField(null=True)
    superseded_by = models.ForeignKey("self", on_delete=models.SET_NULL, null=True)
    created_ms = models.BigIntegerField()
    confirmed_ms = models.BigIntegerField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("key_space", "seq"), name="fact_seq_once"),)


class FactSource(models.Model):
    """Reverse index from a conversation or message to the facts that it supports."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    fact = models.ForeignKey(Fact, on_delete=models.CASCADE, related_name="sources")
    conversation = models.UUIDField(db_index=True)
    message = models.UUIDField(null=True, db_index=True)
