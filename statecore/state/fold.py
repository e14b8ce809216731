"""The fold: memory as of a moment, from the deltas of a path and the operations of people.

A `PathMemory` is the log of one path: its deltas and the operations that belong to it. It decides
nothing, so it can be kept as a checkpoint whatever people delete, correct or take back later. The
fold replays it together with the operations that hold on all branches.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from statecore.memory.ledger import Entry, Span, entry_id
from statecore.memory.session import Field
from statecore.memory.tombstones import Removed
from statecore.state.field_acts import fields_of
from statecore.state.operations import Delta, Operation, Rejected, scope_of
from statecore.state.replay import replayed
from statecore.state.undoing import undone


@dataclass(frozen=True, slots=True)
class PathMemory:
    """What the turns of a path taught and what people did there, as of a moment."""

    deltas: tuple[Delta, ...] = ()
    """By seq, one a turn."""
    operations: tuple[Operation, ...] = ()
    """Those of path scope that count there (see `Cut`), by seq, those taken back included."""
    as_of: int = 0
    depth: int = 0
    """Of the deepest turn or operation in it, or of the turn that it is a checkpoint of."""
    settled_depth: int = 0
    """Turns down to here are learned, whether their deltas are here or not, except `waiting`."""
    waiting: frozenset[str] = frozenset()
    """Ids of the turns down to `settled_depth` that had no delta."""
    left_out: int = 0
    """Entries that a bound has left out."""

    def is_learned(self, turn_id: str, depth: int) -> bool:
        """Return whether a turn of the path has its delta in here."""
        is_settled = self.is_settled(turn_id, depth)
        return is_settled or any(delta.turn_id == turn_id for delta in self.deltas)

    def learned_ids(self) -> frozenset[str]:
        """Return the ids of the turns whose delta is in here."""
        return frozenset(delta.turn_id for delta in self.deltas)

    def is_settled(self, turn_id: str, depth: int) -> bool:
        """Return whether a turn counts as learned without its delta."""
        return depth <= self.settled_depth and turn_id not in self.waiting

    def settled(self, depth: int, waiting: Iterable[str]) -> "PathMemory":
        """Return it as the checkpoint of a turn: all turns down to there count as learned.

        What people did at the turn itself is left out: it is read beside the checkpoint.

        Args:
            depth: of the turn; nothing in here lies deeper.
            waiting: ids of all turns down to there that have no delta.
        """
        missing = frozenset(waiting)
        settled = replace(self, depth=depth, settled_depth=depth, waiting=missing)
        return settled.before_acts_there()

    def before_acts_there(self) -> "PathMemory":
        """Return a checkpoint without what people did at its own turn.

        How much of that counts depends on when a path went on from there. Checkpoints of earlier
        versions hold some of it.
        """
        above = tuple(it for it in self.operations if it.depth < self.settled_depth)
        return self if len(above) == len(self.operations) else replace(self, operations=above)


@dataclass(frozen=True, slots=True)
class Memory:
    """What is remembered at the end of a path as of a moment."""

    entries: tuple[Entry, ...] = ()
    """All, for audit too: by depth, place in the message, and seq."""
    fields: tuple[Field, ...] = ()
    """By key, removed ones included."""
    rejected: tuple[Rejected, ...] = ()
    """By depth, in the order of the turn."""
    removed: tuple[Removed, ...] = ()
    """Deletions in force, on whatever branch they were made, oldest first."""
    operations: tuple[Operation, ...] = ()
    """By seq, those taken back included."""
    undone: frozenset[int] = frozenset()
    """Seqs of the operations that are taken back."""
    as_of: int = 0
    path: PathMemory = PathMemory()
    """What it was folded from, without what holds on all branches."""

    def active(self) -> tuple[Entry, ...]:
        """Return the entries that may be sent."""
        sent = ("active", "paused", "in_conflict")
        return tuple(entry for entry in self.entries if entry.status in sent)

    def entry(self, name: str) -> Entry | None:
        """Return the entry with an id, or with a source that has this id; None when none has."""
        by_id = (entry for entry in self.entries if entry.id == name)
        by_source = (
            entry for entry in self.entries if name in {entry_id(span) for span in entry.sources}
        )
        return next(by_id, None) or next(by_source, None)

    def is_learned(self, turn_id: str, depth: int) -> bool:
        """Return whether a turn of the path has its delta in here."""
        return self.path.is_learned(turn_id, depth)

    def is_removed(self, span: Span | None, text: str, said_seq: int) -> bool:
        """Return whether a person has deleted a sentence; see `Removed.covers`."""
        return any(tombstone.covers(span, text, said_seq) for tombstone in self.removed)


EMPTY = Memory()
"""Before anything was learned."""


def fold(
    deltas: Iterable[Delta],
    operations: Iterable[Operation],
    *,
    as_of: int,
    start: PathMemory | None = None,
) -> Memory:
    """Return the memory at the end of a path; order, doubles and what came later do not matter.

    Args:
        deltas: of the turns of the path; with a start at least those that it does not have.
        operations: all of conversation scope and those of path scope that count on the path (see
            `Cut`); with a start at least those of path scope that it does not have: what was done
            at its own turn, and deeper.
        as_of: what has a later seq is not seen.
        start: a checkpoint of the path; `start_is_usable` must hold.
    """
    given = tuple(operations)
    path = path_fold(deltas, given, as_of=as_of, start=start)
    shared = (operation for operation in given if scope_of(operation.action) == "conversation")
    seen = _by_seq((*path.operations, *shared), as_of)
    gone = undone(seen)
    in_force = [operation for operation in seen if operation.seq not in gone]
    replay = replayed(path.deltas, in_force)
    entries = tuple(sorted((draft.entry() for draft in replay.drafts), key=_place))
    removed = tuple(replay.removed())
    said = sorted(path.deltas, key=lambda delta: (delta.depth, delta.seq))
    return Memory(
        entries=entries,
        fields=fields_of(path.deltas, in_force, entries, removed),
        rejected=tuple(rejected for delta in said for rejected in delta.rejected),
        removed=removed,
        operations=seen,
        undone=gone,
        as_of=as_of,
        path=path,
    )


def path_fold(
    deltas: Iterable[Delta],
    operations: Iterable[Operation],
    *,
    as_of: int,
    start: PathMemory | None = None,
) -> PathMemory:
    """Return what the path itself has; `fold` says what it comes to. Arguments as there."""
    base = start or PathMemory()
    new_deltas = (delta for delta in deltas if not base.is_settled(delta.turn_id, delta.depth))
    new_operations = (
        operation
        for operation in operations
        if scope_of(operation.action) == "path" and not _has(base, operation)
    )
    kept_deltas = _one_a_turn((*base.deltas, *new_deltas), as_of)
    kept_operations = _by_seq((*base.operations, *new_operations), as_of)
    depths = [delta.depth for delta in kept_deltas]
    depths += [operation.depth for operation in kept_operations]
    depth = max(depths, default=0)
    return replace(
        base,
        deltas=kept_deltas,
        operations=kept_operations,
        as_of=as_of,
        depth=max(depth, base.depth),
    )


def start_is_usable(start: PathMemory, as_of: int) -> bool:
    """Return whether a checkpoint may stand in for the deltas and operations that it has.

    What was taken back since does not matter: a checkpoint holds operations as they were made.
    """
    return start.as_of <= as_of


def _has(base: PathMemory, operation: Operation) -> bool:
    return operation.seq <= base.as_of and operation.depth < base.depth


def _one_a_turn(deltas: Iterable[Delta], as_of: int) -> tuple[Delta, ...]:
    first: dict[str, Delta] = {}
    for delta in sorted(deltas, key=lambda delta: delta.seq):
        if delta.seq <= as_of:
            first.setdefault(delta.turn_id, delta)
    return tuple(first.values())


def _by_seq(operations: Iterable[Operation], as_of: int) -> tuple[Operation, ...]:
    seen = {operation.seq: operation for operation in operations if operation.seq <= as_of}
    return tuple(seen[seq] for seq in sorted(seen))


def _place(entry: Entry) -> tuple[int, int, int, str]:
    start = entry.sources[0].start if entry.sources else -1
    return entry.depth, start, entry.seq, entry.id
