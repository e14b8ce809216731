"""Reads what the turns of a path taught: from its tip back to the nearest checkpoint; one query.

Raw rows cost a third of ORM objects, and the first token of every answer waits for these.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple
from uuid import UUID

from django.db import connection

from chatapp.keyring import SpaceKeys
from chatapp.store.raw import db_id, to_id
from chatapp.store.sealing import unseal
from statecore.state.codec import decode_delta, decode_path_memory
from statecore.state.cutting import Cut, cut_of
from statecore.state.fold import PathMemory
from statecore.state.operations import Delta

CHECKPOINT: Final = ("chatapp_checkpoint", "body")
DELTA: Final = ("chatapp_memorydelta", "body")

MAX_TURNS: Final = 200_000
"""A bound for the walk of a path without a checkpoint; no conversation is that long."""

WHOLE_TURNS: Final = 1_000
"""Turns whose memory is read in full where people look at it; each costs a fifth of a
millisecond, and what is older stands there as its checkpoint has it."""

# The walk stops on the recursive row: SQLite is twelve times slower when it stops on the joined
# one. A checkpoint that is too new for the moment is no checkpoint, nor one that is too near.
WALK_SQL: Final = """
WITH RECURSIVE path(id, parent_id, depth, committed_seq, kept, n) AS (
    SELECT t.id, t.parent_id, t.depth, t.committed_seq, c.turn_id, 1
    FROM chatapp_turn t
    LEFT JOIN chatapp_checkpoint c ON c.turn_id = t.id AND c.as_of_seq <= %s AND 0 >= %s
    WHERE t.id = %s AND t.conversation_id = %s
  UNION ALL
    SELECT t.id, t.parent_id, t.depth, t.committed_seq, c.turn_id, path.n + 1
    FROM path JOIN chatapp_turn t ON t.id = path.parent_id
    LEFT JOIN chatapp_checkpoint c ON c.turn_id = t.id AND c.as_of_seq <= %s AND path.n >= %s
    WHERE path.kept IS NULL AND path.n < %s
)
SELECT path.id, path.depth, path.committed_seq, d.id, d.body, k.body
FROM path
LEFT JOIN chatapp_memorydelta d ON d.turn_id = path.id AND d.seq <= %s
LEFT JOIN chatapp_checkpoint k ON k.turn_id = path.kept
ORDER BY path.depth
"""


class Place(NamedTuple):
    """One turn of a path."""

    turn_id: UUID
    depth: int
    committed_seq: int | None = None
    """None while it runs."""


@dataclass(frozen=True, slots=True)
class LearnedPath:
    """What the turns of a path taught, as of a moment."""

    places: tuple[Place, ...]
    """The turns that were walked, oldest first; the first may be that of the checkpoint."""
    deltas: tuple[Delta, ...]
    """Of the walked turns."""
    start: PathMemory | None
    """The checkpoint that the walk ended at; None at the root."""

    @property
    def tip(self) -> Place | None:
        """The newest turn; None for an empty path."""
        return self.places[-1] if self.places else None

    def waiting(self) -> tuple[UUID, ...]:
        """Return the turns without a delta, oldest first."""
        learned = {delta.turn_id for delta in self.deltas}
        before = () if self.start is None else sorted(map(UUID, self.start.waiting))
        rest = self.places if self.start is None else self.places[1:]
        return (
            *before,
            *(place.turn_id for place in rest if str(place.turn_id) not in learned),
        )

    def cut(self) -> Cut[UUID]:
        """Return which acts at the walked turns count at the end; a checkpoint has the others."""
        turns = ((place.turn_id, place.committed_seq) for place in self.places)
        return cut_of(turns, from_root=self.start is None)


def walk(
    conversation_id: UUID, tip: UUID | None, keys: SpaceKeys, *, as_of: int, whole: bool = False
) -> LearnedPath:
    """Return what the turns from a tip back to the nearest checkpoint taught.

    Args:
        conversation_id: the conversation; a tip of another one is an empty path.
        tip: the newest turn; None for an empty path.
        keys: of the owner.
        as_of: deltas and checkpoints with a later seq are not seen.
        whole: goes past the checkpoints of the last `WHOLE_TURNS` turns.
    """
    if tip is None:
        return LearnedPath((), (), None)
    near = [as_of, WHOLE_TURNS if whole else 0]
    arguments = [*near, db_id(tip), db_id(conversation_id), *near, MAX_TURNS, as_of]
    with connection.cursor() as cursor:
        cursor.execute(WALK_SQL, arguments)
        rows = cursor.fetchall()
    deltas = tuple(
        decode_delta(unseal(keys, *DELTA, to_id(row[3]), bytes(row[4])))
        for row in rows
        if row[3] is not None
    )
    start = None
    if rows and rows[0][5] is not None:
        kept = unseal(keys, *CHECKPOINT, to_id(rows[0][0]), bytes(rows[0][5]))
        start = decode_path_memory(kept).before_acts_there()
    return LearnedPath(tuple(Place(to_id(row[0]), *row[1:3]) for row in rows), deltas, start)
