"""What people thought of answers: the thumb that they gave, and what they did instead of it."""

from django.conf import settings
from django.db import models

from chatapp.ids import new_id
from chatapp.models.conversations import Conversation
from chatapp.models.turns import Message, Turn


class Feedback(models.Model):
    """One judgement of one message; the newest thumb of a person counts."""

    class Kind(models.TextChoices):
        THUMB = "thumb"
        EDIT = "edit"
        REGENERATE = "regenerate"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    conversation = models.ForeignKey(
        Conversation, on_delete=models.CASCADE, related_name="feedback"
    )
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="feedback")
    """For an edit the input that was written anew; else the answer."""
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="feedback")
    """The turn that was judged."""
    replaced_by = models.UUIDField(null=True)
    """The turn that was made instead; null for a thumb."""
    kind = models.CharField(max_length=16, choices=Kind.choices)
    thumb = models.SmallIntegerField(default=0)
    """1 up, -1 down, 0 taken back or none given."""
    seq = models.BigIntegerField()
    created_ms = models.BigIntegerField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("conversation", "seq"), name="feedback_seq_once"),
        )
        indexes = (models.Index(fields=("turn", "kind", "-seq"), name="feedback_of_turn"),)
