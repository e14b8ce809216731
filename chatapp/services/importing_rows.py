"""Writes a tree into the rows of an empty conversation, with a line of the log for each thing."""

import json
from dataclasses import asdict, replace
from typing import Any
from uuid import UUID

from django.db.models import F

from chatapp.access import Access
from chatapp.models import Branch, Conversation, Selection, Turn
from chatapp.services.acts import KINDS
from chatapp.services.stems import Place, Stem, store_message
from chatapp.services.transitions import Change, Head, append_all
from chatapp.services.tree_log import tree_payload
from chatapp.store import checkpoints, conversations, memory, outbox, raw, turns, whole_tree
from chatapp.store.carried import IMPORTED
from statecore.contract.carried import carried_of, encode_carried
from statecore.contract.tree_schema import Tree, TreeBranch, TreeTurn
from statecore.log import path_hash_next
from statecore.messages import encode_body
from statecore.state.codec import encode_delta, encode_operation
from statecore.tree import Sums

CHECKPOINTED_BRANCHES = 100
"""Branches whose checkpoints are written at once; others have theirs when something is learned."""


class TreeWriter:
    """Writes a tree that has the ids and seqs of its new place."""

    def __init__(self, access: Access, tree: Tree, head: Head, now_ms: int) -> None:
        self._access = access
        self._conversation = access.conversation
        self._keys = access.keys
        self._tree = tree
        self._head = head
        self._now_ms = now_ms
        self._main = UUID(tree.branches[0].id)
        self._inputs = tree.inputs()
        self._changes: dict[int, Change] = {}
        """Of the log, by seq."""
        self._stems: dict[str | None, Stem] = {None: Stem()}
        """By committed turn."""
        self._asked: dict[str, dict[str, object]] = {}
        """By turn: what its columns have grown to by its input."""

    def write(self) -> None:
        """Write everything, the log last: what it tells of is what was written."""
        self._changes[self._head.seq] = Change(
            IMPORTED, input=encode_carried(carried_of(self._tree))
        )
        self._write_system()
        self._write_branches()
        for number, turn in enumerate(self._tree.turns, start=1):
            self._write_turn(turn, number)
        self._write_memory()
        self._write_work()
        self._write_conversation()
        changes = [self._changes[seq] for seq in sorted(self._changes)]
        append_all(self._conversation.id, self._keys, changes, self._head, self._now_ms)
        self._settle()

    def _write_system(self) -> None:
        for system in self._tree.system:
            message = system.message()
            self._changes[system.seq] = Change("system_message_set", input=encode_body(message))
            turns.insert_messages(
                [message],
                keys=self._keys,
                conversation_id=self._conversation.id,
                turn_id=None,
                seq=system.seq,
                first_position=0,
            )

    def _write_branches(self) -> None:
        made: list[Branch] = []
        taken = {turn.accepted_seq for turn in self._tree.turns}
        for branch in self._tree.branches:
            columns = self._columns(branch)
            if branch.origin == "main":
                # A page that was opened before must not post onto what it has not seen.
                found = Branch.objects.filter(pk=self._main)
                found.update(version=F("version") + 1, **columns)
                continue
            made.append(
                Branch(
                    id=UUID(branch.id),
                    conversation=self._conversation,
                    origin=branch.origin,
                    created_seq=branch.created_seq,
                    created_ms=branch.created_ms,
                    version=1,
                    **columns,
                )
            )
            if branch.created_seq not in taken:
                body = branch.model_dump_json(exclude_defaults=True).encode()
                self._changes[branch.created_seq] = Change("branch_imported", input=body)
        raw.insert(made)

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
                grown = dict(store_message(message, stem, place, self._keys))
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
        self._insert_turn(turn, number, grown | columns)

    def _insert_turn(self, turn: TreeTurn, number: int, columns: dict[str, object]) -> None:
        turns.insert_turn(
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

    def _write_work(self) -> None:
        """Write what follows a commit; what was learned elsewhere is learned here too."""
        turn_ids = [turn.id for turn in self._tree.turns if turn.is_committed]
        learned = {delta.turn_id for delta in self._tree.memory.deltas}
        waiting = [UUID(name) for name in turn_ids if name not in learned]
        for kind, names in (
            (outbox.TOKEN_COUNTS, [UUID(name) for name in turn_ids]),
            (outbox.MEMORY_DELTA, waiting),
        ):
            outbox.put_all(self._conversation.id, names, kind, self._now_ms)

    def _write_memory(self) -> None:
        found = self._tree.memory
        for delta in found.deltas:
            body = encode_delta(delta)
            self._changes[delta.seq] = Change("memory_learned", UUID(delta.turn_id), output=body)
            memory.insert_delta(
                self._conversation.id, delta, self._keys, prompt_hash="", now_ms=self._now_ms
            )
        for act in found.acts():
            turn_id = None if act.turn_id is None else UUID(act.turn_id)
            kind = KINDS[type(act.action)]
            self._changes[act.seq] = Change(kind, turn_id, input=encode_operation(act))
            memory.insert_operation(act, self._conversation.id, self._keys)
        for field in self._tree.contract_fields:
            body = json.dumps(asdict(field), ensure_ascii=False, sort_keys=True).encode()
            self._changes[field.seq] = Change("contract_field_set", input=body)

    def _write_conversation(self) -> None:
        """Make it what the tree says, and the branch that was looked at the one that is."""
        told = self._tree.conversation
        columns: dict[str, object] = {"kind": told.kind}
        if told.title is not None:
            columns["title"] = conversations.seal_title(
                self._conversation.id, told.title, self._keys
            )
        Conversation.objects.filter(pk=self._conversation.id).update(**columns)
        if self._tree.selected != str(self._main):
            Selection.objects.update_or_create(
                user_id=self._access.owner.user_id,
                conversation=self._conversation,
                defaults={"branch_id": UUID(self._tree.selected)},
            )

    def _settle(self) -> None:
        """Write the shortcuts, and the times that the log has just moved on."""
        tips = dict.fromkeys(branch.tip for branch in self._tree.branches if branch.tip)
        for tip in list(tips)[:CHECKPOINTED_BRANCHES]:
            checkpoints.write_if_due(UUID(tip), self._keys)
        told = self._tree.conversation
        times = {"created_ms": told.created_ms, "updated_ms": told.updated_ms}
        given = {name: moment for name, moment in times.items() if moment is not None}
        if given:
            Conversation.objects.filter(pk=self._conversation.id).update(**given)


def _id_or_none(name: str | None) -> UUID | None:
    return None if name is None else UUID(name)


def _grown(stem: Stem, columns: dict[str, Any]) -> Stem:
    sums = Sums(
        columns["sum_messages"], columns["sum_reference_tokens"], columns["sum_digest_tokens"]
    )
    return replace(stem, sums=sums, heads=columns["feature_heads"])
