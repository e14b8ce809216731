"""Reads paths: the committed turns from a tip towards the root, newest first."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Q

from chatapp.keyring import SpaceKeys
from chatapp.models import Message
from chatapp.store.raw import db_id, to_id, to_id_or_none
from chatapp.store.sealing import unseal
from statecore.messages import Message as CoreMessage
from statecore.messages import decode_body

MAX_TURNS = 4_000
"""A bound for one walk; a window that holds more turns than this does not exist."""

# The walk stops on the recursive row: SQLite is twelve times slower when it stops on the joined
# one. A turn is followed while the turns after it hold fewer reference tokens than the budget.
PATH_CTE = """
WITH RECURSIVE path(id, parent_id, depth, total, input_id, finish, tip_total, n) AS (
    SELECT id, parent_id, depth, sum_reference_tokens, input_message_id, finish,
           sum_reference_tokens, 1
    FROM chatapp_turn WHERE id = %s
  UNION ALL
    SELECT t.id, t.parent_id, t.depth, t.sum_reference_tokens, t.input_message_id, t.finish,
           path.tip_total, path.n + 1
    FROM path JOIN chatapp_turn t ON t.id = path.parent_id
    WHERE path.n < %s AND path.tip_total - path.total <= %s
)
"""
WALK_SQL = f"""
{PATH_CTE}
SELECT id, parent_id, depth, total, input_id, finish FROM path ORDER BY depth DESC
"""  # noqa: S608  # constants only


@dataclass(frozen=True, slots=True)
class TurnNode:
    """One turn on a path."""

    id: UUID
    parent_id: UUID | None
    depth: int
    total_reference_tokens: int
    """From the root to the end of this turn."""
    input_message_id: UUID | None
    finish: str


def walk(tip: UUID | None, *, budget_tokens: int, max_turns: int = MAX_TURNS) -> list[TurnNode]:
    """Return the turns from a tip back, newest first, until they hold more than a budget.

    Args:
        tip: the newest turn; None for an empty path.
        budget_tokens: reference tokens after which the walk ends.
        max_turns: bound of the walk.
    """
    if tip is None:
        return []
    with connection.cursor() as cursor:
        cursor.execute(WALK_SQL, [db_id(tip), max_turns, budget_tokens])
        rows = cursor.fetchall()
    return [
        TurnNode(
            to_id(row[0]), to_id_or_none(row[1]), row[2], row[3], to_id_or_none(row[4]), row[5]
        )
        for row in rows
    ]


def messages_of(nodes: Sequence[TurnNode], keys: SpaceKeys) -> dict[UUID, tuple[CoreMessage, ...]]:
    """Return the messages of turns by turn id, input first."""
    askers: defaultdict[UUID, list[UUID]] = defaultdict(list)
    for node in nodes:
        if node.input_message_id is not None:
            askers[node.input_message_id].append(node.id)
    found: dict[UUID, list[CoreMessage]] = {node.id: [] for node in nodes}
    finishes = {node.id: node.finish for node in nodes}
    for row in _message_rows(list(found), list(askers)):
        message_id, turn_id, role = row[0], row[1], row[2]
        for reader in askers[message_id] if role == "user" else [turn_id]:
            found[reader].append(decode_row(row, finishes[reader], keys))
    return {turn_id: tuple(messages) for turn_id, messages in found.items()}


def _message_rows(turn_ids: list[UUID], input_ids: list[Any]) -> list[tuple[Any, ...]]:
    # An input may belong to the turn that first asked it: siblings that regenerate share it.
    wanted = Q(turn_id__in=turn_ids) & ~Q(role="user") | Q(pk__in=input_ids)
    rows = Message.objects.filter(wanted).order_by("position", "id")
    return list(rows.values_list("id", "turn_id", "role", "body", "created_ms"))


def decode_row(row: tuple[Any, ...], finish: str, keys: SpaceKeys) -> CoreMessage:
    """Return the message of one raw row: id, turn id, role, sealed body, created time."""
    message_id, _, role, body, created_ms, *_ = row
    name = str(message_id)
    return decode_body(
        unseal(keys, "chatapp_message", "body", name, bytes(body)),
        message_id=name,
        role=role,
        created_ms=created_ms,
        finish=(finish or "complete") if role == "assistant" else "complete",  # type: ignore[arg-type]  # the column holds no other words
    )


def message_by_id(message_id: UUID, keys: SpaceKeys) -> CoreMessage:
    """Return one message."""
    row = Message.objects.values_list("id", "turn_id", "role", "body", "created_ms").get(
        pk=message_id
    )
    return decode_row(row, "", keys)
