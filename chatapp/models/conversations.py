"""Conversations, branches and what a user has selected in them."""

from django.conf import settings
from django.db import models

from chatapp.ids import new_id
from chatapp.models.keys import KeySpace


class Conversation(models.Model):
    """One conversation: a tree of turns under one key space."""

    class Kind(models.TextChoices):
        CHAT = "chat"
        RESEARCH = "research"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    key_space = models.ForeignKey(KeySpace, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=16, choices=Kind.choices, default=Kind.CHAT)
    title = models.BinaryField(null=True)
    """Sealed; null until the first message names the conversation."""
    title_by_user = models.BooleanField(default=False)
    model_name = models.CharField(max_length=200, default="")
    """Registry name of the model for the next turn; empty means the registry's first."""
    last_seq = models.BigIntegerField(default=0)
    """The newest seq: every write to the conversation takes the next one."""
    chain = models.BinaryField(default=b"")
    """Commitment of the newest transition: the head of the log."""
    temporary = models.BooleanField(default=False)
    created_ms = models.BigIntegerField()
    updated_ms = models.BigIntegerField()
    deleted_ms = models.BigIntegerField(null=True)

    class Meta:
        indexes = (
            models.Index(
                fields=("key_space", "-updated_ms", "-id"), name="conversation_by_recency"
            ),
        )


class Branch(models.Model):
    """One row per divergence; a branch is a named reference to a turn, nothing is copied."""

    class Origin(models.TextChoices):
        MAIN = "main"
        EDIT = "edit"
        REGENERATE = "regenerate"
        CANDIDATE = "candidate"
        FORK = "fork"
        ROLLBACK = "rollback"
        """It keeps turns that were rolled back when their branch went on another way."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    conversation = models.ForeignKey(
        Conversation, on_delete=models.CASCADE, related_name="branches"
    )
    origin = models.CharField(max_length=16, choices=Origin.choices, default=Origin.MAIN)
    parent_turn = models.ForeignKey(
        "chatapp.Turn", on_delete=models.CASCADE, null=True, related_name="+"
    )
    """The turn after which the branch leaves its parent; null at the root."""
    left_branch = models.ForeignKey("self", on_delete=models.CASCADE, null=True, related_name="+")
    """The branch that was looked at when it was made; null for the first of a conversation."""
    tip = models.ForeignKey("chatapp.Turn", on_delete=models.CASCADE, null=True, related_name="+")
    """The newest committed turn; null before the first."""
    redo_tip = models.ForeignKey(
        "chatapp.Turn", on_delete=models.CASCADE, null=True, related_name="+"
    )
    """The tip before a rollback, for as long as nothing else was said since; else null."""
    version = models.BigIntegerField(default=0)
    """Counts accepts, rollbacks and redos: a post names the version that it was typed on."""
    active_turn = models.UUIDField(null=True)
    """The turn that has reserved the head; null when the branch is free."""
    name = models.BinaryField(null=True)
    """Sealed; null for unnamed alternatives."""
    clock_ms = models.BigIntegerField(null=True)
    """Branch time when the tip was last come back to, or left; null where it has never been."""
    clock_set_ms = models.BigIntegerField(null=True)
    """Wall time at which branch time went on from there; null while it stands still."""
    created_seq = models.BigIntegerField()
    created_ms = models.BigIntegerField()
    archived_ms = models.BigIntegerField(null=True)


class Selection(models.Model):
    """The branch that a user last looked at in a conversation."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="+")
    branch = models.ForeignKey(Branch, on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("user", "conversation"), name="selection_once"),
        )
