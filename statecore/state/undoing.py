"""Undo: which operations are taken back as of a moment."""

from collections.abc import Iterable

from statecore.state.operations import Operation, Undo


def undone(operations: Iterable[Operation]) -> frozenset[int]:
    """Return the seqs of the operations that are taken back; an undo can be taken back itself."""
    undos = {operation.seq: operation.action for operation in operations}
    gone: set[int] = set()
    # The newest first: whether an undo counts is settled by what came after it.
    for seq in sorted(undos, reverse=True):
        action = undos[seq]
        if isinstance(action, Undo) and seq not in gone and action.seq < seq:
            gone.add(action.seq)
    return frozenset(gone)
