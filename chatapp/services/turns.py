"""Accepts, commits and breaks off turns: each one transaction."""

from dataclasses import dataclass
from uuid import UUID

from django.db import IntegrityError, transaction

from chatapp.access import Access
from chatapp.clock import now_ms
from chatapp.ids import new_id
from chatapp.models import Branch, Conversation, Turn
from chatapp.services.outcomes import Accepted, MovedOn
from chatapp.services.stems import Place, stem_of, store_message
from chatapp.services.titles import title_from
from chatapp.services.transitions import Change, record
from chatapp.store import conversations, turns
from chatapp.store.branches import clock_of
from statecore.messages import Message, encode_body


@dataclass(frozen=True, slots=True)
class NewInput:
    """What a person posts, checked."""

    text: str
    key: str
    """Idempotency key of the draft."""
    branch_id: UUID
    version: int
    """Version of the branch that the page showed when it was typed."""
    model_name: str


def turn_accept(access: Access, new: NewInput, *, owner: UUID) -> Accepted | MovedOn:
    """Reserve the head of a branch and store the user's input as a running turn.

    Args:
        access: the conversation.
        new: the input.
        owner: the process that will run the turn.

    Returns:
        The turn, also when the same key was accepted before; MovedOn when the head is not free.
    """
    turn_id = new_id()
    try:
        with transaction.atomic():
            if conversations.reserve_head(
                access.conversation.id, new.branch_id, turn_id, new.version
            ):
                return _insert_turn(access, new, turn_id, owner)
    except IntegrityError:
        # The unique key refused a double; anything else does not lead to a turn below.
        pass
    earlier = Turn.objects.filter(
        conversation=access.conversation, idempotency_key=new.key
    ).values_list("id", flat=True)
    first = earlier.first()
    return MovedOn() if first is None else Accepted(first, duplicate=True)


def _insert_turn(access: Access, new: NewInput, turn_id: UUID, owner: UUID) -> Accepted:
    conversation, keys = access.conversation, access.keys
    branch = Branch.objects.select_related("tip").get(pk=new.branch_id)
    parent, stem = branch.tip, stem_of(branch.tip)
    # Clocks may differ between machines: time never runs backwards along a path.
    now = max(now_ms(), stem.ended_ms)
    message = Message(id=str(new_id()), role="user", text=new.text, created_ms=now)
    change = Change(
        kind="turn_accepted",
        turn=turn_id,
        input=encode_body(message),
        state_before=stem.path_hash,
    )
    seq = record(conversation.id, keys, change, now, touch=True)
    grown = store_message(message, stem, Place(conversation.id, turn_id, seq, 0), keys)
    turn = Turn(
        id=turn_id,
        conversation=conversation,
        branch=branch,
        parent=parent,
        depth=stem.depth + 1,
        input_message_id=UUID(message.id),
        idempotency_key=new.key,
        model_name=new.model_name,
        owner_id=owner,
        accepted_seq=seq,
        accepted_ms=now,
        branch_ms=clock_of(branch).at(now),
        **grown,
    )
    turns.insert_turn(turn)
    if conversation.title is None:
        title = conversations.seal_title(conversation.id, title_from(new.text), keys)
        Conversation.objects.filter(pk=conversation.id, title=None).update(title=title)
    return Accepted(
        turn_id,
        parent_id=branch.tip_id,
        depth=stem.depth + 1,
        accepted_ms=now,
        version=branch.version,
    )


def turn_retry(
    access: Access, turn_id: UUID, *, owner: UUID, model_name: str
) -> Accepted | MovedOn:
    """Run a turn again that failed or was interrupted, under the same id.

    Returns:
        The turn; MovedOn when something was committed after its parent or an answer is running.
    """
    with transaction.atomic():
        turn = Turn.objects.filter(pk=turn_id, conversation=access.conversation).first()
        if turn is None or not conversations.reserve_for_retry(
            turn.branch_id, turn_id, turn.parent_id
        ):
            return MovedOn()
        if not turns.take_over(turn_id, owner, model_name):
            transaction.set_rollback(True)
            return MovedOn()
        record(
            access.conversation.id,
            access.keys,
            Change(kind="turn_retried", turn=turn_id),
            now_ms(),
        )
    return Accepted(turn_id)


def turn_stop(access: Access, turn_id: UUID) -> UUID | None:
    """Flag a running turn to be stopped and return its owner; None when it does not run."""
    running = Turn.objects.filter(pk=turn_id, conversation=access.conversation, status="running")
    owner = running.values_list("owner_id", flat=True).first()
    if owner is None or not turns.request_stop(turn_id):
        return None
    return owner
