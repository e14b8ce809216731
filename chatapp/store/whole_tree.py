"""Reads all of a conversation at once: its branches and every turn, committed or not."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from chatapp.keyring import SpaceKeys
from chatapp.models import Branch, Conversation, Message, Selection, Turn
from chatapp.store.paths import decode_row
from chatapp.store.sealing import seal_text, unseal_text
from chatapp.store.whole_path import COLUMNS
from statecore.messages import Message as CoreMessage

NAME: Final = ("chatapp_branch", "name")
MESSAGE_COLUMNS: Final = ("id", "turn_id", "role", "body", "created_ms")


@dataclass(frozen=True, slots=True)
class TreeRow:
    """One turn with the messages that are its own."""

    row: Mapping[str, Any]
    """By the names of `COLUMNS`."""
    input_of: UUID | None
    """The turn whose input it shares; None where the input is its own."""
    messages: tuple[CoreMessage, ...]

    @property
    def id(self) -> UUID:
        """The turn."""
        found: UUID = self.row["id"]
        return found


@dataclass(frozen=True, slots=True)
class SystemRow:
    """One system message, and from when on it was in force."""

    seq: int
    message: CoreMessage


def newest_seq(conversation_id: UUID) -> int:
    """Return the newest seq of a conversation; one query."""
    found = Conversation.objects.filter(pk=conversation_id).values_list("last_seq", flat=True)
    return found.first() or 0


def count_turns(conversation_id: UUID) -> int:
    """Return how many turns a conversation has on all its branches; one query."""
    return Turn.objects.filter(conversation_id=conversation_id).count()


def read_branches(conversation_id: UUID) -> tuple[Branch, ...]:
    """Return the branches in the order in which they were made, the main line first; one query."""
    found = Branch.objects.filter(conversation_id=conversation_id).order_by("created_seq", "id")
    return tuple(sorted(found, key=lambda branch: branch.origin != "main"))


def selected_branch(conversation_id: UUID, user_id: int) -> UUID | None:
    """Return the branch that a person chose last, or None; one query."""
    found = Selection.objects.filter(conversation_id=conversation_id, user_id=user_id)
    return found.values_list("branch_id", flat=True).first()


def name_of(branch: Branch, keys: SpaceKeys) -> str | None:
    """Return the name that a person gave a branch, or None."""
    if branch.name is None:
        return None
    return unseal_text(keys, *NAME, branch.id, bytes(branch.name))


def seal_name(branch_id: UUID, name: str | None, keys: SpaceKeys) -> bytes | None:
    """Return the name of a branch ready to be stored."""
    return None if name is None else seal_text(keys, *NAME, branch_id, name)


def read_tree(conversation_id: UUID, keys: SpaceKeys) -> tuple[TreeRow, ...]:
    """Return all turns in the order in which they were accepted; two queries."""
    found = Turn.objects.filter(conversation_id=conversation_id).order_by("accepted_seq", "id")
    rows: Sequence[Mapping[str, Any]] = list(found.values(*COLUMNS))
    owners: dict[UUID, UUID] = {}
    for row in rows:
        owners.setdefault(row["input_message_id"], row["id"])
    said = _messages(conversation_id, rows, owners, keys)
    return tuple(
        TreeRow(row, _other(owners[row["input_message_id"]], row["id"]), said[row["id"]])
        for row in rows
    )


def read_systems(
    conversation_id: UUID, keys: SpaceKeys, accepted: Iterable[int]
) -> tuple[SystemRow, ...]:
    """Return the system messages that were ever in force for a turn, and the one that is now.

    One query.

    Args:
        conversation_id: the conversation.
        keys: of its owner.
        accepted: seqs at which turns were accepted.
    """
    rows = Message.objects.filter(conversation_id=conversation_id, role="system")
    ordered = list(rows.order_by("seq").values_list(*MESSAGE_COLUMNS, "seq"))
    seqs = [row[-1] for row in ordered]
    first = min(accepted, default=None)
    if first is None:
        kept = ordered[-1:]
    else:
        before = sum(seq < first for seq in seqs)
        kept = ordered[max(0, before - 1) :]
    return tuple(SystemRow(row[-1], decode_row(row, "", keys)) for row in kept)


def _other(owner: UUID, turn_id: UUID) -> UUID | None:
    return None if owner == turn_id else owner


def _messages(
    conversation_id: UUID,
    rows: Sequence[Mapping[str, Any]],
    owners: Mapping[UUID, UUID],
    keys: SpaceKeys,
) -> dict[UUID, tuple[CoreMessage, ...]]:
    turns = {row["id"]: row for row in rows}
    found: defaultdict[UUID, list[CoreMessage]] = defaultdict(list)
    said = Message.objects.filter(conversation_id=conversation_id, turn__isnull=False)
    ordered = said.order_by("position", "id").values_list(*MESSAGE_COLUMNS)
    for row in ordered.iterator():
        turn_id = owners.get(row[0]) if row[2] == "user" else row[1]
        turn = None if turn_id is None else turns.get(turn_id)
        # What waits has its input only: nothing else of it counts.
        if turn_id is None or turn is None:
            continue
        if row[2] == "user" or turn["status"] == "committed":
            found[turn_id].append(decode_row(row, turn["finish"], keys))
    return {turn_id: tuple(found[turn_id]) for turn_id in turns}
