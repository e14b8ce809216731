"""A tree that copies everything: each node has full lists of its own, and no rule about seqs.

What the application finds out from parent pointers, seqs and checkpoints is here by construction:
whoever goes on from a node takes a copy of all that is known there, and nothing reaches the copy
afterwards but what a turn of it taught, late.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from statecore.state.fold import Memory, fold
from statecore.state.operations import Delta, Operation, scope_of


@dataclass
class Watch:
    """Branch time as a stopwatch, that stands still while nobody is there."""

    value_ms: int
    since_ms: int | None
    """Wall time from which it runs; None while it stands."""

    def at(self, now_ms: int) -> int:
        return self.value_ms + (0 if self.since_ms is None else now_ms - self.since_ms)

    def stop(self, now_ms: int) -> None:
        self.value_ms, self.since_ms = self.at(now_ms), None

    def go(self, now_ms: int) -> None:
        if self.since_ms is None:
            self.since_ms = now_ms


@dataclass(frozen=True)
class Said:
    """One turn as it was said."""

    id: str
    asked: str
    asked_ms: int
    input_id: str
    accepted_seq: int
    accepted_ms: int
    branch_ms: int
    answered: str = ""
    answer_id: str = ""
    committed_ms: int = 0


@dataclass
class Node:
    """Everything that is known at the end of a turn, all of it a copy of its own."""

    said: list[Said] = field(default_factory=list)
    deltas: list[Delta] = field(default_factory=list)
    acts: list[Operation] = field(default_factory=list)
    """Of path scope."""

    def copy(self) -> "Node":
        return Node([*self.said], [*self.deltas], [*self.acts])

    @property
    def tip(self) -> str | None:
        return self.said[-1].id if self.said else None

    @property
    def parent(self) -> str | None:
        return self.said[-2].id if len(self.said) > 1 else None

    @property
    def messages(self) -> list[tuple[str, str]]:
        return [(said.asked, said.answered) for said in self.said]

    @property
    def waiting(self) -> tuple[str, ...]:
        learned = {delta.turn_id for delta in self.deltas}
        return tuple(said.id for said in self.said if said.id not in learned)


@dataclass
class Branch:
    """One branch, as its row should be."""

    id: str
    origin: str
    parent: str | None
    left: str | None
    tip: str | None
    watch: Watch
    name: str = ""
    redo: str | None = None
    version: int = 0
    running: str | None = None
    is_archived: bool = False


class Tree:
    """All nodes and branches of a conversation, and what one person looks at."""

    def __init__(self, main: str, now_ms: int) -> None:
        self.nodes: dict[str | None, Node] = {None: Node()}
        self.branches: dict[str, Branch] = {}
        """In the order in which they were made."""
        self.selected = main
        self.open: dict[str, tuple[Said, str]] = {}
        """Turns that run or broke off, with the branch that they were accepted on."""
        self.parents: dict[str, str | None] = {}
        self.shared: list[Operation] = []
        """What holds on all branches."""
        self.add_branch(main, "main", None, None, None, Watch(now_ms, now_ms))

    # --- Branches

    def add_branch(self, id_: str, origin: str, parent, left, tip, watch: Watch) -> Branch:
        self.branches[id_] = Branch(id_, origin, parent, left, tip, watch)
        return self.branches[id_]

    def select(self, branch_id: str, now_ms: int) -> None:
        """Leave one branch and come to another."""
        if branch_id != self.selected:
            self.branches[self.selected].watch.stop(now_ms)
            self.branches[branch_id].watch.go(now_ms)
            self.selected = branch_id

    def ended_ms(self, node: str | None, now_ms: int) -> int:
        """Return branch time at the end of a node."""
        if node is None:
            return now_ms
        said = self.nodes[node].said[-1]
        return said.branch_ms + said.committed_ms - said.accepted_ms

    def watch_at(self, node: str | None, branch: Branch, now_ms: int) -> Watch:
        """Return the watch of who goes on from a node, a branch being looked at."""
        # Before the first turn it is wall time: nothing was said that a pause could come after.
        is_live = node is not None and branch.tip == node
        at_ms = branch.watch.at(now_ms) if is_live else self.ended_ms(node, now_ms)
        return Watch(at_ms, None)

    def nested(self, branch_id: str | None) -> int:
        """Return how many named branches are nested down to one."""
        count = 0
        while branch_id is not None:
            count += bool(self.branches[branch_id].name)
            branch_id = self.branches[branch_id].left
        return count

    # --- Turns

    def commit(self, turn_id: str, answer_id: str, answered: str, now_ms: int) -> None:
        """Go on from the parent: take a copy of what is known there now."""
        said, branch_id = self.open.pop(turn_id)
        branch = self.branches[branch_id]
        node = self.nodes[branch.tip].copy()
        node.said.append(replace(said, answer_id=answer_id, answered=answered, committed_ms=now_ms))
        self.nodes[turn_id] = node
        branch.tip, branch.running = turn_id, None

    def learn(self, delta: Delta) -> None:
        """Give what a turn taught to every copy of it."""
        for node in self.nodes.values():
            if delta.turn_id in {said.id for said in node.said}:
                node.deltas.append(delta)

    def act(self, operation: Operation) -> None:
        """Do something at a node, or everywhere."""
        if scope_of(operation.action) == "path":
            self.nodes[operation.turn_id].acts.append(operation)
        else:
            self.shared.append(operation)

    def memory(self, node: str | None, as_of: int) -> Memory:
        """Return what is remembered at a node."""
        known = self.nodes[node]
        return fold(known.deltas, [*known.acts, *self.shared], as_of=as_of)

    def committed(self) -> Iterator[str]:
        """Yield all turns with an answer, in the order of their commits."""
        yield from (turn_id for turn_id in self.nodes if turn_id is not None)
