"""One path of a tree as a contract, and a contract as a tree of one path."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from statecore.contract.carried import Carried, carried_of
from statecore.contract.schema import (
    CURRENT,
    Contract,
    ContractConversation,
    ContractMessage,
    ContractTurn,
)
from statecore.contract.tree_schema import (
    TREE,
    Tree,
    TreeBranch,
    TreeConversation,
    TreeSystem,
    TreeTurn,
)
from statecore.state.codec import operation_form
from statecore.state.cutting import cut_of
from statecore.state.operations import Operation, Undo, scope_of

MAIN = "main"


def settled(acts: Iterable[Operation], on_path: Collection[str]) -> Iterator[Operation]:
    """Yield what counts on a path, without the marks of where it was done on other branches.

    Args:
        acts: by seq; those of path scope are the ones that the path has (see `cutting`).
        on_path: ids of its committed turns.
    """
    known: set[int] = set()
    for act in acts:
        if isinstance(act.action, Undo) and act.action.seq not in known:
            continue
        known.add(act.seq)
        is_elsewhere = act.turn_id is not None and act.turn_id not in on_path
        if is_elsewhere and scope_of(act.action) == "conversation":
            yield Operation(act.seq, None, 0, act.action, act.created_ms)
        else:
            yield act


def carried_on(carried: Carried, turns: Sequence[ContractTurn]) -> Carried:
    """Return what a conversation carries as one path of it has it: nothing in it names others."""
    said = {message.id for turn in turns for message in turn.messages}
    ids = {turn.id for turn in turns}
    fields = tuple(_cleared(field, said) for field in carried.contract_fields)
    workflow = carried.workflow
    if workflow is not None:
        values = tuple(_cleared(held, said) for held in workflow.values)
        workflow = replace(workflow, values=values)
    attempts = tuple(one for one in carried.request_meta.attempts if one.turn_id in ids)
    meta = carried.request_meta.model_copy(update={"attempts": attempts})
    more = {"contract_fields": fields, "workflow": workflow, "request_meta": meta}
    return carried.model_copy(update=more)


def path_of(tree: Tree, branch_id: str) -> Contract:
    """Return the state at the end of a branch.

    Args:
        tree: one that was checked.
        branch_id: one of its branches.
    """
    branch = next(one for one in tree.branches if one.id == branch_id)
    path = _path(tree, branch)
    inputs = tree.inputs()
    turns = tuple(_turn(turn, inputs[turn.id]) for turn in path)
    committed = [turn for turn in turns if turn.is_committed]
    cut = cut_of((turn.id, turn.committed_seq) for turn in committed)
    ids = {turn.id for turn in committed}
    acts = [
        act
        for act in tree.memory.acts()
        if scope_of(act.action) == "conversation" or cut.holds(act.turn_id, act.seq)
    ]
    memory = tree.memory.model_copy(
        update={
            "deltas": tuple(delta for delta in tree.memory.deltas if delta.turn_id in ids),
            "operations": tuple(operation_form(act) for act in settled(acts, ids)),
        }
    )
    carried = carried_on(carried_of(tree), turns)
    told = tree.conversation
    return Contract(
        schema_version=CURRENT,
        conversation=ContractConversation(id=told.id, kind=told.kind, title=told.title),
        system=_system(tree),
        turns=turns,
        memory=memory,
        **{name: getattr(carried, name) for name in Carried.model_fields},
    )


def _path(tree: Tree, branch: TreeBranch) -> list[TreeTurn]:
    turns = {turn.id: turn for turn in tree.turns}
    path: list[TreeTurn] = []
    node = branch.tip
    while node is not None:
        path.append(turns[node])
        node = turns[node].parent
    waiting = [
        turn
        for turn in tree.turns
        if turn.parent == branch.tip and turn.branch == branch.id and not turn.is_committed
    ]
    return [*reversed(path), *waiting[-1:]]


def _turn(turn: TreeTurn, asked: ContractMessage) -> ContractTurn:
    own = turn.messages if turn.input_of is None else (asked, *turn.messages)
    columns = {name: getattr(turn, name) for name in ContractTurn.model_fields}
    return ContractTurn(**(columns | {"messages": own}))


def _system(tree: Tree) -> ContractMessage | None:
    if not tree.system:
        return None
    columns = {name: getattr(tree.system[-1], name) for name in ContractMessage.model_fields}
    return ContractMessage(**columns)


def tree_of(contract: Contract) -> Tree:
    """Return a contract as a tree with a main line and nothing else."""
    system = contract.system
    # It is before all others, whatever seq they begin with.
    seq = min(contract.seqs(), default=1) - 1
    parents = [None, *(turn.id for turn in contract.turns)]
    committed = [turn.id for turn in contract.turns if turn.is_committed]
    rest = {name: getattr(contract, name) for name in Carried.model_fields}
    told = contract.conversation
    return Tree(
        schema_version=TREE,
        conversation=TreeConversation(id=told.id, kind=told.kind, title=told.title),
        system=() if system is None else (TreeSystem(**dict(system), seq=seq),),
        branches=(TreeBranch(id=MAIN, origin="main", tip=committed[-1] if committed else None),),
        selected=MAIN,
        turns=tuple(
            TreeTurn(**dict(turn), parent=parent, branch=MAIN)
            for parent, turn in zip(parents, contract.turns, strict=False)
        ),
        memory=contract.memory.model_copy(update={"summary": None, "session": None}),
        **rest,
    )


def _cleared(held: Any, said: set[str]) -> Any:  # noqa: ANN401  # a field or a value: both have a source
    if held.source is None or held.source.message_id in said:
        return held
    return replace(held, source=None)
