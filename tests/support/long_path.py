"""Makes a path of any length in seconds: rows as turns would have left them, without the log."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction

from chatapp.access import Access
from chatapp.ids import new_id
from chatapp.models import (
    Branch,
    Checkpoint,
    Conversation,
    MemoryDelta,
    Message,
    TokenCount,
    Turn,
)
from chatapp.services.stems import forms_of
from chatapp.store import memory_path
from chatapp.store.checkpoints import EVERY_TURNS
from chatapp.store.raw import insert
from chatapp.store.sealing import seal
from chatapp.wiring import count_reference
from statecore.memory.ledger import Span
from statecore.messages import Message as CoreMessage
from statecore.messages import encode_body
from statecore.state.codec import encode_delta, encode_path_memory
from statecore.state.fold import path_fold
from statecore.state.hot import bounded
from statecore.state.operations import Delta, Learned
from tests.support.people import branch_of

Said = tuple[str, str]
"""What a user asks, and the answer."""

ROWS_AT_ONCE = 400
KINDS = ("fact", "rule", "fact", "decision", "task")


@dataclass(frozen=True)
class LongPath:
    """The turns of a path that was made."""

    tip: UUID
    turn_ids: tuple[UUID, ...]
    """Oldest first."""


def long_path(
    access: Access,
    turns_wanted: int,
    say: Callable[[int], Said],
    *,
    learned: int = 0,
    parent: Turn | None = None,
    tokenizers: Iterable[str] = ("o200k_base",),
) -> LongPath:
    """Make a path in an empty conversation, or a branch of one, and move the main tip there.

    Args:
        access: the conversation.
        turns_wanted: how many turns are added.
        say: gives what is said in a turn, by its depth.
        learned: how many of the newest turns taught one sentence each: their question.
        parent: where it grows from; None for the root.
        tokenizers: under whose names the counts of the reference tokenizer are stored.
    """
    maker = _Maker(access, say, tuple(tokenizers), parent)
    rows = list(maker.rows(turns_wanted))
    by_model: dict[type[Any], list[Any]] = {}
    for row in rows:
        by_model.setdefault(type(row), []).append(row)
    with transaction.atomic():
        for model in (Turn, Message, TokenCount):
            found = by_model[model]
            for first in range(0, len(found), ROWS_AT_ONCE):
                insert(found[first : first + ROWS_AT_ONCE])
        turns = by_model[Turn]
        _teach(access, turns, learned, maker.last_seq)
        branch = branch_of(access)
        Branch.objects.filter(pk=branch.id).update(tip_id=turns[-1].id)
        conversation = Conversation.objects.filter(pk=access.conversation.id)
        conversation.update(last_seq=maker.last_seq)
    return LongPath(turns[-1].id, tuple(turn.id for turn in turns))


class _Maker:
    def __init__(
        self, access: Access, say: Callable[[int], Said], tokenizers: tuple[str, ...], parent: Any
    ) -> None:
        self._access = access
        self._say = say
        self._tokenizers = tokenizers
        self._parent = parent
        self._branch = branch_of(access)
        self._counted: dict[tuple[str, str], dict[str, int]] = {}
        seqs = Conversation.objects.filter(pk=access.conversation.id)
        self.last_seq = seqs.values_list("last_seq", flat=True).get()

    def rows(self, turns_wanted: int) -> Iterator[Any]:
        for _ in range(turns_wanted):
            yield from self._turn()

    def _turn(self) -> Iterator[Any]:
        before = self._parent
        depth = 1 if before is None else before.depth + 1
        self.last_seq += 1
        turn = Turn(
            id=new_id(),
            conversation_id=self._access.conversation.id,
            branch_id=self._branch.id,
            parent_id=None if before is None else before.id,
            depth=depth,
            status="committed",
            finish="complete",
            idempotency_key=new_id().hex,
            accepted_seq=self.last_seq,
            committed_seq=self.last_seq,
            accepted_ms=depth * 1_000,
            committed_ms=depth * 1_000 + 500,
            branch_ms=depth * 1_000,
            sum_messages=0 if before is None else before.sum_messages,
            sum_reference_tokens=0 if before is None else before.sum_reference_tokens,
            sum_digest_tokens=0 if before is None else before.sum_digest_tokens,
            feature_heads={} if before is None else before.feature_heads,
        )
        roles = zip(("user", "assistant"), self._say(depth), strict=True)
        for position, (role, text) in enumerate(roles):
            message = CoreMessage(str(new_id()), role, text, turn.accepted_ms)
            if role == "user":
                turn.input_message_id = UUID(message.id)
            yield from self._message(turn, message, position)
        self._parent = turn
        yield turn

    def _message(self, turn: Turn, message: CoreMessage, position: int) -> Iterator[Any]:
        id_ = UUID(message.id)
        yield Message(
            id=id_,
            conversation_id=turn.conversation_id,
            turn_id=turn.id,
            seq=turn.accepted_seq,
            position=position,
            role=message.role,
            body=seal(self._access.keys, "chatapp_message", "body", id_, encode_body(message)),
            created_ms=message.created_ms,
        )
        counts = self._counts(message)
        turn.sum_messages += 1
        turn.sum_reference_tokens += counts["full"]
        turn.sum_digest_tokens += min(counts.values())
        for tokenizer in self._tokenizers:
            for form, tokens in counts.items():
                yield TokenCount(
                    message_id=id_, tokenizer=tokenizer, form=form, tokens=tokens, quality="exact"
                )

    def _counts(self, message: CoreMessage) -> dict[str, int]:
        key = (message.role, message.text)
        if key not in self._counted:
            texts = forms_of(message).items()
            self._counted[key] = {form: count_reference(text) for form, text in texts}
        return self._counted[key]


def _teach(access: Access, turns: list[Turn], learned: int, as_of: int) -> None:
    """Write the newest checkpoint as the worker would have, and the deltas after it."""
    tip = turns[-1]
    due = tip.depth - tip.depth % EVERY_TURNS
    deltas = [_delta(access, turn, is_telling=True) for turn in turns[-learned:] if learned]
    kept = [delta for delta in deltas if delta.depth <= due]
    place = next((turn for turn in turns if turn.depth == due), None)
    if place is not None:
        memory = path_fold(kept, (), as_of=as_of, start=None)
        body = encode_path_memory(bounded(memory.settled(due, ())))
        sealed = seal(access.keys, *memory_path.CHECKPOINT, place.id, body)
        Checkpoint.objects.create(turn_id=place.id, as_of_seq=as_of, body=sealed)
    after = [turn for turn in turns if place is None or turn.depth > due]
    telling = {delta.turn_id for delta in deltas}
    for turn in after:
        delta = _delta(access, turn, is_telling=str(turn.id) in telling)
        row_id = new_id()
        body = seal(access.keys, *memory_path.DELTA, row_id, encode_delta(delta))
        insert([MemoryDelta(id=row_id, turn_id=turn.id, seq=delta.seq, body=body, created_ms=0)])


def _delta(access: Access, turn: Turn, *, is_telling: bool) -> Delta:
    sentence = f"Order {40_000 + turn.depth} is to be ready on day {turn.depth}."
    span = Span(str(turn.input_message_id), 0, len(sentence))
    kind = KINDS[turn.depth % len(KINDS)]
    return Delta(
        turn_id=str(turn.id),
        seq=turn.accepted_seq,
        depth=turn.depth,
        said_seq=turn.accepted_seq,
        branch_ms=turn.branch_ms,
        learned=(Learned(span, kind, sentence, "rules"),) if is_telling else (),
    )
