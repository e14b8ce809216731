"""The turns that the log vouches for: parent, depth, path hash, how far each one came."""

import hmac
import json
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from chatapp.keyring import SpaceKeys
from chatapp.models import Transition, Turn
from chatapp.store.findings import Finding, FindingKind
from chatapp.store.vouched_rows import ROWS_AT_ONCE
from statecore.log import commit_part, path_hash_next

ACCEPTED: Final = "turn_accepted"
COMMITTED: Final = "turn_committed"
DELETED: Final = "conversation_deleted"
STATUS_AFTER: Final = {
    "turn_failed": "failed",
    "turn_interrupted": "interrupted",
    "turn_retried": "running",
}


@dataclass(slots=True)
class TurnFacts:
    """What stands in the row of one turn, and what the log tells of it."""

    id: UUID
    parent_id: UUID | None
    depth: int
    input_message_id: UUID | None
    status: str
    accepted_seq: int
    committed_seq: int | None
    accepted_ms: int
    committed_ms: int | None
    path_hash: bytes
    branch_id: UUID
    told_accepted_seq: int | None = None
    told_committed_seq: int | None = None
    told_status: str = ""
    true_depth: int = 0
    """As the path tells it, whatever the row says."""
    true_hash: bytes | None = None
    """As the log vouches for it, whatever the row says; None where that cannot be known."""
    has_wrong_parent: bool = False
    is_imported: bool = False

    def seqs(self) -> set[int]:
        """Return all seqs that the turn, or the log, speaks of."""
        named = (
            self.accepted_seq,
            self.committed_seq,
            self.told_accepted_seq,
            self.told_committed_seq,
        )
        return {seq for seq in named if seq is not None}


class VouchedTurns:
    """The turns of a conversation, followed along its transitions."""

    def __init__(self, conversation_id: UUID, keys: SpaceKeys) -> None:
        self._key = keys.log
        self._turns = {turn.id: turn for turn in _turns(conversation_id)}
        self._findings: list[tuple[Finding, TurnFacts]] = []
        self._gone: list[Finding] = []

    def see(
        self,
        row: Transition,
        *,
        input_id: UUID | None,
        answer: bytes | None,
        asked: bytes | None = None,
        is_imported: bool = False,
    ) -> None:
        """Follow one transition.

        Args:
            row: the next one.
            input_id: the message that it brought as the input of a turn, where it is whole.
            answer: the contents of the messages that end a turn, joined; None where they are not
                what was written, or were erased.
            asked: what it keeps of the branch on which a turn was accepted; None where that is not
                what was written, was erased, or was not kept.
            is_imported: it was written for a state that came from elsewhere.
        """
        if row.kind == DELETED:
            self._see_deleted()
        if row.kind not in {ACCEPTED, COMMITTED, *STATUS_AFTER} or row.turn is None:
            return
        turn = self._turns.get(row.turn)
        if turn is None:
            if row.kind == ACCEPTED:
                self._gone.append(Finding("missing", row.seq, None, row.created_ms, "turn row"))
        elif row.kind == ACCEPTED:
            self._see_accepted(row, turn, input_id, is_imported=is_imported)
            if asked is not None and json.loads(asked).get("branch") != str(turn.branch_id):
                self._say("changed", turn, "branch")
        elif row.kind == COMMITTED:
            self._see_committed(row, turn, answer)
        else:
            turn.told_status = STATUS_AFTER[row.kind]

    def end(self, broken: AbstractSet[int], later: AbstractSet[UUID]) -> Iterator[Finding]:
        """Yield all findings, once every transition was seen.

        Args:
            broken: seqs at which the log itself is not what was written: it vouches for nothing.
            later: turns of which transitions speak that came while the log was read.
        """
        for turn in self._turns.values():
            if turn.id not in later:
                self._compare_course(turn)
        yield from (finding for finding in self._gone if finding.seq not in broken)
        yield from (finding for finding, turn in self._findings if not turn.seqs() & broken)

    def _see_deleted(self) -> None:
        for turn in self._turns.values():
            if turn.told_status == "running":
                turn.told_status = "interrupted"

    def _see_accepted(
        self, row: Transition, turn: TurnFacts, input_id: UUID | None, *, is_imported: bool
    ) -> None:
        turn.told_accepted_seq, turn.told_status = row.seq, "running"
        turn.is_imported = is_imported
        if turn.accepted_ms != row.created_ms and not is_imported:
            self._say("changed", turn, "time of the input")
        if input_id is not None and turn.input_message_id != input_id:
            self._say("changed", turn, "input")
        parent = None if turn.parent_id is None else self._turns.get(turn.parent_id)
        if not self._follows(row, turn, parent):
            self._say("changed", turn, "parent")
            turn.true_depth, turn.has_wrong_parent = turn.depth, True
            return
        turn.true_depth = 1 if parent is None else parent.true_depth + 1
        if turn.depth != turn.true_depth:
            self._say("changed", turn, "depth")

    def _follows(self, row: Transition, turn: TurnFacts, parent: TurnFacts | None) -> bool:
        if parent is None:
            return turn.parent_id is None and not row.state_before
        if parent.told_committed_seq is None:
            # Nothing follows an open turn; but the transition of its answer may be missing.
            before = parent.path_hash
            return bool(before) and self._commits(row, "state_before", before)
        return parent.true_hash is None or self._commits(row, "state_before", parent.true_hash)

    def _see_committed(self, row: Transition, turn: TurnFacts, answer: bytes | None) -> None:
        turn.told_committed_seq, turn.told_status = row.seq, "committed"
        if turn.committed_ms != row.created_ms and not turn.is_imported:
            self._say("changed", turn, "time of the answer")
        computed = None if answer is None else self._hash_after(turn, answer)
        follows = computed is not None and self._commits(row, "state_after", computed)
        is_kept = self._commits(row, "state_after", turn.path_hash)
        turn.true_hash = turn.path_hash if is_kept else computed if follows else None
        if not is_kept:
            self._say("changed", turn, "path hash")
        elif computed is not None and not follows:
            self._say("changed", turn, "what its path hash is made of")

    def _hash_after(self, turn: TurnFacts, answer: bytes) -> bytes | None:
        """Return the path hash of a turn by its contents; None where its parent's is not known."""
        parent = None if turn.parent_id is None else self._turns.get(turn.parent_id)
        before = b"" if parent is None else parent.true_hash
        if before is None or turn.has_wrong_parent:
            return None
        return path_hash_next(self._key, before, str(turn.input_message_id).encode() + answer)

    def _commits(self, row: Transition, part: str, body: bytes) -> bool:
        wanted = commit_part(self._key, part, body) if body else b""
        return hmac.compare_digest(wanted, bytes(getattr(row, part)))

    def _compare_course(self, turn: TurnFacts) -> None:
        if turn.told_accepted_seq is None:
            self._say("changed", turn, "the log does not speak of it")
            return
        if turn.accepted_seq != turn.told_accepted_seq:
            self._say("reordered", turn, "seq of the input")
        if turn.committed_seq != turn.told_committed_seq:
            moved = None not in {turn.committed_seq, turn.told_committed_seq}
            self._say("reordered" if moved else "changed", turn, "seq of the answer")
        # How a turn that was imported had broken off is not told by this log.
        is_open = turn.is_imported and turn.told_status != "committed"
        if turn.status != turn.told_status and not (is_open and turn.status != "committed"):
            self._say("changed", turn, "status")
        if turn.told_committed_seq is None and turn.path_hash:
            self._say("changed", turn, "path hash")
        if turn.told_committed_seq is None and turn.committed_ms is not None:
            self._say("changed", turn, "time of the answer")

    def _say(self, kind: FindingKind, turn: TurnFacts, what: str) -> None:
        seq = turn.told_accepted_seq or turn.accepted_seq
        found = Finding(kind, seq, turn.id, turn.accepted_ms, f"turn row: {what}")
        self._findings.append((found, turn))


def _turns(conversation_id: UUID) -> Iterator[TurnFacts]:
    columns = (
        "id",
        "parent_id",
        "depth",
        "input_message_id",
        "status",
        "accepted_seq",
        "committed_seq",
        "accepted_ms",
        "committed_ms",
        "path_hash",
        "branch_id",
    )
    rows = Turn.objects.filter(conversation_id=conversation_id).values_list(*columns)
    for row in rows.iterator(chunk_size=ROWS_AT_ONCE):
        turn = TurnFacts(*row)
        turn.path_hash = bytes(turn.path_hash)
        yield turn
