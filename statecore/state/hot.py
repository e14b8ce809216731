"""The hot part of a path: what fits into a checkpoint, by a fixed rank."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import Literal, NamedTuple

from statecore.memory.ledger import EntryKind, Span
from statecore.state.codec import encode_delta, encode_operation, encode_path_memory
from statecore.state.drafts import Draft
from statecore.state.fold import PathMemory
from statecore.state.operations import Delta, Operation, Pin, RemoveField, SetField
from statecore.state.replay import replayed

LIMIT_ENTRIES = 200
LIMIT_BYTES = 65_536

HISTORY = 4
"""Acts on one thing that are kept, the newest first: the one before counts when the last is taken
back, and a key that is set at every turn must not fill a checkpoint."""

_RANKS: tuple[tuple[EntryKind, ...], ...] = (
    ("rule",),
    ("goal",),
    ("agreement", "decision"),
    ("promise", "task"),
    ("fact",),
)
_RANK_OF = {kind: rank for rank, kinds in enumerate(_RANKS) for kind in kinds}
_PINNED, _FIELD, _LIVE, _DEAD, _REJECTED = range(5)


class _Piece(NamedTuple):
    """One item of a delta, or an operation."""

    seq: int
    part: Literal["learned", "fields", "rejected", "operation"]
    number: int = 0


class _Group(NamedTuple):
    """Pieces that are kept or left out together."""

    rank: tuple[int, int, int]
    """Less is kept first."""
    pieces: tuple[_Piece, ...]
    is_entry: bool = False


def bounded(
    path: PathMemory, limit_entries: int = LIMIT_ENTRIES, limit_bytes: int = LIMIT_BYTES
) -> PathMemory:
    """Return the part of a path that fits, with the number of entries that it leaves out.

    Pinned and disputed entries come first, then session fields, then live entries by kind, the
    newest first; what was superseded and rejected comes last. Nothing is kept that is ranked
    below something that did not fit, so that no entry outlives the one that took its place.

    Args:
        path: a checkpoint should be `settled` before; otherwise each turn keeps a line of its own.
        limit_entries: how many entries may stay.
        limit_bytes: how long its stored form may be.
    """
    groups = sorted(chain(_entries(path), _fields(path), _rejected(path)), key=lambda it: it.rank)
    sizes = _Sizes(path)
    kept: set[_Piece] = set()
    entries = 0
    for group in groups:
        if group.is_entry and entries == limit_entries:
            continue
        if sizes.total + sizes.of(group.pieces) > limit_bytes:
            break
        sizes.add(group.pieces)
        kept.update(group.pieces)
        entries += group.is_entry
    left_out = sum(group.is_entry for group in groups) - entries
    return replace(
        path,
        deltas=tuple(_cut_deltas(path, kept)),
        operations=tuple(it for it in path.operations if _Piece(it.seq, "operation") in kept),
        left_out=path.left_out + left_out,
    )


def _entries(path: PathMemory) -> Iterator[_Group]:
    places: dict[tuple[int, Span | None], _Piece] = {
        (delta.seq, learned.span): _Piece(delta.seq, "learned", number)
        for delta in path.deltas
        # the first of two at one place is the one that was learned
        for number, learned in reversed(tuple(enumerate(delta.learned)))
    }
    pins = [it for it in path.operations if isinstance(it.action, Pin)]
    for draft in replayed(path.deltas, path.operations).drafts:
        first, *others = sorted(draft.sayings, key=lambda saying: saying.seq)
        pieces = [
            places.get((saying.seq, saying.span), _Piece(saying.seq, "operation"))
            for saying in (first, *others[-HISTORY:])
        ]
        pieces += [_Piece(pin.seq, "operation") for pin in _pins_of(draft, pins)]
        yield _Group(_rank(draft), tuple(dict.fromkeys(pieces)), is_entry=True)


def _pins_of(draft: Draft, pins: Iterable[Operation]) -> list[Operation]:
    on_it = [it for it in pins if isinstance(it.action, Pin) and draft.is_at(it.action.target)]
    return on_it[-HISTORY:]


def _rank(draft: Draft) -> tuple[int, int, int]:
    newest_first = -max(saying.seq for saying in draft.sayings)
    kind = _RANK_OF.get(draft.kind, len(_RANKS))
    if not draft.is_live:
        return _DEAD, 0, newest_first
    is_first = draft.pinned or draft.status == "in_conflict"
    return _PINNED if is_first else _LIVE, kind, newest_first


def _fields(path: PathMemory) -> Iterator[_Group]:
    said: dict[str, list[tuple[int, _Piece]]] = defaultdict(list)
    done: dict[str, list[tuple[int, _Piece]]] = defaultdict(list)
    for delta in path.deltas:
        for number, item in enumerate(delta.fields):
            piece = _Piece(delta.seq, "fields", number)
            said[item.key].append((delta.said_seq, piece))
    for operation in path.operations:
        match operation.action:
            case SetField(field=item):
                done[item.key].append((operation.seq, _Piece(operation.seq, "operation")))
            case RemoveField(key=key):
                done[key].append((operation.seq, _Piece(operation.seq, "operation")))
            case _:
                pass
    for key in sorted({*said, *done}):
        acts = sorted(said[key])[-HISTORY:] + sorted(done[key])[-HISTORY:]
        newest = max(order for order, _ in acts)
        yield _Group((_FIELD, 0, -newest), tuple(piece for _, piece in acts))


def _rejected(path: PathMemory) -> Iterator[_Group]:
    for delta in path.deltas:
        for number in range(len(delta.rejected)):
            yield _Group((_REJECTED, 0, -delta.seq), (_Piece(delta.seq, "rejected", number),))


class _Sizes:
    """How long the stored form gets at most."""

    def __init__(self, path: PathMemory) -> None:
        self._deltas = {delta.seq: delta for delta in path.deltas}
        self._operations = {operation.seq: operation for operation in path.operations}
        stubs = tuple(_cut_deltas(path, set()))
        self._headed = {delta.seq for delta in stubs}
        self.total = len(encode_path_memory(replace(path, deltas=stubs, operations=())))
        # `left_out` may get more digits
        self.total += len(str(len(path.deltas) + len(path.operations)))

    def of(self, pieces: Iterable[_Piece]) -> int:
        """Return what pieces add to it."""
        heads = {piece.seq for piece in pieces if piece.part != "operation"} - self._headed
        return sum(map(self._piece, pieces)) + sum(
            len(encode_delta(_stub(self._deltas[seq]))) for seq in heads
        )

    def add(self, pieces: Iterable[_Piece]) -> None:
        """Count pieces as kept."""
        self.total += self.of(pieces)
        self._headed |= {piece.seq for piece in pieces if piece.part != "operation"}

    def _piece(self, piece: _Piece) -> int:
        if piece.part == "operation":
            return len(encode_operation(self._operations[piece.seq]))
        delta = self._deltas[piece.seq]
        alone = _cut(delta, {piece})
        return len(encode_delta(alone)) - len(encode_delta(_stub(delta))) + 1


def _cut_deltas(path: PathMemory, kept: set[_Piece]) -> Iterator[Delta]:
    with_pieces = {piece.seq for piece in kept if piece.part != "operation"}
    for delta in path.deltas:
        # the delta of a turn that is not settled says that the turn is learned
        if delta.seq in with_pieces or not path.is_settled(delta.turn_id, delta.depth):
            yield _cut(delta, kept)


def _cut(delta: Delta, kept: set[_Piece]) -> Delta:
    seq = delta.seq
    return replace(
        delta,
        learned=tuple(
            it for n, it in enumerate(delta.learned) if _Piece(seq, "learned", n) in kept
        ),
        fields=tuple(it for n, it in enumerate(delta.fields) if _Piece(seq, "fields", n) in kept),
        rejected=tuple(
            it for n, it in enumerate(delta.rejected) if _Piece(seq, "rejected", n) in kept
        ),
    )


def _stub(delta: Delta) -> Delta:
    return _cut(delta, set())
