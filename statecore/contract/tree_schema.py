"""The tree: one document for a whole conversation, with all its branches and what waits on them."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field as Limits

from statecore.contract.schema import (
    LARGEST,
    ContractConversation,
    ContractMemory,
    ContractMessage,
    ContractTurn,
    Id,
    Number,
    Part,
    RequestMeta,
    Title,
)
from statecore.memory.contract_fields import ContractField
from statecore.memory.facts import Fact
from statecore.requests import ToolDefinition
from statecore.workflow.machine import WorkflowState

TreeVersion = Literal["glassbox.tree.1"]
TREE: TreeVersion = "glassbox.tree.1"

Origin = Literal["main", "edit", "regenerate", "candidate", "fork", "rollback"]


class TreeConversation(ContractConversation):
    """The conversation, and when it was held."""

    created_ms: Number | None = None
    updated_ms: Number | None = None
    """Null takes the time at which it comes in."""


class TreeSystem(ContractMessage):
    """A system message, and from when on it was in force."""

    seq: Annotated[int, Limits(ge=-1, le=LARGEST)]
    """Lower than that of the first turn that it was in force for; -1 is before all others."""


class TreeTurn(ContractTurn):
    """One turn with its place in the tree."""

    parent: Id | None = None
    """The turn that it follows; null at the root."""
    branch: Id
    """The branch on which it was accepted."""
    input_of: Id | None = None
    """The turn whose input it answers again; null where the input is its own."""
    messages: tuple[ContractMessage, ...] = ()
    """The input first, where it is its own."""


class TreeBranch(Part):
    """One divergence: a reference to a turn; nothing of the path is repeated."""

    id: Id
    origin: Origin
    name: Title | None = None
    """Null for what no person has named."""
    parent_turn: Id | None = None
    """The turn after which it left; null at the root."""
    left_branch: Id | None = None
    """The branch that was looked at when it was made; null for the main line."""
    tip: Id | None = None
    """The newest committed turn; null before the first."""
    redo_tip: Id | None = None
    """The tip before a rollback that can be redone."""
    created_seq: Number = 0
    created_ms: Number = 0
    """Both are zero for the main line."""
    archived_ms: Number | None = None
    clock_ms: Number | None = None
    """Branch time when the tip was last come back to, or left."""
    clock_set_ms: Number | None = None
    """Wall time at which branch time went on from there; null while it stands still."""


class Tree(Part):
    """The whole of a conversation."""

    schema_version: TreeVersion
    conversation: TreeConversation
    system: tuple[TreeSystem, ...] = ()
    """By seq; the last one is in force."""
    branches: Annotated[tuple[TreeBranch, ...], Limits(min_length=1)]
    """The main line first, then by the seq at which they were made."""
    selected: Id
    """The branch that is looked at."""
    turns: tuple[TreeTurn, ...] = ()
    """By the seq at which they were accepted, so that a parent comes before its children."""
    memory: ContractMemory = ContractMemory()
    """Of all branches; without a readable part, which every branch has its own of."""
    contract_fields: tuple[ContractField, ...] = ()
    facts: tuple[Fact, ...] = ()
    tools: tuple[ToolDefinition, ...] = ()
    workflow: WorkflowState | None = None
    request_meta: RequestMeta = RequestMeta()

    def inputs(self) -> Mapping[str, ContractMessage]:
        """Return the input of every turn, by its id."""
        own = {turn.id: turn.messages[0] for turn in self.turns if turn.input_of is None}
        shared = {turn.id: own[turn.input_of] for turn in self.turns if turn.input_of is not None}
        return own | shared

    def messages(self) -> tuple[ContractMessage, ...]:
        """Return all messages, system messages first."""
        spoken = (message for turn in self.turns for message in turn.messages)
        return (*self.system, *spoken)

    def seqs(self) -> frozenset[int]:
        """Return the seqs of all that has happened, as far as the tree tells."""
        found = {branch.created_seq for branch in self.branches if branch.origin != "main"}
        found |= {message.seq for message in self.system}
        for turn in self.turns:
            found |= {turn.accepted_seq} | (
                {turn.committed_seq or 0} if turn.is_committed else set()
            )
        found |= {delta.seq for delta in self.memory.deltas}
        found |= {operation.seq for operation in self.memory.operations}
        return frozenset(found | {field.seq for field in self.contract_fields})
