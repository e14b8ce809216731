"""Makes the rows of a tree for an empty conversation, with a line of the log for each thing.

Nothing here writes: what costs time is done before others have to wait for it.
"""

import json
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, TypeVar
from uuid import UUID

from django.db.models import Model

from chatapp.access import Access
from chatapp.models import Branch, Turn
from chatapp.services.acts import KINDS
from chatapp.services.stems import MessageRows, Place, Stem, rows_of_message
from chatapp.services.transitions import Change, Head
from chatapp.services.tree_log import tree_payload
from chatapp.store import conversations, log, memory, outbox, turns, whole_tree
from chatapp.store.carried import IMPORTED
from statecore.contract.carried import carried_of, encode_carried
from statecore.contract.tree_schema import Tree, TreeBranch, TreeTurn
from statecore.log import path_hash_next
from statecore.messages import encode_body
from statecore.state.codec import encode_delta, encode_operation
from statecore.state.operations import Operation
from statecore.tree import Sums

ROWS_AT_ONCE: Final = 3_000
"""Rows of one portion, unless a single turn has more."""

TRANSITIONS_AT_ONCE: Final = 500
"""Each has up to five contents beside it."""

OPERATIONS_AT_ONCE: Final = 10
"""An undo reads all that was done before it."""


_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class Portion:
    """What is written in one transaction."""

    rows: tuple[Sequence[Model], ...] = ()
    """By table."""
    operations: tuple[Operation, ...] = ()
    branches: tuple[Branch, ...] = ()
    """Rows that are there, and refer to turns from now on."""

    def __len__(self) -> int:
        return sum(map(len, self.rows)) + len(self.operations) + len(self.branches)


class TreeWriter:
    """Makes the rows of a tree that has the ids and seqs of its new place."""

    def __init__(self, access: Access, tree: Tree, main: UUID, head: Head, now_ms: int) -> None:
        """Take what is written where.

        Args:
            access: the conversation.
            tree: what it becomes.
            main: its main line.
            head: where its log goes on.
            now_ms: milliseconds since the epoch.
        """
        self._access = access
        self._conversation = access.conversation
        self._keys = access.keys
        self._tree = tree
        self._now_ms = now_ms
        self._main = main
        self._inputs = tree.inputs()
        self.head = head
        """Where the log goes on, moved by what was made of it."""
        self._changes: dict[int, Change] = {}
        """Of the log, by seq."""
        self._stems: dict[str | None, Stem] = {None: Stem()}
        """By committed turn."""
        self._asked: dict[str, dict[str, object]] = {}
        """By turn: what its columns have grown to by its input."""
        self._turn: list[Turn] = []
        self._messages: list[MessageRows] = []
        """Of the portion that is being made."""

    def portions(self) -> Iterator[Portion]:
        """Make everything, the log last: what it tells of is what was written."""
        self._changes[self.head.seq] = Change(
            IMPORTED, input=encode_carried(carried_of(self._tree))
        )
        branches = self._branches()
        yield Portion(rows=(self._system(),))
        for some in _batches(branches, ROWS_AT_ONCE):
            yield Portion(rows=([_rootless(branch) for branch in some],))
        yield from self._turns()
        yield from self._memory()
        for some in _batches(branches, ROWS_AT_ONCE):
            yield Portion(branches=some)
        yield from self._work()
        yield from self._log()

    def main_columns(self) -> dict[str, Any]:
        """Return what the row of the main line becomes."""
        return self._columns(self._tree.branches[0])

    def selected(self) -> UUID | None:
        """Return the branch that is looked at; None for the main line."""
        found = UUID(self._tree.selected)
        return None if found == self._main else found

    def tips(self) -> tuple[UUID, ...]:
        """Return the newest turns of all branches, each once."""
        found = dict.fromkeys(branch.tip for branch in self._tree.branches if branch.tip)
        return tuple(map(UUID, found))

    def conversation_columns(self) -> dict[str, object]:
        """Return what the row of the conversation becomes; after all portions."""
        told = self._tree.conversation
        columns: dict[str, object] = {
            "kind": told.kind,
            "last_seq": self.head.seq - 1,
            "chain": self.head.chain,
            "updated_ms": self._now_ms,
        }
        if told.title is not None:
            columns["title"] = conversations.seal_title(
                self._conversation.id, told.title, self._keys
            )
        times = {"created_ms": told.created_ms, "updated_ms": told.updated_ms}
        return columns | {name: moment for name, moment in times.items() if moment is not None}

    def _system(self) -> list[Model]:
        rows: list[Model] = []
        for system in self._tree.system:
            message = system.message()
            self._changes[system.seq] = Change("system_message_set", input=encode_body(message))
            rows += turns.message_rows(
                [message],
                keys=self._keys,
                conversation_id=self._conversation.id,
                turn_id=None,
                seq=system.seq,
                first_position=0,
            )
        return rows

    def _branches(self) -> list[Branch]:
        made: list[Branch] = []
        taken = {turn.accepted_seq for turn in self._tree.turns}
        for branch in self._tree.branches[1:]:
            made.append(
                Branch(
                    id=UUID(branch.id),
                    conversation=self._conversation,
                    origin=branch.origin,
                    created_seq=branch.created_seq,
                    created_ms=branch.created_ms,
                    version=1,
                    **self._columns(branch),
                )
            )
            if branch.created_seq not in taken:
                body = branch.model_dump_json(exclude_defaults=True).encode()
                self._changes[branch.created_seq] = Change("branch_imported", input=body)
        return made

    def _columns(self, branch: TreeBranch) -> dict[str, Any]:
        return {
            "name": whole_tree.seal_name(UUID(branch.id), branch.name, self._keys),
            "parent_turn_id": _id_or_none(branch.parent_turn),
            "left_branch_id": _id_or_none(branch.left_branch),
            "tip_id": _id_or_none(branch.tip),
            "redo_tip_id": _id_or_none(branch.redo_tip),
            "archived_ms": branch.archived_ms,
            "clock_ms": branch.clock_ms,
            "clock_set_ms": branch.clock_set_ms,
        }

    def _turns(self) -> Iterator[Portion]:
        for number, turn in enumerate(self._tree.turns, start=1):
            self._write_turn(turn, number)
            if self._size() >= ROWS_AT_ONCE:
                yield self._portion()
        if self._turn:
            yield self._portion()

    def _size(self) -> int:
        return len(self._turn) + sum(
            len(rows)
            for made in self._messages
            for rows in (made.messages, made.counts, made.features)
        )

    def _portion(self) -> Portion:
        messages = [row for made in self._messages for row in made.messages]
        counts = [row for made in self._messages for row in made.counts]
        features = [row for made in self._messages for row in made.features]
        found = Portion(rows=(self._turn, messages, counts, features))
        self._turn, self._messages = [], []
        return found

    def _write_turn(self, turn: TreeTurn, number: int) -> None:
        turn_id, stem = UUID(turn.id), self._stems[turn.parent]
        asked = self._inputs[turn.id].message()
        own = turn.said()
        said = own if turn.input_of is None else (asked, *own)
        bodies = [encode_body(message) for message in said]
        before, grown = stem.path_hash, {}
        for position, message in enumerate(said):
            if position == 0 and turn.input_of is not None:
                # It is stored with the turn that asked it first, which follows the same parent.
                grown = dict(self._asked[turn.input_of])
            else:
                seq = turn.committed_seq if position and turn.committed_seq else turn.accepted_seq
                place = Place(self._conversation.id, turn_id, seq, position)
                made = rows_of_message(message, stem, place, self._keys)
                self._messages.append(made)
                grown = dict(made.columns)
            if position == 0:
                self._asked[turn.id] = grown
            stem = _grown(stem, grown)
        # The input of a turn that shares one is in the line of the turn that asked it first.
        first = bodies[0] if turn.input_of is None else b""
        where = tree_payload({"branch": turn.branch, "model": turn.model})
        self._changes[turn.accepted_seq] = Change(
            "turn_accepted", turn_id, input=first, request=where, state_before=before
        )
        columns: dict[str, object] = {"status": "interrupted", "reason": "interrupted"}
        if turn.committed_seq is not None:
            after = path_hash_next(
                self._keys.log, before, said[0].id.encode() + b"".join(bodies[1:])
            )
            self._changes[turn.committed_seq] = Change(
                "turn_committed",
                turn_id,
                state_before=before,
                output=b"".join(bodies[1:]),
                state_after=after,
            )
            columns = {
                "status": "committed",
                "finish": turn.finish,
                "committed_seq": turn.committed_seq,
                "committed_ms": turn.committed_ms,
                "path_hash": after,
            }
            self._stems[turn.id] = replace(stem, depth=turn.depth, path_hash=after)
        self._add_turn(turn, number, grown | columns)

    def _add_turn(self, turn: TreeTurn, number: int, columns: dict[str, object]) -> None:
        self._turn.append(
            Turn(
                id=UUID(turn.id),
                conversation=self._conversation,
                branch_id=UUID(turn.branch),
                parent_id=_id_or_none(turn.parent),
                depth=turn.depth,
                input_message_id=UUID(self._inputs[turn.id].id),
                idempotency_key=f"imported-{number}",
                model_name=turn.model,
                accepted_seq=turn.accepted_seq,
                accepted_ms=turn.accepted_ms,
                branch_ms=turn.branch_ms,
                **columns,
            )
        )

    def _work(self) -> Iterator[Portion]:
        """Make what follows a commit; what was learned elsewhere is learned here too."""
        turn_ids = [turn.id for turn in self._tree.turns if turn.is_committed]
        learned = {delta.turn_id for delta in self._tree.memory.deltas}
        for kind, names in (
            (outbox.TOKEN_COUNTS, turn_ids),
            (outbox.MEMORY_DELTA, [name for name in turn_ids if name not in learned]),
        ):
            for some in _batches([UUID(name) for name in names], ROWS_AT_ONCE):
                rows = outbox.rows_to_come(self._conversation.id, some, kind, self._now_ms)
                yield Portion(rows=(rows,))

    def _memory(self) -> Iterator[Portion]:
        found = self._tree.memory
        for some in _batches(found.deltas, ROWS_AT_ONCE):
            for delta in some:
                self._changes[delta.seq] = Change(
                    "memory_learned", UUID(delta.turn_id), output=encode_delta(delta)
                )
            rows = [
                memory.delta_row(delta, self._keys, prompt_hash="", now_ms=self._now_ms)
                for delta in some
            ]
            yield Portion(rows=(rows,))
        acts = found.acts()
        for act in acts:
            turn_id = None if act.turn_id is None else UUID(act.turn_id)
            kind = KINDS[type(act.action)]
            self._changes[act.seq] = Change(kind, turn_id, input=encode_operation(act))
        for few in _batches(acts, OPERATIONS_AT_ONCE):
            yield Portion(operations=few)
        for field in self._tree.contract_fields:
            body = json.dumps(asdict(field), ensure_ascii=False, sort_keys=True).encode()
            self._changes[field.seq] = Change("contract_field_set", input=body)

    def _log(self) -> Iterator[Portion]:
        for some in _batches(sorted(self._changes), TRANSITIONS_AT_ONCE):
            made = log.rows_of_log(
                self._conversation.id,
                self._keys,
                [self._changes[seq] for seq in some],
                head=self.head,
                created_ms=self._now_ms,
            )
            self.head = made.head
            yield Portion(rows=(made.transitions, made.payloads))


def _batches(items: Sequence[_Item], size: int) -> Iterator[tuple[_Item, ...]]:
    for first in range(0, len(items), size):
        yield tuple(items[first : first + size])


def _rootless(branch: Branch) -> Branch:
    """Return a branch as it is before the turns that it refers to are there."""
    found = copy(branch)
    found.parent_turn_id = found.tip_id = found.redo_tip_id = None
    return found


def _id_or_none(name: str | None) -> UUID | None:
    return None if name is None else UUID(name)


def _grown(stem: Stem, columns: dict[str, Any]) -> Stem:
    sums = Sums(
        columns["sum_messages"], columns["sum_reference_tokens"], columns["sum_digest_tokens"]
    )
    return replace(stem, sums=sums, heads=columns["feature_heads"])
