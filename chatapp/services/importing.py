"""Puts a whole state into an empty conversation: one transaction, under new ids and seqs."""

import json
from dataclasses import asdict, replace
from itertools import count
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F

from chatapp.access import Access, Owner
from chatapp.clock import now_ms
from chatapp.ids import new_id
from chatapp.models import Branch, Conversation, Operation, Transition, Turn
from chatapp.services.acts import KINDS
from chatapp.services.conversations import conversation_create
from chatapp.services.outcomes import Imported, NotEmpty
from chatapp.services.stems import Place, Stem, store_message
from chatapp.services.transitions import Change, Head, append_all, claim
from chatapp.store import checkpoints, conversations, memory, outbox, turns
from chatapp.store.carried import IMPORTED, LATEST_SEQ
from chatapp.store.whole_path import MAX_TURNS
from statecore.contract.carried import carried_of, encode_carried
from statecore.contract.renaming import Named, Names, renamed
from statecore.contract.schema import Contract, ContractTurn
from statecore.contract.times import moments
from statecore.errors import InvalidInput, place_of
from statecore.log import path_hash_next
from statecore.messages import encode_body
from statecore.state.codec import encode_delta, encode_operation
from statecore.tree import Sums

DAY_MS = 86_400_000


def state_import(access: Access, contract: Contract) -> Imported | NotEmpty:
    """Make an empty conversation the one that a contract tells of.

    What was deleted stays deleted, what waits to be learned waits here too. The state hash of the
    conversation is then that of the contract, where the contract has a system message.

    Args:
        access: the conversation; its own system prompt gives way to that of the contract.
        contract: one that `parse` has let in.

    Raises:
        InvalidInput: when it has too many turns, or a time of it lies in the future.
        ConversationGone: when the conversation was deleted in the meantime.
    """
    now = now_ms()
    _refuse_unfit(contract, now)
    with transaction.atomic():
        leading = 1 + (contract.system is not None)
        head = claim(access.conversation.id, leading + len(contract.seqs()))
        if head.seq > LATEST_SEQ or not _is_empty(access.conversation.id):
            # A claimed seq without its transition would be a gap in the log.
            transaction.set_rollback(True)
            return NotEmpty()
        own = renamed(contract, _names(access, contract, head.seq + leading))
        _Import(access, own, head, now).write()
    return Imported(turns=len(own.turns), messages=len(own.messages()))


def state_import_new(owner: Owner, contract: Contract) -> UUID:
    """Make a new conversation of a state and return its id.

    Raises:
        InvalidInput: as `state_import`; nothing is made then.
    """
    with transaction.atomic():
        conversation = conversation_create(owner, model_name="")
        state_import(Access(owner, conversation), contract)
    return conversation.id


def _refuse_unfit(contract: Contract, now_ms: int) -> None:
    if len(contract.turns) > MAX_TURNS:
        raise InvalidInput(f"turns: {len(contract.turns)} where {MAX_TURNS} are the most")
    # Times never go back: one of next year would hold the whole conversation there.
    for place, moment_ms in moments(contract):
        if moment_ms > now_ms + DAY_MS:
            raise InvalidInput(f"{place_of(place)}: lies in the future")


def _is_empty(conversation_id: UUID) -> bool:
    imported = Transition.objects.filter(conversation_id=conversation_id, kind=IMPORTED)
    return not (
        Turn.objects.filter(conversation_id=conversation_id).exists()
        or Operation.objects.filter(conversation_id=conversation_id).exists()
        or imported.exists()
    )


def _names(access: Access, contract: Contract, first_seq: int) -> Names:
    return Names(
        conversation=str(access.conversation.id),
        turns={turn.id: str(new_id()) for turn in contract.turns},
        messages={message.id: str(new_id()) for message in contract.messages()},
        seqs=dict(zip(sorted(contract.seqs()), count(first_seq), strict=False)),
        facts={fact.id: str(new_id()) for fact in contract.facts},
        elsewhere=_elsewhere,
    )


def _elsewhere(what: Named, name: str, number: int) -> str:
    if what == "entry":
        # No addition can ever have this id.
        return f"op:x{number}"
    return name if what == "conversation" or _is_id(name) else str(new_id())


def _is_id(name: str) -> bool:
    try:
        return str(UUID(name)) == name
    except ValueError:
        return False


class _Import:
    """Writes a contract that has the ids and seqs of its new place."""

    def __init__(self, access: Access, contract: Contract, head: Head, now_ms: int) -> None:
        self._conversation = access.conversation
        self._keys = access.keys
        self._contract = contract
        self._head = head
        self._now_ms = now_ms
        self._branch = Branch.objects.get(
            conversation=access.conversation, origin=Branch.Origin.MAIN
        )
        self._changes: dict[int, Change] = {}
        """Of the log, by seq."""

    def write(self) -> None:
        """Write the log first, then everything that it tells of."""
        self._changes[self._head.seq] = Change(
            IMPORTED, input=encode_carried(carried_of(self._contract))
        )
        self._write_system()
        tip = self._write_turns()
        self._write_memory()
        self._write_work()
        self._write_heads(tip)
        changes = [self._changes[seq] for seq in sorted(self._changes)]
        append_all(self._conversation.id, self._keys, changes, self._head, self._now_ms)
        if tip is not None:
            checkpoints.write_if_due(tip, self._keys)

    def _write_system(self) -> None:
        system = self._contract.system
        if system is None:
            return
        message, seq = system.message(), self._head.seq + 1
        self._changes[seq] = Change("system_message_set", input=encode_body(message))
        turns.insert_messages(
            [message],
            keys=self._keys,
            conversation_id=self._conversation.id,
            turn_id=None,
            seq=seq,
            first_position=0,
        )

    def _write_turns(self) -> UUID | None:
        """Store all turns and return the newest committed one."""
        stem, tip = Stem(), None
        for turn in self._contract.turns:
            stem = self._write_turn(turn, stem, tip)
            if turn.is_committed:
                tip = UUID(turn.id)
        return tip

    def _write_turn(self, turn: ContractTurn, stem: Stem, parent: UUID | None) -> Stem:
        turn_id = UUID(turn.id)
        said = turn.said()
        bodies = [encode_body(message) for message in said]
        before = stem.path_hash
        grown: dict[str, Any] = {}
        for position, message in enumerate(said):
            seq = turn.committed_seq if position and turn.committed_seq else turn.accepted_seq
            place = Place(self._conversation.id, turn_id, seq, position)
            grown = dict(store_message(message, stem, place, self._keys))
            stem = _grown(stem, grown)
        self._changes[turn.accepted_seq] = Change(
            "turn_accepted", turn_id, input=bodies[0], state_before=before
        )
        columns: dict[str, object] = {"status": "interrupted", "reason": "interrupted"}
        if turn.committed_seq is not None:
            after = path_hash_next(
                self._keys.log, before, said[0].id.encode() + b"".join(bodies[1:])
            )
            self._changes[turn.committed_seq] = Change(
                "turn_committed",
                turn_id,
                state_before=before,
                output=b"".join(bodies[1:]),
                state_after=after,
            )
            columns = {
                "status": "committed",
                "finish": turn.finish,
                "committed_seq": turn.committed_seq,
                "committed_ms": turn.committed_ms,
                "path_hash": after,
            }
            stem = replace(stem, depth=turn.depth, path_hash=after)
        self._insert_turn(turn, parent, grown | columns)
        return stem

    def _insert_turn(
        self, turn: ContractTurn, parent: UUID | None, columns: dict[str, object]
    ) -> None:
        turns.insert_turn(
            Turn(
                id=UUID(turn.id),
                conversation=self._conversation,
                branch=self._branch,
                parent_id=parent,
                depth=turn.depth,
                input_message_id=UUID(turn.messages[0].id),
                idempotency_key=f"imported-{turn.depth}",
                model_name=turn.model,
                accepted_seq=turn.accepted_seq,
                accepted_ms=turn.accepted_ms,
                branch_ms=turn.branch_ms,
                **columns,
            )
        )

    def _write_work(self) -> None:
        """Write what follows a commit; what was learned elsewhere is learned here too."""
        turn_ids = [turn.id for turn in self._contract.turns if turn.is_committed]
        learned = {delta.turn_id for delta in self._contract.memory.deltas}
        waiting = [UUID(name) for name in turn_ids if name not in learned]
        for kind, names in (
            (outbox.TOKEN_COUNTS, [UUID(name) for name in turn_ids]),
            (outbox.MEMORY_DELTA, waiting),
        ):
            outbox.put_all(self._conversation.id, names, kind, self._now_ms)

    def _write_memory(self) -> None:
        found = self._contract.memory
        for delta in found.deltas:
            body = encode_delta(delta)
            self._changes[delta.seq] = Change("memory_learned", UUID(delta.turn_id), output=body)
            memory.insert_delta(
                self._conversation.id, delta, self._keys, prompt_hash="", now_ms=self._now_ms
            )
        for act in found.acts():
            turn_id = None if act.turn_id is None else UUID(act.turn_id)
            kind = KINDS[type(act.action)]
            self._changes[act.seq] = Change(kind, turn_id, input=encode_operation(act))
            memory.insert_operation(act, self._conversation.id, self._keys)
        for field in self._contract.contract_fields:
            body = json.dumps(asdict(field), ensure_ascii=False, sort_keys=True).encode()
            self._changes[field.seq] = Change("contract_field_set", input=body)

    def _write_heads(self, tip: UUID | None) -> None:
        """Make the imported path the one that is looked at."""
        branch = Branch.objects.filter(pk=self._branch.id)
        # A page that was opened before must not post onto what it has not seen.
        branch.update(tip_id=tip, version=F("version") + 1)
        told = self._contract.conversation
        columns: dict[str, object] = {"kind": told.kind}
        if told.title is not None:
            columns["title"] = conversations.seal_title(
                self._conversation.id, told.title, self._keys
            )
        Conversation.objects.filter(pk=self._conversation.id).update(**columns)


def _grown(stem: Stem, columns: dict[str, Any]) -> Stem:
    sums = Sums(
        columns["sum_messages"], columns["sum_reference_tokens"], columns["sum_digest_tokens"]
    )
    return replace(stem, sums=sums, heads=columns["feature_heads"])
