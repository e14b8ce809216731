"""Lets turns teach what a test says, as the worker would write it, with no model and no rules."""

from uuid import UUID

from django.db import transaction

from chatapp.access import Access
from chatapp.clock import now_ms
from chatapp.models import Conversation, Turn
from chatapp.services.transitions import Change, append, claim
from chatapp.store.checkpoints import write_if_due
from chatapp.store.memory import insert_delta, read_memory
from chatapp.store.paths import message_by_id
from statecore.memory.ledger import EntryKind, Span
from statecore.state.codec import encode_delta
from statecore.state.fold import Memory
from statecore.state.operations import Delta, FieldSet, Learned, Rejected
from tests.support.people import branch_of


def learn(
    access: Access,
    turn_id: UUID,
    kind: EntryKind = "fact",
    *,
    text: str = "",
    fields: tuple[FieldSet, ...] = (),
    rejected: tuple[Rejected, ...] = (),
) -> Delta:
    """Write what the input of a turn taught: one sentence, all of it unless said otherwise."""
    turn = Turn.objects.get(pk=turn_id)
    said = message_by_id(turn.input_message_id, access.keys)
    words = text or said.text
    sentence = Learned(Span(said.id, 0, len(words)), kind, words, "rules")
    now = now_ms()
    with transaction.atomic():
        head = claim(access.conversation.id)
        delta = Delta(
            turn_id=str(turn_id),
            seq=head.seq,
            depth=turn.depth,
            said_seq=turn.accepted_seq,
            branch_ms=turn.branch_ms,
            learned=(sentence,),
            rejected=rejected,
            fields=fields,
            note="no_model",
        )
        change = Change(kind="memory_learned", turn=turn_id, output=encode_delta(delta))
        append(access.conversation.id, access.keys, change, head, now)
        insert_delta(access.conversation.id, delta, access.keys, prompt_hash="", now_ms=now)
        write_if_due(turn_id, access.keys)
    return delta


def last_seq(access: Access) -> int:
    """Return the newest seq of a conversation."""
    return Conversation.objects.values_list("last_seq", flat=True).get(pk=access.conversation.id)


def remembered(access: Access, *, tip: UUID | None = None, as_of: int | None = None) -> Memory:
    """Return what a plan would remember: at the newest turn and now, unless said otherwise."""
    return read_memory(
        access.conversation.id,
        tip or branch_of(access).tip_id,
        access.keys,
        as_of=last_seq(access) if as_of is None else as_of,
    )


def texts(memory: Memory) -> list[str]:
    """Return the words of the entries that may be sent."""
    return [entry.text for entry in memory.active()]


def beside(turn_id: UUID) -> UUID:
    """Store a committed turn beside another one, as the first of another branch."""
    turn = Turn.objects.get(pk=turn_id)
    twin = Turn(
        **{
            field.attname: getattr(turn, field.attname)
            for field in Turn._meta.concrete_fields
            if field.attname not in {"id", "idempotency_key"}
        }
    )
    twin.idempotency_key = twin.id.hex
    twin.save(force_insert=True)
    return twin.id
