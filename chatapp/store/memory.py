"""Memory in storage: what a path remembers as of a moment, and what is added to it.

A delta or an operation is written with the transition that holds their seq.
"""

from dataclasses import dataclass
from uuid import UUID

from chatapp.ids import new_id
from chatapp.keyring import SpaceKeys
from chatapp.models import MemoryDelta
from chatapp.store import memory_path, operations
from chatapp.store.checkpoints import drop_from
from chatapp.store.raw import insert
from chatapp.store.said import texts_of
from chatapp.store.sealing import seal
from statecore.state.codec import encode_delta
from statecore.state.fold import Memory, fold
from statecore.state.foresight import foreseen
from statecore.state.operations import Delta, Operation

FORESEEN_TURNS = 10
"""Of the turns that wait so many are read by rules for the look; the others stand in the count."""


def read_memory(conversation_id: UUID, tip: UUID | None, keys: SpaceKeys, *, as_of: int) -> Memory:
    """Return what is remembered at the end of a path; two queries, one for an empty path.

    Args:
        conversation_id: the conversation.
        tip: the newest turn of the path; None before the first.
        keys: of the owner.
        as_of: deltas and operations with a later seq are not seen.
    """
    path = memory_path.walk(conversation_id, tip, keys, as_of=as_of)
    return memory_of(conversation_id, path, keys, as_of=as_of)


def memory_of(
    conversation_id: UUID, path: memory_path.LearnedPath, keys: SpaceKeys, *, as_of: int
) -> Memory:
    """Return what is remembered at the end of a path that was walked; one query."""
    holds = path.cut().holds
    found = operations.read_operations(conversation_id, keys, as_of=as_of, holds=holds)
    return fold(path.deltas, found, as_of=as_of, start=path.start)


@dataclass(frozen=True, slots=True)
class Looked:
    """What is remembered at the end of a path, as people look at it and act on it."""

    memory: Memory
    """The full version, with what rules find in turns without a delta (see `foreseen`)."""
    waiting: tuple[UUID, ...]
    """Those turns, oldest first."""


def look(conversation_id: UUID, tip: UUID | None, keys: SpaceKeys, *, as_of: int) -> Looked:
    """Return what people see at the end of a path; two queries, four while turns wait."""
    path = memory_path.walk(conversation_id, tip, keys, as_of=as_of, whole=True)
    memory = memory_of(conversation_id, path, keys, as_of=as_of)
    waiting = path.waiting()
    return Looked(foreseen(memory, texts_of(waiting[-FORESEEN_TURNS:], keys)), waiting)


def waiting_turns(
    conversation_id: UUID, tip: UUID | None, keys: SpaceKeys, *, as_of: int
) -> tuple[UUID, ...]:
    """Return the turns of a path that have no delta, oldest first; one query."""
    return memory_path.walk(conversation_id, tip, keys, as_of=as_of).waiting()


def learned_turns(
    conversation_id: UUID, tip: UUID | None, keys: SpaceKeys, *, as_of: int
) -> tuple[UUID, ...]:
    """Return the turns of a path whose deltas people see in full, oldest first; one query."""
    path = memory_path.walk(conversation_id, tip, keys, as_of=as_of, whole=True)
    learned = {delta.turn_id for delta in path.deltas}
    return tuple(place.turn_id for place in path.places if str(place.turn_id) in learned)


def insert_delta(
    conversation_id: UUID, delta: Delta, keys: SpaceKeys, *, prompt_hash: str, now_ms: int
) -> None:
    """Insert what a turn taught, inside the transaction of its transition.

    Args:
        conversation_id: of its turn.
        delta: with the seq of that transition.
        keys: of the owner.
        prompt_hash: of the prompt that labelled it; empty when no model was asked.
        now_ms: milliseconds since the epoch.

    Raises:
        IntegrityError: when the turn has a delta already; the caller's work is done.
    """
    insert([delta_row(delta, keys, prompt_hash=prompt_hash, now_ms=now_ms)])
    drop_from(conversation_id, delta.depth)


def delta_row(delta: Delta, keys: SpaceKeys, *, prompt_hash: str, now_ms: int) -> MemoryDelta:
    """Return what a turn taught as it is inserted, sealed; arguments as `insert_delta`."""
    row_id = new_id()
    return MemoryDelta(
        id=row_id,
        turn_id=UUID(delta.turn_id),
        seq=delta.seq,
        body=seal(keys, *memory_path.DELTA, row_id, encode_delta(delta)),
        prompt_hash=prompt_hash,
        created_ms=now_ms,
    )


def insert_operation(operation: Operation, conversation_id: UUID, keys: SpaceKeys) -> None:
    """Insert what a person did, inside the transaction of the transition that holds its seq."""
    # No checkpoint lacks it: where a path had gone on from there before, it does not count.
    operations.insert_row(operation, conversation_id, keys)
