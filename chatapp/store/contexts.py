"""Reads everything that one plan is computed from: five queries, whatever the conversation holds.

Raw rows cost a third of ORM objects, and the first token of every answer waits for these.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any
from uuid import UUID

from django.db import connection

from chatapp.keyring import SpaceKeys
from chatapp.store.memory import read_memory
from chatapp.store.paths import MAX_TURNS, PATH_CTE, decode_row
from chatapp.store.raw import db_id, to_id, to_id_or_none
from statecore.context.plan import PathTurn, Previous, State
from statecore.messages import Message
from statecore.state.fold import Memory
from statecore.tokens import Count, CountKey

TURN_SQL = """
SELECT t.conversation_id, c.key_space_id, t.parent_id, t.input_message_id, t.accepted_seq,
       c.last_seq, t.branch_ms, (SELECT p.branch_ms FROM chatapp_turn p WHERE p.id = t.parent_id),
       (SELECT COALESCE(MAX(a.ordinal), 0) FROM chatapp_attempt a WHERE a.turn_id = t.id),
       (SELECT p.result FROM chatapp_planinput p JOIN chatapp_attempt a ON a.id = p.attempt_id
        WHERE a.turn_id = t.parent_id ORDER BY a.ordinal DESC LIMIT 1)
FROM chatapp_turn t JOIN chatapp_conversation c ON c.id = t.conversation_id
WHERE t.id = %s AND t.owner_id = %s AND t.status = 'running'
"""

COUNT_JOIN = """
LEFT JOIN chatapp_tokencount k
       ON k.message_id = m.id AND k.tokenizer = %s AND k.form = 'full'
"""

# An input may belong to the turn that first asked it, so it is joined by its own id.
PATH_SQL = f"""
{PATH_CTE}
SELECT path.depth, path.id, path.parent_id, path.total, path.finish, m.position,
       m.id, m.role, m.body, m.created_ms, k.tokens, k.quality
FROM path JOIN chatapp_message m ON m.id = path.input_id {COUNT_JOIN}
UNION ALL
SELECT path.depth, path.id, path.parent_id, path.total, path.finish, m.position,
       m.id, m.role, m.body, m.created_ms, k.tokens, k.quality
FROM path JOIN chatapp_message m ON m.turn_id = path.id AND m.role <> 'user' {COUNT_JOIN}
ORDER BY 1, 6
"""  # noqa: S608  # constants only

FIXED_SQL = f"""
SELECT m.id, m.role, m.body, m.created_ms, k.tokens, k.quality
FROM chatapp_message m {COUNT_JOIN}
WHERE m.id = %s OR m.id = (
    SELECT s.id FROM chatapp_message s
    WHERE s.conversation_id = %s AND s.role = 'system' AND s.seq <= %s
    ORDER BY s.seq DESC LIMIT 1)
"""  # noqa: S608  # constants only


@dataclass(frozen=True, slots=True)
class Before:
    """What the newest request of the turn before came to; None at the first turn."""

    tier: int | None = None
    tokens: int | None = None
    """Of the prompt, as planned."""


NOTHING_BEFORE = Before()


@dataclass(frozen=True, slots=True)
class TurnContext:
    """A running turn and what its next request is computed from."""

    turn_id: UUID
    conversation_id: UUID
    parent_id: UUID | None
    as_of_seq: int
    """The newest seq of the conversation: what a person does before a retry counts in it."""
    attempts: int
    """How many attempts were made for it so far."""
    keys: SpaceKeys
    state: State
    counts: dict[CountKey, Count]
    previous: Previous | None
    before: Before = NOTHING_BEFORE


def read_context(
    turn_id: UUID,
    owner: UUID,
    *,
    tokenizer: str,
    budget_tokens: int,
    keys_of: Callable[[UUID], SpaceKeys],
) -> TurnContext | None:
    """Return the context of a turn that a process runs, or None when it does not run it.

    Args:
        turn_id: the turn.
        owner: the process.
        tokenizer: whose counts to read.
        budget_tokens: reference tokens of history after which no older turn is read.
        keys_of: gives the keys of a key space.
    """
    row = _row(TURN_SQL, [db_id(turn_id), db_id(owner)])
    if row is None or row[3] is None:
        return None
    (_, _, _, input_id, accepted_seq, as_of, branch_ms, parent_ms, tried, result) = row
    conversation_id, parent_id = to_id(row[0]), to_id_or_none(row[2])
    keys = keys_of(to_id(row[1]))
    counts: dict[CountKey, Count] = {}
    fixed_arguments = [tokenizer, db_id(to_id(input_id)), db_id(conversation_id), accepted_seq]
    fixed = _messages(_rows(FIXED_SQL, fixed_arguments), "", tokenizer, keys, counts)
    history = _history(parent_id, tokenizer, budget_tokens) if parent_id else []
    memory = read_memory(conversation_id, parent_id, keys, as_of=as_of)
    state = replace(
        _state(fixed, history, memory, tokenizer, keys, counts),
        branch_now_ms=branch_ms,
        last_turn_ms=parent_ms or 0,
    )
    return TurnContext(
        turn_id, conversation_id, parent_id, as_of, tried, keys, state, counts, _previous(result)
    )


def _history(parent_id: UUID, tokenizer: str, budget_tokens: int) -> list[tuple[Any, ...]]:
    walk = [db_id(parent_id), MAX_TURNS, budget_tokens]
    return _rows(PATH_SQL, [*walk, tokenizer, tokenizer])


def _state(
    fixed: tuple[Message, ...],
    history: list[tuple[Any, ...]],
    memory: Memory,
    tokenizer: str,
    keys: SpaceKeys,
    counts: dict[CountKey, Count],
) -> State:
    turns = []
    # Asked about each turn by itself, a long path would look through all deltas for each.
    learned = memory.path.learned_ids()
    for (depth, turn_id, _, _, finish), rows in groupby(history, key=lambda row: row[:5]):
        messages = _messages((row[6:] for row in rows), finish, tokenizer, keys, counts)
        id_ = str(to_id(turn_id))
        is_learned = memory.path.is_settled(id_, depth) or id_ in learned
        turns.append(PathTurn(id_, depth, messages, is_learned))
    first = history[0] if history else None
    by_role = {message.role: message for message in fixed}
    return State(
        system=by_role.get("system"),
        turns=tuple(turns),
        input=by_role["user"],
        earlier_turns=first[0] - 1 if first else 0,
        # The running sum includes the first turn itself: an upper bound is enough.
        earlier_tokens=first[3] if first and first[2] is not None else 0,
        memory=memory,
    )


def _messages(
    rows: Iterable[tuple[Any, ...]],
    finish: str,
    tokenizer: str,
    keys: SpaceKeys,
    counts: dict[CountKey, Count],
) -> tuple[Message, ...]:
    messages = []
    for message_id, role, body, created_ms, tokens, quality in rows:
        row = (to_id(message_id), None, role, body, created_ms)
        message = decode_row(row, finish, keys)
        if tokens is not None:
            counts[CountKey(message.id, tokenizer)] = Count(tokens, quality)
        messages.append(message)
    return tuple(messages)


def _previous(text: str | None) -> Previous | None:
    if text is None:
        return None
    result = json.loads(text)
    known = Previous.__dataclass_fields__.keys() & result.keys()
    return Previous(**{name: result[name] for name in known})


def _rows(sql: str, arguments: list[Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, arguments)
        found: list[tuple[Any, ...]] = cursor.fetchall()
        return found


def _row(sql: str, arguments: list[Any]) -> tuple[Any, ...] | None:
    rows = _rows(sql, arguments)
    return rows[0] if rows else None
