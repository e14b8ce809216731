"""Reads turns again: what memory lacks becomes additions; a delta itself is never replaced."""

from collections.abc import Sequence
from uuid import UUID

from django.conf import settings
from django.db import transaction

from chatapp.access import Access, Owner
from chatapp.clock import now_ms
from chatapp.jobs import wake_worker
from chatapp.keyring import keys_of
from chatapp.models import Conversation, Turn
from chatapp.services.acts import Here, NoChange, act_all
from chatapp.services.learning import BATCH, TRIES, Piece, Verdict, piece_of, put_off
from chatapp.services.outcomes import Missing, Queued, Relabelled, Unchanged
from chatapp.services.transitions import ConversationGone
from chatapp.store import outbox
from chatapp.store.branches import viewed_branch
from chatapp.store.memory import learned_turns
from statecore.memory.labels import CheckedLabels
from statecore.state.learning import TurnTexts
from statecore.state.operations import Action
from statecore.state.relearning import lacking

KIND = outbox.MEMORY_AGAIN
UNLABELLED = frozenset({"no_model", "model_unavailable", "unreadable"})
"""Notes of a turn that a model should have labelled, and none did."""


def memory_again(access: Access, turn_id: UUID | None = None) -> Queued | Unchanged | Missing:
    """Let turns be read again, soon and by whoever learns.

    Args:
        access: the conversation.
        turn_id: one turn; None for all of the path, as far back as people see memory in full.

    Returns:
        Missing when the turn is none of this conversation; Unchanged when nothing is to be done:
        a turn that waits to be read for the first time is no turn to be read again.
    """
    conversation = access.conversation
    turns = Turn.objects.filter(conversation=conversation)
    if turn_id is not None and not turns.filter(pk=turn_id).exists():
        return Missing()
    branch = viewed_branch(access)
    learned = learned_turns(
        conversation.id, branch.tip_id, access.keys, as_of=branch.conversation.last_seq
    )
    wanted = [found for found in learned if turn_id in {None, found}]
    with transaction.atomic():
        count = outbox.put_again(conversation.id, wanted, KIND, now_ms())
    if not count:
        return Unchanged()
    relabelling_wake(conversation.id)
    return Queued(count)


def relabelling_due() -> list[UUID]:
    """Return the turns that wait where no other of their conversation is being read again."""
    return outbox.idle(KIND, now_ms(), BATCH)


def relabelling_wake(conversation_id: UUID) -> None:
    """Wake a worker for the turn of a conversation that waits longest, where workers learn.

    One at a time: whoever has read one calls for the next, so that many leave room for new turns.
    """
    if settings.REDIS_URL:
        for turn_id in outbox.idle(KIND, now_ms(), 1, conversation_id=conversation_id):
            wake_worker(KIND, turn_id)


def relabelling_next(turn_id: UUID) -> Piece | None:
    """Claim a turn that waits to be read again; None when it does not, or is somebody else's."""
    held_ms = outbox.claim(turn_id, KIND, now_ms())
    if held_ms is None:
        return None
    try:
        conversation = Conversation.objects.get(turns__id=turn_id)
        if conversation.deleted_ms is None:
            return piece_of(turn_id, keys_of(conversation.key_space_id), held_ms, KIND)
    except Exception:
        relabelling_fail(turn_id)
        raise
    outbox.done(turn_id, KIND, now_ms())
    return None


def relabelling_fail(turn_id: UUID) -> None:
    """Put a turn off that could not be read, or let it be: memory of it is there already."""
    tries = outbox.tries(turn_id, KIND)
    if tries < TRIES:
        put_off(turn_id, KIND, tries)
    else:
        outbox.give_up(turn_id, KIND, now_ms())


def relabelling_write(piece: Piece, verdict: Verdict) -> Relabelled | NoChange:
    """Add what memory lacks, and end the work; to do it twice adds nothing."""
    try:
        outcome = _label_again(piece, verdict.labels)
    except ConversationGone:
        outcome = Missing()
    end = outbox.give_up if verdict.note in UNLABELLED else outbox.done
    end(piece.turn_id, KIND, now_ms())
    return outcome


def _label_again(piece: Piece, labels: CheckedLabels | None) -> Relabelled | NoChange:
    def chosen(here: Here) -> Sequence[Action] | NoChange:
        turn: TurnTexts = piece.turn
        if not here.memory.is_learned(turn.turn_id, turn.depth):
            return Missing()
        return lacking(turn, here.memory, labels)

    done = act_all(_access(piece), chosen)
    return Relabelled(done) if isinstance(done, tuple) else done


def _access(piece: Piece) -> Access:
    conversation = Conversation.objects.select_related("key_space").get(pk=piece.conversation_id)
    # What a team shares has no owner, and nothing that is done here asks for one.
    return Access(Owner(conversation.key_space.owner_id or 0, piece.keys), conversation)
