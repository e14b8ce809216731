"""Turns, their messages, and what is counted and extracted when a message is stored."""

from django.db import models

from chatapp.ids import new_id
from chatapp.models.conversations import Branch, Conversation
from chatapp.models.processes import Process


class Turn(models.Model):
    """One user input and its final answer: one transition of the state."""

    class Status(models.TextChoices):
        RUNNING = "running"
        COMMITTED = "committed"
        FAILED = "failed"
        INTERRUPTED = "interrupted"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="turns")
    branch = models.ForeignKey(Branch, on_delete=models.CASCADE, related_name="turns")
    parent = models.ForeignKey("self", on_delete=models.CASCADE, null=True, related_name="children")
    depth = models.BigIntegerField()
    """Number of turns from the root to this one; the first turn has depth 1."""
    input_message = models.ForeignKey(
        "chatapp.Message", on_delete=models.CASCADE, null=True, related_name="+"
    )
    """Shared by siblings that only regenerate."""
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.RUNNING)
    finish = models.CharField(max_length=16, default="")
    """`complete`, `stopped` or `length` once committed; else empty."""
    reason = models.CharField(max_length=32, default="")
    """Failure reason of the last attempt; empty when there is none."""
    idempotency_key = models.CharField(max_length=64)
    model_name = models.CharField(max_length=200)
    """The model chosen for this turn; attempts say who really answered."""
    owner = models.ForeignKey(Process, on_delete=models.SET_NULL, null=True, related_name="+")
    stop_requested = models.BooleanField(default=False)
    accepted_seq = models.BigIntegerField()
    committed_seq = models.BigIntegerField(null=True)
    accepted_ms = models.BigIntegerField()
    committed_ms = models.BigIntegerField(null=True)
    branch_ms = models.BigIntegerField()
    """Branch time: accepted time less the pauses in which the node was left."""
    sum_messages = models.BigIntegerField(default=0)
    """Messages from the root to the end of this turn."""
    sum_reference_tokens = models.BigIntegerField(default=0)
    """Reference tokens (o200k_base, full form) from the root to the end of this turn."""
    sum_digest_tokens = models.BigIntegerField(default=0)
    """The same for the digest form."""
    path_hash = models.BinaryField(default=b"")
    """H(parent's path hash, content of this turn), keyed; set at commit."""
    feature_heads = models.JSONField(default=dict)
    """Per feature kind [id, ordinal] of the newest one on the path, so that no lookup walks it."""

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("conversation", "idempotency_key"), name="turn_accepted_once"
            ),
        )
        indexes = (
            models.Index(fields=("conversation", "depth"), name="turn_by_depth"),
            models.Index(
                fields=("owner",), condition=models.Q(status="running"), name="turn_running"
            ),
        )


class Message(models.Model):
    """One message; immutable except for redaction."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    conversation = models.ForeignKey(
        Conversation, on_delete=models.CASCADE, related_name="messages"
    )
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, null=True, related_name="messages")
    """The turn that produced it; null for system messages."""
    seq = models.BigIntegerField()
    position = models.IntegerField()
    """Order within the turn; the input is 0."""
    role = models.CharField(max_length=16)
    body = models.BinaryField()
    """Sealed canonical JSON: text, tool calls."""
    created_ms = models.BigIntegerField()
    redacted_ms = models.BigIntegerField(null=True)

    class Meta:
        indexes = (
            models.Index(fields=("turn", "position"), name="message_of_turn"),
            models.Index(fields=("conversation", "role", "-seq"), name="message_by_role"),
            models.Index(fields=("conversation", "-seq", "-position"), name="message_by_recency"),
        )


class TokenCount(models.Model):
    """Tokens of one message in one form under one tokenizer; written once."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="token_counts")
    tokenizer = models.CharField(max_length=100)
    form = models.CharField(max_length=8, default="full")
    tokens = models.IntegerField()
    quality = models.CharField(max_length=10)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("message", "tokenizer", "form"), name="token_count_once"
            ),
        )


class Feature(models.Model):
    """What an anchor can point at (a link, a table, a code block), found when the message came."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="features")
    kind = models.CharField(max_length=16)
    ordinal = models.IntegerField()
    """Counts features of this kind along the path, from 1."""
    start = models.IntegerField()
    """Character offset in the message text."""
    end = models.IntegerField()
    previous = models.ForeignKey("self", on_delete=models.CASCADE, null=True, related_name="+")
    """The feature of the same kind before it on the path."""

    class Meta:
        indexes = (models.Index(fields=("message", "kind"), name="feature_of_message"),)
