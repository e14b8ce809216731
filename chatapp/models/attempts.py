"""Attempts: every model call, what it was planned from and what it was sent."""

from django.db import models

from chatapp.ids import new_id
from chatapp.models.conversations import Conversation
from chatapp.models.keys import KeySpace
from chatapp.models.turns import Turn


class Attempt(models.Model):
    """One model call made for a turn."""

    class Status(models.TextChoices):
        RUNNING = "running"
        SUCCEEDED = "succeeded"
        STOPPED = "stopped"
        FAILED = "failed"
        INTERRUPTED = "interrupted"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="attempts")
    ordinal = models.IntegerField()
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.RUNNING)
    reason = models.CharField(max_length=32, default="")
    """Failure reason; empty when there is none."""
    model_name = models.CharField(max_length=200)
    model_hash = models.CharField(max_length=64)
    manifest = models.JSONField(default=list)
    """Ids of the request blocks, in order."""
    max_output_tokens = models.IntegerField(default=0)
    segments = models.JSONField(default=list)
    """The account of the plan: kind, sources, tokens, decision, reason; no text."""
    request_commitment = models.BinaryField(default=b"")
    """HMAC of the canonical request, so that the panel can prove what it shows."""
    output = models.BinaryField(null=True)
    """Sealed text of an attempt that did not become the answer; else null."""
    detail = models.BinaryField(null=True)
    """Sealed error text of the provider; it may quote the prompt."""
    recording = models.BinaryField(null=True)
    """Sealed account of what the provider streamed and when, so that it can be played; the texts
    themselves are those of the answer or of `output`."""
    started_ms = models.BigIntegerField()
    first_token_ms = models.BigIntegerField(null=True)
    """Milliseconds from the start to the first token; null when none came."""
    ended_ms = models.BigIntegerField(null=True)
    prompt_tokens = models.IntegerField(null=True)
    cached_tokens = models.IntegerField(null=True)
    completion_tokens = models.IntegerField(null=True)
    prompt_quality = models.CharField(max_length=10, default="")
    completion_quality = models.CharField(max_length=10, default="")
    finish = models.CharField(max_length=32, default="")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("turn", "ordinal"), name="attempt_ordinal_once"),
        )


class Snapshot(models.Model):
    """A model spec or a template as it was when a plan used it; content-addressed."""

    hash = models.CharField(primary_key=True, max_length=64)
    kind = models.CharField(max_length=16)
    body = models.JSONField()


class RetrievalRecord(models.Model):
    """Which fact versions a plan was offered, with their scores."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="+")
    seq = models.BigIntegerField()
    body = models.BinaryField()
    """Sealed."""


class PlanInput(models.Model):
    """Everything that replaying one plan needs, beside the rows that never change."""

    attempt = models.OneToOneField(
        Attempt, on_delete=models.CASCADE, primary_key=True, related_name="plan_input"
    )
    parent_turn = models.ForeignKey(Turn, on_delete=models.CASCADE, null=True, related_name="+")
    as_of_seq = models.BigIntegerField()
    retrieval = models.ForeignKey(
        RetrievalRecord, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    model = models.ForeignKey(Snapshot, on_delete=models.PROTECT, related_name="+")
    template = models.ForeignKey(Snapshot, on_delete=models.PROTECT, related_name="+")
    calibration = models.FloatField(default=1.0)
    """Factor that an estimated count was multiplied with."""
    previous = models.JSONField(null=True)
    """Tier, window start, window, tokenizer and template of the plan before."""
    result = models.JSONField(null=True)
    """The same of this plan, and its occupancy."""
    now_ms = models.BigIntegerField()
    planner_version = models.IntegerField()


class RequestBlock(models.Model):
    """A run of segments shared by many requests; content-addressed within a conversation."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="+")
    digest = models.BinaryField()
    """Keyed hash of the body."""
    body = models.BinaryField()
    """Sealed JSON list of segments: a message reference, or text where there is no message."""

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("conversation", "digest"), name="request_block_once"),
        )


class PartialText(models.Model):
    """Streamed text of a running attempt, appended every half second and dropped at commit."""

    id = models.BigAutoField(primary_key=True)
    attempt = models.ForeignKey(Attempt, on_delete=models.CASCADE, related_name="partials")
    ordinal = models.IntegerField()
    last_seq = models.IntegerField()
    """Stream sequence number of the last chunk in it."""
    body = models.BinaryField()
    """Sealed."""

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("attempt", "ordinal"), name="partial_ordinal_once"),
        )


class Usage(models.Model):
    """Tokens and money of one model call; outside the tree, never rolled back."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    key_space = models.ForeignKey(KeySpace, on_delete=models.CASCADE, related_name="+")
    attempt = models.ForeignKey(Attempt, on_delete=models.SET_NULL, null=True, related_name="+")
    purpose = models.CharField(max_length=16, default="chat")
    model_name = models.CharField(max_length=200)
    prompt_tokens = models.IntegerField()
    completion_tokens = models.IntegerField()
    quality = models.CharField(max_length=10)
    cost_usd = models.DecimalField(max_digits=14, decimal_places=8, null=True)
    """None where the price is unknown, never zero."""
    created_ms = models.BigIntegerField()

    class Meta:
        indexes = (models.Index(fields=("key_space", "created_ms"), name="usage_by_time"),)
