"""What a person thinks of an answer: each change of mind is one row and one transition."""

from uuid import UUID

from django.db import transaction

from chatapp.access import Access
from chatapp.clock import now_ms
from chatapp.ids import new_id
from chatapp.models import Feedback, Message, Turn
from chatapp.services.outcomes import Changed, Missing, Unchanged
from chatapp.services.transitions import Change, append, claim
from chatapp.store.feedback import GIVEN, Judgement, encode_judgement, newest_thumb
from chatapp.store.raw import insert


def feedback_give(access: Access, turn_id: UUID, thumb: int) -> Changed | Unchanged | Missing:
    """Give the answer of a turn a thumb, or take it back; the newest one counts.

    Args:
        access: the conversation.
        turn_id: a committed turn of it.
        thumb: 1 up, -1 down, 0 taken back.

    Raises:
        ConversationGone: when the conversation was deleted in the meantime.
    """
    conversation_id, user_id = access.conversation.id, access.owner.user_id
    with transaction.atomic():
        # From here on all other writers wait: two pages cannot both give the first thumb.
        head = claim(conversation_id)
        message_id = _answer_of(access, turn_id)
        found = Turn.objects.filter(pk=turn_id).values_list(newest_thumb(user_id), flat=True)
        if message_id is None or (found.get() or 0) == thumb:
            # A claimed seq without its transition would be a gap in the log.
            transaction.set_rollback(True)
            return Missing() if message_id is None else Unchanged()
        now = now_ms()
        body = encode_judgement(Judgement(turn_id, message_id, user_id, thumb))
        append(conversation_id, access.keys, Change(GIVEN, turn_id, input=body), head, now)
        row = Feedback(
            id=new_id(),
            conversation_id=conversation_id,
            user_id=user_id,
            message_id=message_id,
            turn_id=turn_id,
            kind=Feedback.Kind.THUMB,
            thumb=thumb,
            seq=head.seq,
            created_ms=now,
        )
        insert([row])
    return Changed(head.seq)


def _answer_of(access: Access, turn_id: UUID) -> UUID | None:
    """Return the message that ends a committed turn; None where there is nothing to judge."""
    rows = Message.objects.filter(
        conversation=access.conversation,
        turn_id=turn_id,
        turn__status=Turn.Status.COMMITTED,
        role="assistant",
    )
    return rows.order_by("-position").values_list("id", flat=True).first()
