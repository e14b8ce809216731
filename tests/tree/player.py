"""Does each act twice: through the services, and in the naive tree, and compares the answers."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from django.db import IntegrityError

from chatapp.ids import new_id
from chatapp.models import MemoryDelta
from chatapp.services import branching, learning
from chatapp.services import memory as by_hand
from chatapp.services.commits import Broken, Measured, turn_commit, turn_fail
from chatapp.services.outcomes import (
    Accepted,
    Archived,
    Busy,
    Changed,
    DepthReached,
    Forked,
    Missing,
    MovedOn,
    RolledBack,
    Selected,
    Unchanged,
)
from chatapp.services.turns import (
    NewInput,
    turn_accept,
    turn_edit,
    turn_regenerate,
    turn_retry,
)
from chatapp.store.memory_path import DELTA
from chatapp.store.sealing import unseal
from statecore.memory.ledger import Entry, EntryKind
from statecore.messages import Message
from statecore.state.codec import decode_delta
from statecore.state.foresight import foreseen
from statecore.state.learning import TurnTexts, delta_of
from statecore.state.operations import (
    Add,
    Delete,
    Edit,
    FieldSet,
    Operation,
    Pin,
    RemoveField,
    SetField,
    Target,
    Undo,
)
from statecore.state.undoing import undone
from statecore.tree import NAMED_FORK_LIMIT
from tests.support.people import MODEL, answered, prepare
from tests.support.remembering import learn
from tests.tree.naive import Branch, Node, Said, Tree, Watch
from tests.tree.seen import Seen

ANSWER = "Noted, 好的, хорошо."


class Player:
    """Plays one conversation."""

    def __init__(self, seen: Seen, process_id: Any, clock: Any) -> None:
        self.seen = seen
        self.process_id = process_id
        self.clock = clock
        (main,) = seen.branches()
        self.tree = Tree(main, clock.now_ms)

    @property
    def now_ms(self) -> int:
        return self.clock.now_ms

    # --- Choosing

    def branch(self, pick: int) -> Branch:
        branches = [*self.tree.branches.values()]
        return branches[pick % len(branches)]

    def viewed(self, pick: int | None) -> Branch:
        """Return the branch that a page shows; None for the selected one."""
        return self.tree.branches[self.tree.selected] if pick is None else self.branch(pick)

    def access(self, pick: int | None) -> Any:
        return self.seen.access(None if pick is None else self.branch(pick).id)

    def node(self, branch: Branch) -> Node:
        return self.tree.nodes[branch.tip]

    # --- Turns

    def post(self, pick: int, text: str) -> str | None:
        """Say something at the end of a branch; the id of the turn that runs then."""
        branch = self.branch(pick)
        new = self._typed(branch, text, branch.tip)
        outcome = turn_accept(self.seen.access(branch.id), new, owner=self.process_id)
        if branch.is_archived:
            assert outcome == Archived()
            return None
        if branch.running is not None:
            assert outcome == MovedOn()
            return None
        assert isinstance(outcome, Accepted)
        return self._accepted(branch, outcome.turn_id, text)

    def post_twice(self, pick: int, text: str) -> None:
        """Post with one key twice: it is one turn."""
        branch = self.branch(pick)
        if branch.is_archived or branch.running is not None:
            return
        new = self._typed(branch, text, branch.tip)
        outcome = turn_accept(self.seen.access(branch.id), new, owner=self.process_id)
        assert isinstance(outcome, Accepted)
        turn_id = self._accepted(branch, outcome.turn_id, text)
        again = turn_accept(self.seen.access(branch.id), new, owner=self.process_id)
        assert isinstance(again, Accepted)
        assert (str(again.turn_id), again.duplicate) == (turn_id, True)
        self.commit(turn_id)

    def post_late(self, pick: int, step: int, text: str, *, aside: bool) -> str | None:
        """Say something on a page that does not know the newest version."""
        branch = self.branch(pick)
        known = [None, *(said.id for said in self.node(branch).said)]
        head = known[step % len(known)]
        new = self._typed(branch, text, head, aside=aside, version=branch.version - 1)
        outcome = turn_accept(self.seen.access(branch.id), new, owner=self.process_id)
        if not aside:
            assert outcome == (Archived() if branch.is_archived else MovedOn())
            return None
        assert isinstance(outcome, Accepted)
        made = self._made("edit", parent=head, left=branch, at=head)
        return self._accepted(made, outcome.turn_id, text)

    def edit(self, pick: int, step: int, text: str) -> str | None:
        """Say something else instead of what was said in a turn of a branch."""
        branch = self.branch(pick)
        turn_id = self._turn_of(branch, step)
        if turn_id is None:
            return None
        parent = self._parent(turn_id)
        new = self._typed(branch, text, branch.tip)
        access = self.seen.access(branch.id)
        outcome = turn_edit(access, UUID(turn_id), new, owner=self.process_id)
        assert isinstance(outcome, Accepted), outcome
        _, home = self.tree.open.get(turn_id, (None, branch.id))
        own = self.tree.branches[home]
        if turn_id in self.tree.open and own.tip == parent and own.running is None:
            return self._accepted(own, outcome.turn_id, text)
        made = self._made("edit", parent=parent, left=branch, at=parent)
        return self._accepted(made, outcome.turn_id, text)

    def regenerate(self, pick: int, step: int) -> str | None:
        """Let a turn of a branch be answered once more."""
        branch = self.branch(pick)
        known = self.node(branch).said
        if not known:
            return None
        said = known[step % len(known)]
        parent = self._parent(said.id)
        outcome = turn_regenerate(
            self.seen.access(branch.id),
            UUID(said.id),
            key=new_id().hex,
            model_name=MODEL.name,
            owner=self.process_id,
        )
        assert isinstance(outcome, Accepted), outcome
        made = self._made("regenerate", parent=parent, left=branch, at=parent)
        return self._accepted(made, outcome.turn_id, said.asked, said)

    def commit(self, turn_id: str) -> None:
        prepared = prepare(UUID(turn_id), self.process_id)
        assert turn_commit(
            UUID(turn_id),
            prepared.attempt_id,
            answered(ANSWER),
            owner=self.process_id,
            model=MODEL,
        )
        self.tree.commit(turn_id, self.seen.answer_id(turn_id), ANSWER, self.now_ms)

    def fail(self, turn_id: str) -> None:
        prepared = prepare(UUID(turn_id), self.process_id)
        broken = Broken("server_error", "", "Half", Measured(None, None, None, None, "estimated"))
        assert turn_fail(
            UUID(turn_id), prepared.attempt_id, broken, owner=self.process_id, model=MODEL
        )
        self.tree.branches[self.tree.open[turn_id][1]].running = None

    def retry(self, step: int) -> None:
        """Try a turn again that broke off."""
        failed = [
            turn_id
            for turn_id, (_, home) in self.tree.open.items()
            if self.tree.branches[home].running != turn_id
        ]
        if not failed:
            return
        turn_id = failed[step % len(failed)]
        branch = self.tree.branches[self.tree.open[turn_id][1]]
        outcome = turn_retry(
            self.seen.access(branch.id),
            UUID(turn_id),
            owner=self.process_id,
            model_name=MODEL.name,
        )
        if isinstance(outcome, MovedOn):
            is_there = self._parent(turn_id) == branch.tip and not branch.is_archived
            assert branch.running is not None or not is_there
            return
        assert self._parent(turn_id) == branch.tip
        branch.running, branch.version = turn_id, branch.version + 1
        self.commit(turn_id)

    def end(self, step: int, *, fails: bool) -> None:
        """End one of the turns that run."""
        running = [one.running for one in self.tree.branches.values() if one.running is not None]
        if running:
            end = self.fail if fails else self.commit
            end(running[step % len(running)])

    def _typed(
        self,
        branch: Branch,
        text: str,
        head: str | None,
        *,
        aside: bool = False,
        version: int | None = None,
    ) -> NewInput:
        return NewInput(
            text,
            new_id().hex,
            UUID(branch.id),
            branch.version if version is None else version,
            MODEL.name,
            head=head and UUID(head),
            aside=aside,
        )

    def _accepted(
        self, branch: Branch, turn_id: UUID, text: str, shared: Said | None = None
    ) -> str:
        """Note that a branch has a turn that runs; what was left behind gets its own branch."""
        row, name = self.seen.turn(turn_id), str(turn_id)
        branch_ms = branch.watch.at(self.now_ms)
        assert row.branch_ms == branch_ms
        assert str(row.branch_id) == branch.id
        if shared is not None:
            assert str(row.input_message_id) == shared.input_id
        if branch.redo is not None:
            redo, branch.redo = branch.redo, None
            self._row("rollback", branch.tip, branch.id, redo, self.tree.ended_ms(redo, 0))
        said = Said(
            id=name,
            asked=text,
            asked_ms=self.now_ms if shared is None else shared.asked_ms,
            input_id=str(row.input_message_id),
            accepted_seq=row.accepted_seq,
            accepted_ms=self.now_ms,
            branch_ms=branch_ms,
        )
        self.tree.open[name] = (said, branch.id)
        self.tree.parents[name] = branch.tip
        branch.running, branch.version = name, branch.version + 1
        branch.watch.go(self.now_ms)
        return name

    def _parent(self, turn_id: str) -> str | None:
        return self.tree.parents[turn_id]

    def _turn_of(self, branch: Branch, step: int) -> str | None:
        """Return a turn that a page of the branch shows and that does not run."""
        broken = [
            turn_id
            for turn_id, (_, home) in self.tree.open.items()
            if home == branch.id
            and branch.running != turn_id
            and self.tree.parents[turn_id] == branch.tip
        ]
        known = [*(said.id for said in self.node(branch).said), *broken]
        return known[step % len(known)] if known else None

    # --- Branches

    def _made(self, origin: str, *, parent: str | None, left: Branch, at: str | None) -> Branch:
        """Note a branch that was made and selected."""
        watch = self.tree.watch_at(at, left, self.now_ms)
        made = self._row(origin, parent, left.id, at, watch.value_ms)
        self.tree.select(made.id, self.now_ms)
        return made

    def _row(
        self, origin: str, parent: str | None, left: str, tip: str | None, clock_ms: int
    ) -> Branch:
        fresh = {
            name: row
            for name, row in self.seen.branches().items()
            if name not in self.tree.branches and row["origin"] == origin
        }
        assert len(fresh) == 1, f"{origin}: {fresh}"
        (name,) = fresh
        return self.tree.add_branch(name, origin, parent, left, tip, Watch(clock_ms, None))

    def fork(self, pick: int | None, step: int, name: str, *, before: bool) -> None:
        branch = self.viewed(pick)
        known = self.node(branch).said
        turn_id = known[step % len(known)].id if known else None
        at = self._parent(turn_id) if before and turn_id is not None else turn_id
        outcome = branching.branch_fork(
            self.access(pick), turn_id and UUID(turn_id), name, before=before
        )
        if self.tree.nested(branch.id) >= NAMED_FORK_LIMIT:
            assert outcome == DepthReached(NAMED_FORK_LIMIT)
            return
        assert isinstance(outcome, Forked), outcome
        made = self._made("fork", parent=at, left=branch, at=at)
        made.name = name
        assert (str(outcome.branch_id), outcome.tip_id) == (made.id, at and UUID(at))

    def name(self, pick: int, name: str) -> None:
        branch = self.branch(pick)
        outcome = branching.branch_name(self.seen.access(), UUID(branch.id), name)
        if branch.origin == "main":
            assert outcome == Missing()
        elif not branch.name and self.tree.nested(branch.id) >= NAMED_FORK_LIMIT:
            assert outcome == DepthReached(NAMED_FORK_LIMIT)
        else:
            assert isinstance(outcome, Changed | Unchanged), outcome
            branch.name = name

    def select(self, pick: int) -> None:
        branch = self.branch(pick)
        outcome = branching.branch_select(self.seen.access(), UUID(branch.id))
        if branch.id == self.tree.selected:
            assert outcome == Unchanged()
            return
        assert isinstance(outcome, Selected), outcome
        assert str(outcome.branch_id) == branch.id
        self.tree.select(branch.id, self.now_ms)

    def select_turn(self, step: int) -> None:
        """Look at a turn, wherever it is; what was rolled back is redone for it."""
        known = [*self.tree.committed()]
        if not known:
            return
        turn_id = known[step % len(known)]
        outcome = branching.turn_select(self.seen.access(), UUID(turn_id))
        showing = [it for it in self.tree.branches.values() if self._shows(it.tip, turn_id)]
        if not showing:
            (branch,) = (it for it in self.tree.branches.values() if self._shows(it.redo, turn_id))
            if branch.running is not None:
                assert outcome == Missing()
                return
            self._come_back(branch)
            showing = [branch]
        if self.tree.selected in {it.id for it in showing}:
            assert isinstance(outcome, Unchanged), outcome
            return
        assert isinstance(outcome, Selected), outcome
        self.tree.select(str(outcome.branch_id), self.now_ms)
        assert self.tree.selected in {it.id for it in showing}

    def _shows(self, tip: str | None, turn_id: str) -> bool:
        return turn_id in {said.id for said in self.tree.nodes[tip].said}

    def roll_back(self, pick: int | None, step: int) -> None:
        branch = self.viewed(pick)
        known = self.node(branch).said
        if not known:
            return
        turn_id = known[step % len(known)].id
        outcome = branching.branch_roll_back(self.access(pick), UUID(turn_id))
        if branch.running is not None:
            assert outcome == Busy()
        elif turn_id == branch.tip:
            assert outcome == Unchanged()
        else:
            assert isinstance(outcome, RolledBack), outcome
            self._move(branch, turn_id)
            branch.redo = branch.redo or known[-1].id
            self._moved(branch, outcome)

    def redo(self, pick: int | None) -> None:
        branch = self.viewed(pick)
        outcome = branching.branch_redo(self.access(pick))
        if branch.redo is None:
            assert outcome == Unchanged()
        elif branch.running is not None:
            assert outcome == Busy()
        else:
            assert isinstance(outcome, RolledBack), outcome
            self._come_back(branch)
            self._moved(branch, outcome)

    def _come_back(self, branch: Branch) -> None:
        assert branch.redo is not None
        self._move(branch, branch.redo)
        branch.redo = None

    def _move(self, branch: Branch, tip: str) -> None:
        branch.watch = Watch(self.tree.ended_ms(tip, self.now_ms), self.now_ms)
        branch.tip, branch.version = tip, branch.version + 1

    def _moved(self, branch: Branch, outcome: RolledBack) -> None:
        told = (str(outcome.branch_id), str(outcome.tip_id), outcome.version)
        assert told == (branch.id, branch.tip, branch.version)

    def archive(self, pick: int, *, archived: bool) -> None:
        branch = self.branch(pick)
        outcome = branching.branch_archive(self.seen.access(), UUID(branch.id), archived=archived)
        if branch.origin == "main":
            assert outcome == Missing()
        elif branch.running is not None:
            assert outcome == Busy()
        elif branch.is_archived is archived:
            assert outcome == Unchanged()
        else:
            assert isinstance(outcome, Changed), outcome
            branch.is_archived = archived
            if archived and branch.id == self.tree.selected:
                self.tree.select(self._before(branch), self.now_ms)

    def _before(self, branch: Branch) -> str:
        """Return the branch that an archived one gives way to."""
        left = branch.left
        while left is not None and self.tree.branches[left].is_archived:
            left = self.tree.branches[left].left
        return left or next(iter(self.tree.branches))

    # --- Memory by hand

    def act(self, pick: int | None, do: Callable[[Any, Branch], Any]) -> None:
        """Do something to memory where a page is.

        Args:
            do: gets an access and gives the outcome with the action that should follow from it.
        """
        branch = self.viewed(pick)
        outcome, action = do(self.access(pick), branch)
        if action is None:
            assert not isinstance(outcome, Changed)
            return
        assert isinstance(outcome, Changed), (outcome, action)
        node = self.node(branch)
        seq = self.seen.last_seq
        assert outcome == Changed(seq)
        self.tree.act(Operation(seq, branch.tip, len(node.said), action, self.now_ms))

    def _entry(self, branch: Branch, which: int) -> Entry | None:
        """Return an entry that people see on a branch."""
        entries = [it for it in self.looked(branch).entries if it.status != "deleted"]
        return entries[which % len(entries)] if entries else None

    def add(self, pick: int | None, kind: EntryKind, text: str) -> None:
        self.act(pick, lambda access, *_: (by_hand.memory_add(access, kind, text), Add(kind, text)))

    def pin(self, pick: int | None, which: int, *, pinned: bool) -> None:
        def do(access, branch):
            entry = self._entry(branch, which)
            outcome = by_hand.memory_pin(access, _id(entry), pinned=pinned)
            same = entry is None or entry.pinned is pinned
            return outcome, None if same else Pin(_target(entry), pinned)

        self.act(pick, do)

    def correct(self, pick: int | None, which: int, text: str) -> None:
        def do(access, branch):
            entry = self._entry(branch, which)
            outcome = by_hand.memory_edit(access, _id(entry), text)
            same = entry is None or entry.text == text
            return outcome, None if same else Edit(_target(entry), text)

        self.act(pick, do)

    def delete(self, pick: int | None, which: int) -> None:
        def do(access, branch):
            entry = self._entry(branch, which)
            outcome = by_hand.memory_delete(access, _id(entry))
            return outcome, None if entry is None else Delete(_target(entry))

        self.act(pick, do)

    def set_field(self, pick: int | None, field: FieldSet) -> None:
        def do(access, branch):
            branch_ms = branch.watch.at(self.now_ms)
            return by_hand.field_set(access, field), SetField(field, branch_ms)

        self.act(pick, do)

    def remove_field(self, pick: int | None, key: str) -> None:
        def do(access, branch):
            known = {it.key for it in self.looked(branch).fields if not it.removed}
            outcome = by_hand.field_remove(access, key)
            return outcome, RemoveField(key) if key in known else None

        self.act(pick, do)

    def undo(self, pick: int | None, which: int) -> None:
        def do(access, branch):
            acts = [*self.node(branch).acts, *self.tree.shared]
            seqs = sorted(it.seq for it in acts)
            seq = seqs[which % len(seqs)] if seqs else 1
            outcome = by_hand.memory_undo(access, seq)
            gone = not seqs or seq in undone(acts)
            return outcome, None if gone else Undo(seq)

        self.act(pick, do)

    # --- Learning

    def learn_next(self, step: int) -> None:
        """Learn as a worker would: the oldest turn that waits on the path of one."""
        waiting = self.waiting()
        if not waiting:
            return
        asked = waiting[step % len(waiting)]
        piece = learning.learning_next(UUID(asked))
        assert piece is not None
        turn_id = str(piece.turn_id)
        assert turn_id in self.tree.nodes[asked].waiting
        before = self.tree.memory(self._parent(turn_id), self.seen.last_seq)
        assert piece.turn == self._texts(turn_id)
        verdict = learning.Verdict(None, note="no_model")
        assert learning.learning_write(piece, verdict)
        # A second worker comes too late.
        assert not learning.learning_write(piece, verdict)
        delta = self._delta(turn_id)
        expected = delta_of(
            piece.turn, before, None, seq=self.seen.last_seq, model="", note="no_model"
        )
        assert delta == expected
        self.tree.learn(delta)

    def learn_any(self, step: int, kind: EntryKind, fields: tuple[FieldSet, ...]) -> None:
        """Learn any turn that waits, whatever waits before it; a second time is refused."""
        waiting = self.waiting()
        if not waiting:
            return
        turn_id = waiting[step % len(waiting)]
        delta = learn(self.seen.access(), UUID(turn_id), kind, fields=fields)
        with pytest.raises(IntegrityError):
            learn(self.seen.access(), UUID(turn_id), kind, text="Once more.")
        assert delta == self._delta(turn_id)
        self.tree.learn(delta)

    def waiting(self) -> list[str]:
        learned = {it.turn_id for node in self.tree.nodes.values() for it in node.deltas}
        return [turn_id for turn_id in self.tree.committed() if turn_id not in learned]

    def _delta(self, turn_id: str) -> Any:
        row = MemoryDelta.objects.get(turn_id=turn_id)
        return decode_delta(unseal(self.seen.keys, *DELTA, row.id, bytes(row.body)))

    def _texts(self, turn_id: str) -> TurnTexts:
        """Return what was said in a turn, as memory should read it."""
        said = self.tree.nodes[turn_id].said
        one, before = said[-1], said[-2:-1]
        return TurnTexts(
            turn_id=turn_id,
            depth=len(said),
            said_seq=one.accepted_seq,
            branch_ms=one.branch_ms,
            question=Message(one.input_id, "user", one.asked, one.asked_ms),
            answer=_answer(one),
            before=_answer(before[0]) if before else None,
            finish="complete",
        )

    def looked(self, branch: Branch) -> Any:
        """Return what people should see of memory on a branch."""
        memory = self.tree.memory(branch.tip, self.seen.last_seq)
        return foreseen(memory, [self._texts(it) for it in self.node(branch).waiting[-10:]])


def _answer(said: Said) -> Message:
    return Message(said.answer_id, "assistant", said.answered, said.committed_ms)


def _id(entry: Entry | None) -> str:
    return "m:0-1" if entry is None else entry.id


def _target(entry: Entry | None) -> Target:
    assert entry is not None
    return Target(entry.id, entry.sources, entry.text)
