"""Reads what was asked in turns that memory has still to read and a plan does not load."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from chatapp.store.context_rows import (
    FIXED_SQL,
    Reading,
    StemRow,
    fixed_ids,
    read_fixed,
    rows_of,
)
from chatapp.store.raw import db_id, placeholders, to_id
from statecore.context.state import OlderMessage
from statecore.messages import Message

OLDEST_TURNS: Final = 100
NEWEST_TURNS: Final = 300
"""Of the turns that wait no more are read: rules are set at the beginning, and what was said last
is asked about most."""

WITH_UNREAD_SQL: Final = (
    FIXED_SQL
    + """
UNION ALL
SELECT m.id, m.role, m.body, m.created_ms, NULL, NULL, t.id, t.depth
FROM chatapp_turn t JOIN chatapp_message m ON m.id = t.input_message_id
WHERE t.id IN ({turns}) AND t.status = 'committed'
"""
)


def read_with_unread(
    stem: StemRow, turn_ids: Sequence[UUID], reading: Reading
) -> tuple[dict[str, Message], tuple[OlderMessage, ...]]:
    """Return the system message in force and the input by role, and the inputs of turns.

    One query, of a bounded number of rows: a plan may not have another one for it.

    Args:
        stem: what the request grows from.
        turn_ids: of its path, oldest first.
        reading: of the owner.
    """
    wanted = turn_ids
    if len(turn_ids) > OLDEST_TURNS + NEWEST_TURNS:
        wanted = (*turn_ids[:OLDEST_TURNS], *turn_ids[-NEWEST_TURNS:])
    if not wanted:
        return read_fixed(stem, reading), ()
    found = rows_of(
        WITH_UNREAD_SQL.format(turns=placeholders(len(wanted))),
        [reading.tokenizer, *fixed_ids(stem), *map(db_id, wanted)],
    )
    fixed = [reading.message(row, "") for row in found if row[6] is None]
    unread = [
        OlderMessage(str(to_id(row[6])), row[7], reading.message((*row[:6], None, None), ""))
        for row in found
        if row[6] is not None
    ]
    unread.sort(key=lambda one: one.depth)
    return {message.role: message for message in fixed}, tuple(unread)
