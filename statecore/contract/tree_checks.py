"""How the parts of a tree hold together: what is checked on a path is checked on every path."""

from collections.abc import Iterator, Mapping
from itertools import pairwise

from statecore.contract.branch_checks import check_branches
from statecore.contract.checks import check_rest, check_unique, ids
from statecore.contract.memory_checks import check_memory
from statecore.contract.places import Steps, wrong
from statecore.contract.schema import CURRENT, Contract
from statecore.contract.spans import check_spans
from statecore.contract.times import check_numbers
from statecore.contract.tree_memory_checks import check_on_paths
from statecore.contract.tree_schema import Tree, TreeTurn
from statecore.contract.turn_checks import check_turn


def check_tree(tree: Tree) -> None:
    """Let a tree pass whose parts hold together, on every path of it.

    Raises:
        InvalidInput: naming the first place where they do not.
    """
    _check_system(tree)
    check_unique(_ids(tree))
    before: dict[str, TreeTurn] = {}
    for number, turn in enumerate(tree.turns):
        _check_turn(turn, before, ("turns", number))
        before[turn.id] = turn
    check_branches(tree)
    newest = max(tree.seqs(), default=0)
    if tree.memory.as_of < newest:
        raise wrong(("memory", "as_of"), f"is earlier than the seq {newest}")
    for name in ("summary", "session"):
        if getattr(tree.memory, name) is not None:
            raise wrong(("memory", name), "every branch has its own; leave it out")
    flat = flattened(tree)
    check_numbers(flat)
    check_memory(flat)
    check_spans(flat)
    check_rest(flat)
    _check_seqs(tree)
    check_on_paths(tree)


def flattened(tree: Tree) -> Contract:
    """Return all of a tree as if it lay on one path, for what does not ask about paths.

    The input of a turn that answers another's again is with that other turn only.
    """
    return Contract.model_construct(
        schema_version=CURRENT,
        conversation=tree.conversation,
        system=tree.system[-1] if tree.system else None,
        turns=tree.turns,
        memory=tree.memory,
        contract_fields=tree.contract_fields,
        facts=tree.facts,
        tools=tree.tools,
        workflow=tree.workflow,
        request_meta=tree.request_meta,
    )


def _ids(tree: Tree) -> Iterator[tuple[Steps, str, str]]:
    for number, message in enumerate(tree.system):
        yield ("system", number, "id"), "message", message.id
    for number, branch in enumerate(tree.branches):
        yield ("branches", number, "id"), "branch", branch.id
    yield from ids(flattened(tree))


def _check_system(tree: Tree) -> None:
    for number, message in enumerate(tree.system):
        if message.role != "system":
            place = ("system", number, "role")
            raise wrong(place, f"a {message.role} message is no system message")


def _check_turn(turn: TreeTurn, before: Mapping[str, TreeTurn], place: Steps) -> None:
    parent = None if turn.parent is None else before.get(turn.parent)
    if turn.parent is not None and parent is None:
        raise wrong((*place, "parent"), f"there is no turn {turn.parent} before it")
    if parent is not None and not parent.is_committed:
        raise wrong((*place, "parent"), f"nothing follows a turn that is {parent.status}")
    depth = 1 if parent is None else parent.depth + 1
    if turn.depth != depth:
        raise wrong((*place, "depth"), f"is {turn.depth} where {depth} comes next")
    whole = _whole(turn, before, place)
    check_turn(whole, place, shift=len(whole.messages) - len(turn.messages))
    _check_order(whole, parent, place)


def _whole(turn: TreeTurn, before: Mapping[str, TreeTurn], place: Steps) -> TreeTurn:
    """Return a turn with its input, whoever was first to ask it."""
    if turn.input_of is None:
        if not turn.messages:
            raise wrong((*place, "messages"), "a turn begins with a user message")
        return turn
    first = before.get(turn.input_of)
    if first is None or first.input_of is not None:
        said = f"there is no turn {turn.input_of} before it that has an input of its own"
        raise wrong((*place, "input_of"), said)
    if first.parent != turn.parent:
        raise wrong((*place, "input_of"), f"turn {turn.input_of} follows another turn")
    return turn.model_copy(update={"messages": (first.messages[0], *turn.messages)})


def _check_order(turn: TreeTurn, parent: TreeTurn | None, place: Steps) -> None:
    """Check that seqs rise and that no time goes back from a turn to the next."""
    if parent is not None:
        _rising((*place, "accepted_seq"), turn.accepted_seq, parent.committed_seq, by_one=True)
        _rising((*place, "accepted_ms"), turn.accepted_ms, parent.committed_ms)
        _rising((*place, "branch_ms"), turn.branch_ms, parent.branch_ms)
        said_ms = parent.messages[-1].created_ms if parent.messages else None
        _rising((*place, "messages"), turn.messages[0].created_ms, said_ms)
    if turn.committed_seq is not None:
        _rising((*place, "committed_seq"), turn.committed_seq, turn.accepted_seq, by_one=True)
    if turn.committed_ms is not None:
        _rising((*place, "committed_ms"), turn.committed_ms, turn.accepted_ms)
    for one, other in pairwise(turn.messages):
        _rising((*place, "messages"), other.created_ms, one.created_ms)


def _rising(place: Steps, after: int, before: int | None, *, by_one: bool = False) -> None:
    if before is None or after > before or (after == before and not by_one):
        return
    if by_one:
        raise wrong(place, f"the seq {after} does not come after {before}")
    raise wrong(place, f"the time goes back from {before} to {after}")


def _check_seqs(tree: Tree) -> None:
    """Check that turns and system messages stand in order, and that none has another's seq."""
    taken = {delta.seq for delta in tree.memory.deltas}
    taken |= {act.seq for act in tree.memory.operations}
    taken |= {field.seq for field in tree.contract_fields}
    for name, rows in (
        ("system", [message.seq for message in tree.system]),
        ("turns", [turn.accepted_seq for turn in tree.turns]),
    ):
        for number, (one, other) in enumerate(pairwise(rows), start=1):
            if other <= one:
                raise wrong((name, number), f"the seq {other} does not come after {one}")
    for number, message in enumerate(tree.system):
        _take(message.seq, taken, ("system", number, "seq"))
    for number, turn in enumerate(tree.turns):
        _take(turn.accepted_seq, taken, ("turns", number, "accepted_seq"))
        if turn.committed_seq is not None:
            _take(turn.committed_seq, taken, ("turns", number, "committed_seq"))


def _take(seq: int, taken: set[int], place: Steps) -> None:
    if seq in taken:
        raise wrong(place, f"the seq {seq} is that of something else")
    taken.add(seq)
