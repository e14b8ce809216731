"""The raw rows that a plan is computed from.

Raw rows cost a third of ORM objects, and the first token of every answer waits for these.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db import connection

from chatapp.keyring import SpaceKeys
from chatapp.store.carried import IMPORTED, LATEST_SEQ
from chatapp.store.raw import db_id, id_text, to_id, to_id_or_none
from chatapp.store.reach import MAX_TURNS, Reach
from statecore.context.state import PathTurn
from statecore.messages import Message, decode_body
from statecore.state.fold import PathMemory
from statecore.tokens import Count, CountKey
from statecore.tree import BranchClock, Sums

_STEM: Final = f"""
SELECT c.id, c.key_space_id, c.last_seq, p.id, p.depth, p.branch_ms, p.accepted_ms,
       p.sum_messages, p.sum_reference_tokens, p.sum_digest_tokens, p.feature_heads,
       (SELECT i.result FROM chatapp_planinput i JOIN chatapp_attempt a ON a.id = i.attempt_id
        WHERE a.turn_id = p.id ORDER BY a.ordinal DESC LIMIT 1),
       (SELECT CASE WHEN a.prompt_quality = 'reported' THEN a.prompt_tokens END
        FROM chatapp_attempt a WHERE a.turn_id = p.id ORDER BY a.ordinal DESC LIMIT 1),
       (SELECT y.id FROM chatapp_transition x
        JOIN chatapp_payload y ON y.transition_id = x.id AND y.part = 'input'
        WHERE x.conversation_id = c.id AND x.seq <= {LATEST_SEQ} AND x.kind = '{IMPORTED}' LIMIT 1),
"""  # noqa: S608  # constants only

RUNNING_SQL: Final = f"""
{_STEM}
       t.input_message_id, t.accepted_seq, t.branch_ms,
       (SELECT COALESCE(MAX(a.ordinal), 0) FROM chatapp_attempt a WHERE a.turn_id = t.id)
FROM chatapp_turn t
JOIN chatapp_conversation c ON c.id = t.conversation_id
LEFT JOIN chatapp_turn p ON p.id = t.parent_id
WHERE t.id = %s AND t.owner_id = %s AND t.status = 'running'
"""  # noqa: S608  # constants only

PAST_SQL: Final = f"""
{_STEM}
       t.input_message_id, t.accepted_seq, t.branch_ms,
       (SELECT i.as_of_seq FROM chatapp_planinput i JOIN chatapp_attempt a ON a.id = i.attempt_id
        WHERE a.turn_id = t.id ORDER BY a.ordinal DESC LIMIT 1)
FROM chatapp_turn t
JOIN chatapp_conversation c ON c.id = t.conversation_id
LEFT JOIN chatapp_turn p ON p.id = t.parent_id
WHERE t.id = %s AND t.conversation_id = %s
"""  # noqa: S608  # constants only

BRANCH_SQL: Final = f"""
{_STEM}
       NULL, c.last_seq, NULL, 0, b.clock_ms, b.clock_set_ms
FROM chatapp_branch b
JOIN chatapp_conversation c ON c.id = b.conversation_id
LEFT JOIN chatapp_turn p ON p.id = b.tip_id
WHERE b.id = %s AND b.conversation_id = %s
"""

_FULL_JOIN: Final = """
LEFT JOIN chatapp_tokencount k
       ON k.message_id = m.id AND k.tokenizer = %s AND k.form = 'full'
"""

_DIGEST_JOIN: Final = """
LEFT JOIN chatapp_tokencount s
       ON s.message_id = m.id AND s.tokenizer = %s AND s.form = 'digest'
"""

# The walk stops on the recursive row: SQLite is twelve times slower when it stops on the joined
# one. A turn is followed while the turns after it hold fewer tokens than a plan can use.
_WALK: Final = """
WITH RECURSIVE path(id, parent_id, depth, weight, tokens, input_id, finish, all_weight, n) AS (
    SELECT id, parent_id, depth, sum_reference_tokens + %s * sum_messages, sum_reference_tokens,
           input_message_id, finish, sum_reference_tokens + %s * sum_messages, 1
    FROM chatapp_turn WHERE id = %s
  UNION ALL
    SELECT t.id, t.parent_id, t.depth, t.sum_reference_tokens + %s * t.sum_messages,
           t.sum_reference_tokens, t.input_message_id, t.finish, path.all_weight, path.n + 1
    FROM path JOIN chatapp_turn t ON t.id = path.parent_id
    WHERE path.n < %s
      AND (path.all_weight - path.weight <= %s
           OR path.n < %s AND path.all_weight - path.weight <= %s
           OR path.depth > %s AND path.all_weight - path.weight <= %s)
)
"""


def _path_sql(counts: str, columns: str) -> str:
    # An input may belong to the turn that first asked it, so it is joined by its own id. SQLite
    # takes a recursive table for larger than all others and then reads those whole, if it has
    # statistics of them, to make a filter; the limit says that it is small.
    select = f"""
SELECT path.depth, path.id, path.finish, path.tokens,
       (SELECT q.sum_reference_tokens FROM chatapp_turn q WHERE q.id = path.parent_id),
       (SELECT q.sum_messages FROM chatapp_turn q WHERE q.id = path.parent_id), m.position,
       m.id, m.role, m.body, m.created_ms, k.tokens, k.quality, {columns}
FROM (SELECT * FROM path LIMIT {MAX_TURNS}) AS path JOIN chatapp_message m ON """  # noqa: S608  # constants only
    return f"""
{_WALK}
{select} m.id = path.input_id {counts}
UNION ALL
{select} m.turn_id = path.id AND m.role <> 'user' {counts}
ORDER BY 1, 7
"""


PATH_SQL: Final = _path_sql(_FULL_JOIN, "NULL, NULL")
DIGESTS_SQL: Final = _path_sql(_FULL_JOIN + _DIGEST_JOIN, "s.tokens, s.quality")

FIXED_SQL: Final = f"""
SELECT m.id, m.role, m.body, m.created_ms, k.tokens, k.quality, NULL, NULL
FROM chatapp_message m {_FULL_JOIN}
WHERE m.id = %s OR m.id = (
    SELECT s.id FROM chatapp_message s
    WHERE s.conversation_id = %s AND s.role = 'system' AND s.seq <= %s
    ORDER BY s.seq DESC LIMIT 1)
"""  # noqa: S608  # constants only


class StemRow(NamedTuple):
    """What a request grows from: the newest committed turn of its path, and its own input."""

    conversation_id: UUID
    key_space_id: UUID
    last_seq: int
    parent_id: UUID | None
    depth: int
    """Of the parent; 0 at the root."""
    parent_branch_ms: int
    parent_accepted_ms: int
    sums: Sums
    heads: str | None
    """JSON of the parent's feature heads."""
    result: dict[str, Any] | None
    """What the newest plan of the parent chose."""
    reported_tokens: int | None
    """Of the request of that plan; None when the provider did not say."""
    imported_id: UUID | None
    """Payload with what an imported conversation carries; None where it began here."""
    input_id: UUID | None
    said_seq: int
    """A system prompt with a later seq does not hold yet."""
    branch_ms: int | None
    number: int | None
    """Attempts so far; of a past turn the seq that its newest plan saw."""
    clock_ms: int | None = None
    """Of a branch, as its row has it."""
    clock_set_ms: int | None = None

    def clock(self) -> BranchClock:
        """Return the clock of a branch."""
        tip_branch_ms = None if self.parent_id is None else self.parent_branch_ms
        return BranchClock(tip_branch_ms, self.parent_accepted_ms, self.clock_ms, self.clock_set_ms)


def read_stem(sql: str, ids: Sequence[UUID]) -> StemRow | None:
    """Return what a request grows from, or None when there is no such turn or branch."""
    found = rows_of(sql, [db_id(one) for one in ids])
    if not found:
        return None
    row = found[0]
    return StemRow(
        to_id(row[0]),
        to_id(row[1]),
        row[2],
        to_id_or_none(row[3]),
        row[4] or 0,
        row[5] or 0,
        row[6] or 0,
        Sums(row[7] or 0, row[8] or 0, row[9] or 0),
        row[10],
        None if row[11] is None else json.loads(row[11]),
        row[12],
        to_id_or_none(row[13]),
        to_id_or_none(row[14]),
        *row[15:],
    )


@dataclass(frozen=True, slots=True)
class Reading:
    """Who may read the rows, and where their counts are put."""

    keys: SpaceKeys
    tokenizer: str
    counts: dict[CountKey, Count]
    opened: Callable[[str, bytes], bytes]
    """Opens the body of a message by its id."""

    @classmethod
    def by(cls, keys: SpaceKeys, tokenizer: str) -> "Reading":
        """Return a reading that has no counts yet."""
        opened = keys.content.opener("chatapp_message", "body", keys.id)
        return cls(keys, tokenizer, {}, opened)

    def message(self, row: Sequence[Any], finish: str) -> Message:
        """Return the message of a row: id, role, body, time, then both counts."""
        message_id, role, body, created_ms, tokens, quality, digest_tokens, digest_quality = row
        id_ = id_text(message_id)
        message = decode_body(
            self.opened(id_, bytes(body)),
            message_id=id_,
            role=role,
            created_ms=created_ms,
            finish=(finish or "complete") if role == "assistant" else "complete",  # type: ignore[arg-type]  # the column holds no other words
        )
        if tokens is not None:
            self.counts[CountKey(message.id, self.tokenizer)] = Count(tokens, quality)
        if digest_tokens is not None:
            key = CountKey(message.id, self.tokenizer, "digest")
            self.counts[key] = Count(digest_tokens, digest_quality)
        return message


class Loaded(NamedTuple):
    """The end of a path, and what lies before it."""

    turns: tuple[PathTurn, ...]
    earlier_messages: int
    earlier_tokens: int
    """In reference tokens, as the texts were counted when they were said."""
    turns_tokens: int
    """Reference tokens of the turns themselves."""


NOTHING_LOADED: Final = Loaded((), 0, 0, 0)


def read_turns(tip: UUID, reach: Reach, reading: Reading, path: PathMemory) -> Loaded:
    """Return the turns of a path from its tip back, oldest first.

    Args:
        tip: the newest turn.
        reach: how far back.
        reading: of the owner.
        path: what memory holds of it.
    """
    walk = [reach.overhead_tokens, reach.overhead_tokens, db_id(tip), reach.overhead_tokens]
    walk += [MAX_TURNS, reach.budget_tokens, reach.least_turns, reach.limit_tokens]
    walk += [reach.down_to_depth, reach.down_limit_tokens]
    sql = DIGESTS_SQL if reach.has_digests else PATH_SQL
    marks = [reading.tokenizer] * (4 if reach.has_digests else 2)
    found = rows_of(sql, [*walk, *marks])
    if not found:
        return NOTHING_LOADED
    turns = tuple(_turns(found, reading, path))
    _, _, _, _, earlier_tokens, earlier_messages = found[0][:6]
    whole_tokens = found[-1][3]
    return Loaded(
        turns, earlier_messages or 0, earlier_tokens or 0, whole_tokens - (earlier_tokens or 0)
    )


def _turns(
    found: Sequence[Sequence[Any]], reading: Reading, path: PathMemory
) -> Iterator[PathTurn]:
    # Asked about each turn by itself, a long path would look through all deltas for each.
    learned = path.learned_ids()
    for (depth, turn_id, finish), rows in groupby(found, key=itemgetter(0, 1, 2)):
        id_ = id_text(turn_id)
        messages = tuple([reading.message(row[7:], finish) for row in rows])
        yield PathTurn(id_, depth, messages, path.is_settled(id_, depth) or id_ in learned)


def read_fixed(stem: StemRow, reading: Reading) -> dict[str, Message]:
    """Return the system message in force and the input by their roles."""
    found = rows_of(FIXED_SQL, [reading.tokenizer, *fixed_ids(stem)])
    messages = [reading.message(row, "") for row in found]
    return {message.role: message for message in messages}


def fixed_ids(stem: StemRow) -> list[Any]:
    """Return what `FIXED_SQL` takes after the tokenizer."""
    nothing = UUID(int=0)
    return [db_id(stem.input_id or nothing), db_id(stem.conversation_id), stem.said_seq]


def rows_of(sql: str, arguments: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Return all rows of a query."""
    with connection.cursor() as cursor:
        cursor.execute(sql, arguments)
        found: list[tuple[Any, ...]] = cursor.fetchall()
        return found
