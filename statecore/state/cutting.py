"""Which acts of people count on a path: each node has one state that all who grow from it inherit.

What is done at a node after a path went on from there is for the paths that end at the node, and
for those that leave it later. So a rollback and its redo bring back exactly what was, and nothing
that is done on another branch changes what lies deeper.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, TypeVar

Id = TypeVar("Id")

NEVER = 1 << 63
"""Later than every seq."""


@dataclass(frozen=True, slots=True)
class Cut(Generic[Id]):
    """Where a path was gone on from, turn by turn."""

    ends: Mapping[Id | None, int]
    """Seq from which on an act at a turn counts no more; None is the place before the first."""

    def holds(self, turn_id: Id | None, seq: int) -> bool:
        """Return whether an act of path scope counts at the end of the path.

        Args:
            turn_id: where it was done; None before the first turn.
            seq: of the act.
        """
        return seq < self.ends.get(turn_id, 0)


def cut_of(turns: Iterable[tuple[Id, int | None]], *, from_root: bool = True) -> Cut[Id]:
    """Return where a path was gone on from.

    Args:
        turns: ids with the seqs of their commits, oldest first; None while a turn runs.
        from_root: whether they begin with the first turn. If not, nothing before them counts.
    """
    path: list[tuple[Id | None, int | None]] = [(None, None), *turns]
    ends = {
        turn_id: NEVER if left_seq is None else left_seq
        for (turn_id, _), (_, left_seq) in pairwise(path)
    }
    ends[path[-1][0]] = NEVER
    if not from_root:
        del ends[None]
    return Cut(ends)
