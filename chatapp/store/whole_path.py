"""Reads all of a path at once: every turn from the first on, with its messages and deltas."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from chatapp.keyring import SpaceKeys
from chatapp.models import MemoryDelta, Message, Turn
from chatapp.store.memory_path import DELTA
from chatapp.store.paths import decode_row
from chatapp.store.sealing import unseal
from statecore.messages import Message as CoreMessage
from statecore.state.codec import decode_delta
from statecore.state.cutting import Cut, cut_of
from statecore.state.operations import Delta

MAX_TURNS: Final = 10_000
"""Turns of one state: with more, all other writers of SQLite would wait too long for an import."""

COLUMNS: Final = (
    "id",
    "parent_id",
    "branch_id",
    "depth",
    "status",
    "finish",
    "input_message_id",
    "accepted_seq",
    "committed_seq",
    "accepted_ms",
    "committed_ms",
    "branch_ms",
    "model_name",
)


@dataclass(frozen=True, slots=True)
class WholeTurn:
    """One turn with everything that belongs to it."""

    row: Mapping[str, Any]
    """By the names of `COLUMNS`."""
    messages: tuple[CoreMessage, ...]
    """The input first."""

    @property
    def id(self) -> UUID:
        """The turn."""
        found: UUID = self.row["id"]
        return found


def read_turns(
    conversation_id: UUID,
    tip: UUID | None,
    keys: SpaceKeys,
    *,
    as_of: int,
    branch_id: UUID | None = None,
) -> tuple[WholeTurn, ...]:
    """Return the turns of a path, the first one first, and what waits at its end for an answer.

    Two queries. What waits is the newest turn after the tip that is not committed: it was said on
    one branch, and others that end at the same turn know nothing of it.

    Args:
        conversation_id: the conversation.
        tip: the newest committed turn; None before the first.
        keys: of the owner.
        as_of: turns that were accepted later are not seen.
        branch_id: the branch that ends there; None takes what waits on any.
    """
    found = Turn.objects.filter(conversation_id=conversation_id, accepted_seq__lte=as_of)
    rows = {row["id"]: row for row in found.values(*COLUMNS)}
    path = [*_path(rows, tip)][::-1]
    waiting = [
        row
        for row in rows.values()
        if row["parent_id"] == tip
        and row["status"] != "committed"
        and branch_id in (None, row["branch_id"])
    ]
    path += sorted(waiting, key=lambda row: row["accepted_seq"])[-1:]
    said = _messages(conversation_id, path, keys)
    return tuple(WholeTurn(row, said[row["id"]]) for row in path)


def _path(rows: Mapping[UUID, Mapping[str, Any]], tip: UUID | None) -> Iterator[Mapping[str, Any]]:
    while tip is not None:
        yield rows[tip]
        tip = rows[tip]["parent_id"]


def _messages(
    conversation_id: UUID, path: Sequence[Mapping[str, Any]], keys: SpaceKeys
) -> dict[UUID, tuple[CoreMessage, ...]]:
    turns = {row["id"]: row for row in path}
    # An input may belong to the turn that first asked it: siblings that regenerate share it.
    inputs = {row["input_message_id"]: row["id"] for row in path}
    found: defaultdict[UUID, list[CoreMessage]] = defaultdict(list)
    rows = Message.objects.filter(conversation_id=conversation_id, turn__isnull=False)
    ordered = rows.order_by("position", "id")
    for row in ordered.values_list("id", "turn_id", "role", "body", "created_ms").iterator():
        turn_id = inputs.get(row[0]) if row[2] == "user" else row[1]
        # What waits has its input only: nothing else of it counts.
        if turn_id is None or turn_id not in turns:
            continue
        if row[2] == "user" or turns[turn_id]["status"] == "committed":
            found[turn_id].append(decode_row(row, turns[turn_id]["finish"], keys))
    return {turn_id: tuple(found[turn_id]) for turn_id in turns}


def read_deltas(
    conversation_id: UUID, turns: Sequence[WholeTurn], keys: SpaceKeys, *, as_of: int
) -> tuple[Delta, ...]:
    """Return what turns taught, by seq, past all checkpoints; one query."""
    wanted = {turn.id for turn in turns}
    return _deltas(conversation_id, keys, as_of, lambda turn_id: turn_id in wanted)


def read_all_deltas(conversation_id: UUID, keys: SpaceKeys, *, as_of: int) -> tuple[Delta, ...]:
    """Return what the turns of all branches taught, by seq; one query."""
    return _deltas(conversation_id, keys, as_of, lambda _turn_id: True)


def _deltas(
    conversation_id: UUID, keys: SpaceKeys, as_of: int, is_wanted: Callable[[UUID], bool]
) -> tuple[Delta, ...]:
    rows = MemoryDelta.objects.filter(turn__conversation_id=conversation_id, seq__lte=as_of)
    return tuple(
        decode_delta(unseal(keys, *DELTA, row_id, bytes(body)))
        for row_id, turn_id, body in rows.order_by("seq").values_list("id", "turn_id", "body")
        if is_wanted(turn_id)
    )


def cut_at(turns: Sequence[WholeTurn]) -> Cut[UUID]:
    """Return which acts of people count at the end of a path; what waits there is none of it."""
    committed = [turn.row for turn in turns if turn.row["status"] == "committed"]
    return cut_of((row["id"], row["committed_seq"]) for row in committed)


def read_system(conversation_id: UUID, keys: SpaceKeys, *, as_of: int) -> CoreMessage | None:
    """Return the system message in force; one query."""
    rows = Message.objects.filter(conversation_id=conversation_id, role="system", seq__lte=as_of)
    row = rows.order_by("-seq").values_list("id", "turn_id", "role", "body", "created_ms").first()
    return None if row is None else decode_row(row, "", keys)
