"""The page of a conversation as plain JSON data."""

from dataclasses import asdict
from typing import Any

from chatapp.selectors.memory import MemoryPage
from chatapp.selectors.rereading import Rereading
from chatapp.selectors.rows import ConversationPage
from statecore.memory.session import status_of

SCHEMA = "glassbox.page.2"


def present_state(
    page: ConversationPage, memory: MemoryPage, again: Rereading | None
) -> dict[str, Any]:
    """Return what page and panels show, with the names of the rows; ids and amounts become text."""
    return {"schema": SCHEMA, **asdict(page), "memory": _memory(memory, again)}


def _memory(page: MemoryPage, again: Rereading | None) -> dict[str, Any]:
    memory = page.memory
    return {
        "as_of": memory.as_of,
        "entries": [
            {**asdict(entry), "is_foreseen": entry.seq > memory.as_of} for entry in memory.entries
        ],
        "fields": [
            {**asdict(field), "status": status_of(field, page.branch_now_ms, page.last_turn_ms)}
            for field in memory.fields
        ],
        "rejected": [asdict(rejected) for rejected in memory.rejected],
        "removed": [asdict(removed) for removed in memory.removed],
        "operations": [
            {
                "seq": operation.seq,
                "turn": operation.turn_id,
                "kind": type(operation.action).__name__.lower(),
                "action": asdict(operation.action),
                "undone": operation.seq in memory.undone,
            }
            for operation in memory.operations
        ],
        "deltas": [
            {"turn": d.turn_id, "seq": d.seq, "depth": d.depth, "model": d.model, "note": d.note}
            for d in memory.path.deltas
        ],
        "waiting": [str(turn_id) for turn_id in page.waiting],
        "again": None if again is None else asdict(again),
    }
