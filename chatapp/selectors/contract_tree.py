"""Reads a whole conversation as one document, with all its branches."""

from chatapp.access import Access
from chatapp.models import Branch
from chatapp.selectors.contract import TooLong
from chatapp.selectors.contract_parts import message_part, request_meta, turn_part
from chatapp.store import conversations, operations, whole_path, whole_tree
from chatapp.store.carried import read_carried
from chatapp.store.whole_tree import TreeRow
from statecore.contract.schema import ContractMemory, ContractMessage
from statecore.contract.tree_schema import (
    TREE,
    Tree,
    TreeBranch,
    TreeConversation,
    TreeSystem,
    TreeTurn,
)
from statecore.state.codec import operation_form

READS = 5
"""How often a conversation is read that changes meanwhile, before it is given out as it was met."""


def tree_of(access: Access) -> Tree | TooLong:
    """Return the whole conversation as of now; twelve queries, more when it changes meanwhile."""
    count = whole_tree.count_turns(access.conversation.id)
    if count > whole_path.MAX_TURNS:
        return TooLong(count, whole_path.MAX_TURNS)
    before = whole_tree.newest_seq(access.conversation.id)
    found = _read(access, before)
    for _ in range(READS):
        after = whole_tree.newest_seq(access.conversation.id)
        if after == before:
            break
        # Between two queries something was said: what was read may not fit together.
        before = after
        found = _read(access, before)
    return found


def _read(access: Access, as_of: int) -> Tree:
    conversation, keys = access.conversation, access.keys
    rows = whole_tree.read_tree(conversation.id, keys)
    branches = whole_tree.read_branches(conversation.id)
    chosen = whole_tree.selected_branch(conversation.id, access.owner.user_id)
    shown = [branch.id for branch in branches if branch.archived_ms is None]
    systems = whole_tree.read_systems(
        conversation.id, keys, [row.row["accepted_seq"] for row in rows]
    )
    carried = read_carried(conversation.id, keys)
    return Tree(
        schema_version=TREE,
        conversation=_conversation(access),
        system=tuple(
            TreeSystem(**message_part(system.message), seq=system.seq) for system in systems
        ),
        branches=tuple(_branch(access, branch) for branch in branches),
        selected=str(chosen if chosen in shown else branches[0].id),
        turns=tuple(map(_turn, rows)),
        memory=_memory(access, as_of),
        contract_fields=carried.contract_fields,
        facts=carried.facts,
        tools=carried.tools,
        workflow=carried.workflow,
        request_meta=request_meta(access, [row.id for row in rows], carried.request_meta),
    )


def _conversation(access: Access) -> TreeConversation:
    row = access.conversation
    return TreeConversation(
        id=str(row.id),
        kind="research" if row.kind == "research" else "chat",
        title=conversations.title_of(row, access.keys) or None,
        created_ms=row.created_ms,
        updated_ms=row.updated_ms,
    )


def _branch(access: Access, branch: Branch) -> TreeBranch:
    is_main = branch.origin == Branch.Origin.MAIN
    return TreeBranch(
        id=str(branch.id),
        origin=branch.origin,  # type: ignore[arg-type]  # the column holds no other words
        name=whole_tree.name_of(branch, access.keys),
        parent_turn=_text(branch.parent_turn_id),
        left_branch=_text(branch.left_branch_id),
        tip=_text(branch.tip_id),
        redo_tip=_text(branch.redo_tip_id),
        created_seq=0 if is_main else branch.created_seq,
        created_ms=0 if is_main else branch.created_ms,
        archived_ms=branch.archived_ms,
        clock_ms=branch.clock_ms,
        clock_set_ms=branch.clock_set_ms,
    )


def _turn(turn: TreeRow) -> TreeTurn:
    return TreeTurn(
        **turn_part(turn.row),
        messages=tuple(ContractMessage(**message_part(message)) for message in turn.messages),
        parent=_text(turn.row["parent_id"]),
        branch=str(turn.row["branch_id"]),
        input_of=_text(turn.input_of),
    )


def _memory(access: Access, as_of: int) -> ContractMemory:
    conversation, keys = access.conversation, access.keys
    acts = operations.read_operations(
        conversation.id, keys, as_of=as_of, holds=lambda _turn, _seq: True
    )
    return ContractMemory(
        as_of=as_of,
        deltas=whole_path.read_all_deltas(conversation.id, keys, as_of=as_of),
        operations=tuple(map(operation_form, acts)),
    )


def _text(name: object) -> str | None:
    return None if name is None else str(name)
