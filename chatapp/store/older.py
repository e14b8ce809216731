"""Reads old messages that the input may point at, without walking the history between.

Features are linked along a path, newest first, and a turn at a depth is found by the branches that
lead to it; so neither costs more the longer the history is. Words are not looked for: the text is
sealed.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.db import connection

from chatapp.keyring import SpaceKeys
from chatapp.store.paths import decode_row
from chatapp.store.raw import db_id, placeholders, to_id
from statecore.context.spoken import Place, place_of
from statecore.context.state import OlderMessage
from statecore.language.pointers import Pointer

NEAR_FEATURES: Final = 500
"""How many features of a kind are walked back from the newest."""
FAR_FEATURES: Final = 4_000
"""The same for a phrase that counts from the front: where a path holds more of a kind, its first
are not found."""
CANDIDATES: Final = 8
"""How many of a kind and a speaker are offered to a phrase that names no number."""
MOST_ORDINAL: Final = 64
MAX_BRANCHES: Final = 1_000
"""A bound for branches that grow from branches."""

FEATURES_SQL: Final = """
WITH RECURSIVE chain(kind, message_id, ordinal, previous_id, n) AS (
    SELECT kind, message_id, ordinal, previous_id, 1 FROM chatapp_feature WHERE id IN ({heads})
  UNION ALL
    SELECT f.kind, f.message_id, f.ordinal, f.previous_id, chain.n + 1
    FROM chain JOIN chatapp_feature f ON f.id = chain.previous_id
    WHERE chain.n < %s
), earlier AS (
    SELECT c.kind, c.ordinal, c.message_id, t.depth, t.finish,
           ROW_NUMBER() OVER (PARTITION BY c.kind, m.role ORDER BY c.ordinal DESC) AS from_end,
           ROW_NUMBER() OVER (PARTITION BY c.kind, m.role ORDER BY c.ordinal) AS from_front,
           MIN(c.ordinal) OVER (PARTITION BY c.kind) AS first_ordinal
    FROM chain c JOIN chatapp_message m ON m.id = c.message_id
    JOIN chatapp_turn t ON t.id = m.turn_id
    WHERE t.depth < %s
)
SELECT e.kind, e.ordinal, e.from_end, e.from_front, e.first_ordinal, e.depth, e.finish,
       m.id, m.turn_id, m.role, m.body, m.created_ms
FROM earlier e JOIN chatapp_message m ON m.id = e.message_id
WHERE e.from_end <= %s OR e.from_front <= %s
ORDER BY e.depth, e.ordinal
"""

# Of the branches that lead to the tip, the one that a depth lies on is the last that reaches it.
# What IS TRUE no index is used for: only that by depth reads a few rows.
PLACES_SQL: Final = """
WITH RECURSIVE line(conversation_id, branch_id, reach, n) AS (
    SELECT t.conversation_id, t.branch_id, t.depth, 1 FROM chatapp_turn t WHERE t.id = %s
  UNION ALL
    SELECT f.conversation_id, f.branch_id, f.depth, line.n + 1
    FROM line JOIN chatapp_branch b ON b.id = line.branch_id
    JOIN chatapp_turn f ON f.id = b.parent_turn_id
    WHERE line.n < %s
), there AS (
    SELECT t.id, t.depth, t.finish, t.input_message_id, line.n,
           MAX(line.n) OVER (PARTITION BY t.depth) AS last_n
    FROM line JOIN chatapp_turn t
      ON t.conversation_id = line.conversation_id AND t.depth IN ({depths})
    WHERE (t.branch_id = line.branch_id) IS TRUE AND (t.depth <= line.reach) IS TRUE
      AND t.status = 'committed'
)
SELECT t.id, t.depth, t.finish, m.position, m.id, t.id, m.role, m.body, m.created_ms
FROM there t JOIN chatapp_message m ON m.id = t.input_message_id WHERE t.n = t.last_n
UNION ALL
SELECT t.id, t.depth, t.finish, m.position, m.id, t.id, m.role, m.body, m.created_ms
FROM there t JOIN chatapp_message m ON m.turn_id = t.id AND m.role = 'assistant'
WHERE t.n = t.last_n
ORDER BY 2, 4
"""


@dataclass(frozen=True, slots=True)
class _Row:
    """One message that was found, and what its feature is on the path."""

    depth: int
    finish: str
    columns: tuple[Any, ...]
    """As `decode_row` takes them."""
    kind: str = ""
    ordinal: int = 0
    from_end: int = 0
    from_front: int = 0
    is_whole: bool = True
    """Whether the first of its kind was reached."""

    @property
    def role(self) -> str:
        """Who said it."""
        return str(self.columns[2])


def read_older(
    parent_id: UUID,
    *,
    heads: Mapping[str, Sequence[object]],
    tip_depth: int,
    first_depth: int,
    pointers: Sequence[Pointer],
    keys: SpaceKeys,
) -> tuple[OlderMessage, ...]:
    """Return messages of the path before the loaded turns that pointers may mean, oldest first.

    At most two queries; none where there is no pointer or nothing older.

    Args:
        parent_id: the newest committed turn of the path.
        heads: its feature heads: per kind, id and ordinal of the newest feature.
        tip_depth: its depth.
        first_depth: depth of the oldest loaded turn; what is read lies before it.
        pointers: from `statecore.context.anchors.unsettled`.
        keys: of the owner.
    """
    if first_depth <= 1 or not pointers:
        return ()
    places = {
        pointer.start: place
        for pointer in pointers
        if pointer.kind == "message"
        and (place := place_of(pointer, tip_depth))
        and place.depth < first_depth
    }
    things = [pointer for pointer in pointers if _kind(pointer) in heads]
    wanted: dict[UUID, tuple[_Row, set[int]]] = {}
    for row, start in (
        *_at_places(parent_id, places),
        *_of_kinds(heads, things, first_depth),
    ):
        wanted.setdefault(to_id(row.columns[0]), (row, set()))[1].add(start)
    ordered = sorted(wanted.values(), key=lambda found: (found[0].depth, found[0].role != "user"))
    return tuple(_older(row, starts, keys) for row, starts in ordered)


def _kind(pointer: Pointer) -> str:
    return "list" if pointer.kind in {"step", "item"} else pointer.kind


def _of_kinds(
    heads: Mapping[str, Sequence[object]], pointers: Sequence[Pointer], first_depth: int
) -> Iterator[tuple[_Row, int]]:
    if not pointers:
        return
    kinds = sorted({_kind(pointer) for pointer in pointers})
    ids = [db_id(UUID(str(heads[kind][0]))) for kind in kinds]
    is_far = any(_counts_from_front(pointer) for pointer in pointers)
    most = min(MOST_ORDINAL, max([CANDIDATES, *(one.ordinal or 0 for one in pointers)]))
    rows = _rows(
        FEATURES_SQL.format(heads=placeholders(len(ids))),
        [*ids, FAR_FEATURES if is_far else NEAR_FEATURES, first_depth, most, most],
    )
    found = [_feature_row(row) for row in rows]
    for pointer in pointers:
        for row in _meant(found, pointer):
            yield row, pointer.start


def _feature_row(row: tuple[Any, ...]) -> _Row:
    kind, ordinal, from_end, from_front, first_ordinal, depth, finish, *columns = row
    return _Row(
        depth, finish, tuple(columns), kind, ordinal, from_end, from_front, first_ordinal == 1
    )


def _counts_from_front(pointer: Pointer) -> bool:
    return pointer.kind == _kind(pointer) and bool(pointer.ordinal) and not pointer.from_end


def _meant(rows: Sequence[_Row], pointer: Pointer) -> Iterable[_Row]:
    """Return the rows that a phrase may mean: one where it counts, else the newest few."""
    of_kind = [
        row
        for row in rows
        if row.kind == _kind(pointer) and row.role == (pointer.speaker or row.role)
    ]
    if _counts_from_front(pointer):
        if pointer.speaker:
            return [row for row in of_kind if row.is_whole and row.from_front == pointer.ordinal]
        return [row for row in of_kind if row.ordinal == pointer.ordinal]
    newest = sorted(of_kind, key=lambda row: -row.ordinal)
    if pointer.kind == _kind(pointer) and pointer.ordinal:
        return newest[pointer.ordinal - 1 : pointer.ordinal]
    return newest[:CANDIDATES]


def _at_places(parent_id: UUID, places: Mapping[int, Place]) -> Iterator[tuple[_Row, int]]:
    if not places:
        return
    depths = sorted({place.depth for place in places.values()})
    sql = PLACES_SQL.format(depths=placeholders(len(depths)))
    rows = _rows(sql, [db_id(parent_id), MAX_BRANCHES, *depths])
    for start, place in places.items():
        here = [row for row in rows if row[1] == place.depth]
        # Two turns of a branch at one depth: which of them is on the path cannot be told.
        if len({row[0] for row in here}) != 1:
            continue
        by_role = [row for row in here if row[6] == place.role]
        if by_role:
            yield _Row(place.depth, by_role[-1][2], by_role[-1][4:]), start


def _older(row: _Row, starts: Iterable[int], keys: SpaceKeys) -> OlderMessage:
    message = decode_row((to_id(row.columns[0]), *row.columns[1:]), row.finish, keys)
    return OlderMessage(str(to_id(row.columns[1])), row.depth, message, tuple(sorted(starts)))


def _rows(sql: str, arguments: list[Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, arguments)
        found: list[tuple[Any, ...]] = cursor.fetchall()
        return found
