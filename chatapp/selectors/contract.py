"""Reads the whole state of one branch as a contract."""

from collections.abc import Sequence
from dataclasses import dataclass

from chatapp.access import Access
from chatapp.selectors.contract_parts import message_part, request_meta, turn_part
from chatapp.store import conversations, operations
from chatapp.store.branches import viewed_branch
from chatapp.store.carried import read_carried
from chatapp.store.whole_path import (
    MAX_TURNS,
    WholeTurn,
    cut_at,
    read_deltas,
    read_system,
    read_turns,
)
from statecore.contract.schema import (
    CURRENT,
    Contract,
    ContractConversation,
    ContractMemory,
    ContractMessage,
    ContractTurn,
)
from statecore.contract.tree_paths import carried_on, settled
from statecore.state.codec import operation_form


@dataclass(frozen=True, slots=True)
class TooLong:
    """A path has more turns than a state may have."""

    turns: int
    limit: int


def contract_of(access: Access) -> Contract | TooLong:
    """Return the state at the end of the branch that is looked at, as of now; eight queries."""
    branch = viewed_branch(access)
    tip, depth = branch.tip_id, 0 if branch.tip is None else branch.tip.depth
    if depth > MAX_TURNS:
        return TooLong(depth, MAX_TURNS)
    conversation, keys = access.conversation, access.keys
    as_of = branch.conversation.last_seq
    turns = read_turns(conversation.id, tip, keys, as_of=as_of, branch_id=branch.id)
    system = read_system(conversation.id, keys, as_of=as_of)
    told = tuple(map(_turn, turns))
    carried = carried_on(read_carried(conversation.id, keys), told)
    return Contract(
        schema_version=CURRENT,
        conversation=_conversation(access),
        system=None if system is None else ContractMessage(**message_part(system)),
        turns=told,
        memory=_memory(access, turns, as_of),
        contract_fields=carried.contract_fields,
        facts=carried.facts,
        tools=carried.tools,
        workflow=carried.workflow,
        request_meta=request_meta(access, [turn.id for turn in turns], carried.request_meta),
    )


def _conversation(access: Access) -> ContractConversation:
    row = access.conversation
    return ContractConversation(
        id=str(row.id),
        kind="research" if row.kind == "research" else "chat",
        title=conversations.title_of(row, access.keys) or None,
    )


def _turn(turn: WholeTurn) -> ContractTurn:
    said = tuple(ContractMessage(**message_part(message)) for message in turn.messages)
    return ContractTurn(**turn_part(turn.row), messages=said)


def _memory(access: Access, turns: Sequence[WholeTurn], as_of: int) -> ContractMemory:
    conversation, keys = access.conversation, access.keys
    on_path = {str(turn.id) for turn in turns if turn.row["status"] == "committed"}
    found = operations.read_operations(
        conversation.id, keys, as_of=as_of, holds=cut_at(turns).holds
    )
    return ContractMemory(
        as_of=as_of,
        deltas=read_deltas(conversation.id, turns, keys, as_of=as_of),
        operations=tuple(operation_form(act) for act in settled(found, on_path)),
    )
