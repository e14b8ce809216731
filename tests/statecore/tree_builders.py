"""Builds trees for the tests of the core and of the import: small ones by hand, and any at all."""

from dataclasses import dataclass, field

from hypothesis import strategies as st

from statecore.contract.schema import ContractMemory, RequestMeta
from statecore.contract.tree_schema import (
    TREE,
    Tree,
    TreeBranch,
    TreeConversation,
    TreeSystem,
    TreeTurn,
)
from statecore.memory.contract_fields import ContractField
from statecore.memory.ledger import Span, entry_id
from statecore.memory.session import Expiry
from statecore.state.codec import operation_form
from statecore.state.operations import (
    Add,
    Delete,
    Delta,
    Edit,
    FieldSet,
    Learned,
    Operation,
    Pin,
    Rejected,
    RemoveField,
    SetField,
    Target,
    Undo,
)
from tests.statecore.contract_builders import said

TEXTS = ("Rome 900. Rome 901.", "Отель в Риме 9..", "不要海鲜。不要海鲜。还有。")
TICK_MS = 1000


def tree(*turns: TreeTurn, **more) -> Tree:
    """Return a tree; without branches it has a main line that ends at the last committed turn."""
    committed = [one.id for one in turns if one.is_committed]
    main = TreeBranch(id="b1", origin="main", tip=committed[-1] if committed else None)
    fields = {
        "schema_version": TREE,
        "conversation": TreeConversation(id="c1"),
        "branches": (main,),
        "selected": "b1",
        "turns": turns,
        "memory": ContractMemory(as_of=100),
    }
    return Tree(**(fields | more))


def leaf(number: int, after: TreeTurn | None = None, *, seq: int = 0, **more) -> TreeTurn:
    """Return a committed turn after another; its seqs are twice its number and the one before."""
    accepted = seq or 2 * number - 1
    depth = 1 if after is None else after.depth + 1
    fields = {
        "id": f"t{number}",
        "depth": depth,
        "status": "committed",
        "messages": (
            said(f"u{number}", "user", f"Question {number}.", TICK_MS * depth),
            said(f"a{number}", "assistant", f"Answer {number}.", TICK_MS * depth),
        ),
        "accepted_seq": accepted,
        "accepted_ms": TICK_MS * depth,
        "branch_ms": 100 * depth,
        "finish": "complete",
        "committed_seq": accepted + 1,
        "committed_ms": TICK_MS * depth + 500,
        "parent": None if after is None else after.id,
        "branch": "b1",
    }
    return TreeTurn(**(fields | more))


def again(number: int, first: TreeTurn, **more) -> TreeTurn:
    """Return a turn that answers the input of another once more, on a branch of its own."""
    answer = said(f"a{number}", "assistant", f"Answer {number}.", first.messages[0].created_ms)
    fields = {
        "messages": (answer,),
        "input_of": first.id,
        "parent": first.parent,
        "depth": first.depth,
        "branch": f"b{number}",
        "accepted_ms": first.accepted_ms,
        "committed_ms": first.committed_ms,
        "branch_ms": first.branch_ms,
    }
    return leaf(number, **(fields | more))


def forked() -> Tree:
    """Return a tree with two turns, an edit of the second, and another answer to it."""
    first = leaf(1)
    second = leaf(2, first)
    edited = leaf(3, first, seq=6, branch="b2")
    anew = again(4, edited, seq=9, branch="b3")
    return tree(
        first,
        second,
        edited,
        anew,
        branches=(
            TreeBranch(id="b1", origin="main", tip="t2"),
            TreeBranch(
                id="b2", origin="edit", parent_turn="t1", left_branch="b1", tip="t3", created_seq=5
            ),
            TreeBranch(
                id="b3",
                origin="regenerate",
                parent_turn="t1",
                left_branch="b2",
                tip="t4",
                created_seq=8,
            ),
        ),
        selected="b3",
    )


@dataclass
class _Growing:
    """A tree while it is drawn."""

    seq: int = 0
    turns: list[TreeTurn] = field(default_factory=list)
    branches: list[dict] = field(default_factory=list)
    deltas: list[Delta] = field(default_factory=list)
    acts: list[Operation] = field(default_factory=list)

    def next(self) -> int:
        self.seq += 1
        return self.seq

    def committed(self) -> list[TreeTurn]:
        return [one for one in self.turns if one.is_committed]

    def turn(self, name: str | None) -> TreeTurn | None:
        return next((one for one in self.turns if one.id == name), None)

    def input_of(self, turn: TreeTurn):
        first = turn if turn.input_of is None else self.turn(turn.input_of)
        return first.messages[0]

    def inputs_above(self, turn: TreeTurn | None) -> list:
        found = []
        while turn is not None:
            found.append(self.input_of(turn))
            turn = self.turn(turn.parent)
        return found


@st.composite
def trees(draw) -> Tree:
    """Draw a tree with edits, answers anew, forks, rollbacks, archives and memory everywhere."""
    growing = _Growing(branches=[{"id": "b1", "origin": "main"}])
    system = ()
    if draw(st.booleans()):
        system = (TreeSystem(**dict(said("s1", "system", "Be brief.")), seq=growing.next()),)
    for step in draw(st.lists(st.sampled_from("ttttserfwbddooooal"), max_size=24)):
        _STEPS[step](draw, growing)
    if draw(st.booleans()):
        _roll_back(draw, growing)
    fields = ()
    if draw(st.booleans()):
        messages = [message for turn in growing.turns for message in turn.messages[:1]]
        source = Span(messages[0].id, 0, 2) if messages and draw(st.booleans()) else None
        fields = (ContractField("tone", "dry", "user", growing.next(), source),)
    shown = [one["id"] for one in growing.branches if "archived_ms" not in one]
    return Tree(
        schema_version=TREE,
        conversation=TreeConversation(
            id="c1", title=draw(st.none() | st.just("Отпуск")), created_ms=5, updated_ms=6
        ),
        system=system,
        branches=tuple(TreeBranch(**one) for one in growing.branches),
        selected=draw(st.sampled_from(shown)),
        turns=tuple(growing.turns),
        memory=ContractMemory(
            as_of=growing.seq + draw(st.integers(0, 3)),
            deltas=tuple(growing.deltas),
            operations=tuple(map(operation_form, growing.acts)),
        ),
        contract_fields=fields,
        request_meta=RequestMeta(marks={"made": "up"}),
    )


def _turn(draw, growing: _Growing, branch: dict, *, shared: TreeTurn | None = None) -> None:
    """Let a turn be said at the tip of a branch."""
    number = len(growing.turns) + 1
    parent = growing.turn(branch.get("tip"))
    if shared is not None:
        assert shared.parent == branch.get("tip")
    before_ms = 0 if parent is None else parent.committed_ms
    now_ms = before_ms + draw(st.integers(0, 2)) * TICK_MS
    text = draw(st.sampled_from(TEXTS))
    # The input that is shared was said before: what answers it cannot be older.
    now_ms = now_ms if shared is None else max(now_ms, growing.input_of(shared).created_ms)
    messages = () if shared is not None else (said(f"m{number}", "user", text, now_ms),)
    turn = {
        "id": f"t{number}",
        "parent": branch.get("tip"),
        "branch": branch["id"],
        "input_of": None if shared is None else shared.input_of or shared.id,
        "depth": 1 if parent is None else parent.depth + 1,
        "status": "interrupted",
        "messages": messages,
        "accepted_seq": growing.next(),
        "accepted_ms": now_ms,
        "branch_ms": now_ms,
    }
    if draw(st.integers(0, 5)):
        answer = said(f"a{number}", "assistant", draw(st.sampled_from(TEXTS)), now_ms)
        turn |= {
            "status": "committed",
            "messages": (*messages, answer),
            "finish": draw(st.sampled_from(["complete", "stopped", "length"])),
            "committed_seq": growing.next(),
            "committed_ms": now_ms,
        }
        branch["tip"] = turn["id"]
        branch.pop("redo_tip", None)
    growing.turns.append(TreeTurn(**turn))


def _say(draw, growing: _Growing) -> None:
    _turn(draw, growing, draw(st.sampled_from(growing.branches)))


def _branch(draw, growing: _Growing, origin: str, tip: str | None, **more) -> dict:
    branch = {
        "id": f"b{len(growing.branches) + 1}",
        "origin": origin,
        "parent_turn": tip,
        "left_branch": draw(st.sampled_from(growing.branches))["id"],
        "tip": tip,
        "created_seq": growing.next(),
        "created_ms": draw(st.integers(1, 9)) * TICK_MS,
    } | more
    growing.branches.append(branch)
    return branch


def _edit(draw, growing: _Growing) -> None:
    if growing.turns:
        old = draw(st.sampled_from(growing.turns))
        _turn(draw, growing, _branch(draw, growing, "edit", old.parent))


def _regenerate(draw, growing: _Growing) -> None:
    if growing.turns:
        old = draw(st.sampled_from(growing.turns))
        _turn(draw, growing, _branch(draw, growing, "regenerate", old.parent), shared=old)


def _fork(draw, growing: _Growing) -> None:
    tips = [None, *(one.id for one in growing.committed())]
    _branch(draw, growing, "fork", draw(st.sampled_from(tips)), name="分支 Ветка")


def _roll_back(draw, growing: _Growing) -> None:
    ready = [one for one in growing.branches if one.get("tip") and "redo_tip" not in one]
    if ready:
        branch = draw(st.sampled_from(ready))
        growing.next()
        branch["redo_tip"], branch["tip"] = branch["tip"], growing.turn(branch["tip"]).parent


def _clock(draw, growing: _Growing) -> None:
    branch = draw(st.sampled_from(growing.branches))
    branch["clock_ms"] = draw(st.integers(0, 9)) * TICK_MS
    branch["clock_set_ms"] = draw(st.none() | st.just(TICK_MS))


def _archive(draw, growing: _Growing) -> None:
    if growing.branches[1:]:
        draw(st.sampled_from(growing.branches[1:]))["archived_ms"] = TICK_MS


def _learn(draw, growing: _Growing) -> None:
    learned = {delta.turn_id for delta in growing.deltas}
    waiting = [one for one in growing.committed() if one.id not in learned]
    if not waiting:
        return
    turn = draw(st.sampled_from(waiting))
    asked = growing.input_of(turn)
    span = Span(asked.id, 0, 8)
    items = (Learned(span, draw(st.sampled_from(("fact", "rule"))), asked.text[:8], "rules"),)
    fields = (FieldSet("step", asked.text[:4], Expiry("idle", 5), Span(asked.id, 0, 4)),)
    growing.deltas.append(
        Delta(
            turn.id,
            growing.next(),
            turn.depth,
            turn.accepted_seq,
            turn.branch_ms,
            items if draw(st.booleans()) else (),
            (Rejected(span, "", "fact", "secret"),) * draw(st.integers(0, 1)),
            fields if draw(st.booleans()) else (),
        )
    )


def _act(draw, growing: _Growing) -> None:
    node = draw(st.none() | st.sampled_from(growing.committed() or [None]))
    kinds = ["add", "set", "remove"] + (["undo", "undo"] if growing.acts else [])
    above = growing.inputs_above(node)
    kinds += ["edit", "delete", "pin"] if above else []
    match draw(st.sampled_from(kinds)):
        case "add":
            span = Span(draw(st.sampled_from(above)).id, 0, 4) if above else None
            action = Add("task", "Book.", draw(st.none() | st.just(span)))
        case "set":
            action = SetField(FieldSet("step", draw(st.sampled_from(TEXTS))), branch_ms=TICK_MS)
        case "remove":
            action = RemoveField("step")
        case "undo":
            action = Undo(draw(st.sampled_from(growing.acts)).seq)
        case kind:
            span = Span(draw(st.sampled_from(above)).id, 0, 8)
            target = Target(entry_id(span), (span,), "Rome 900")
            action = {
                "edit": Edit(target, "Rome 1,000."),
                "delete": Delete(target),
                "pin": Pin(target, pinned=True),
            }[kind]
    where = (None, 0) if node is None else (node.id, node.depth)
    growing.acts.append(Operation(growing.next(), *where, action, TICK_MS))


_STEPS = {
    "t": _say,
    "s": _say,
    "e": _edit,
    "r": _regenerate,
    "f": _fork,
    "w": _roll_back,
    "b": _clock,
    "d": _learn,
    "o": _act,
    "a": _archive,
    "l": _learn,
}
