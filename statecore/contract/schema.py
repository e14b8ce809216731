"""The contract: one schema in which the whole state of a conversation is stored and moved.

`CURRENT` is the version that is written; `document` reads it and upgrades what is older. Memory
stands in it as deltas and operations, because the fold of them is what a plan uses; what they
come to (`summary`, `session`) is there for readers and is only compared on the way in.
"""

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict
from pydantic import Field as Limits

from statecore.memory.contract_fields import ContractField
from statecore.memory.facts import Fact
from statecore.memory.ledger import Entry
from statecore.memory.session import Field
from statecore.messages import Finish, Message, ToolCall
from statecore.requests import ToolDefinition
from statecore.state.codec import OperationForm, operation_of
from statecore.state.fold import Memory, fold
from statecore.state.operations import Delta, Operation
from statecore.turns import TurnStatus
from statecore.workflow.machine import WorkflowState

Version = Literal["glassbox.state.3"]
CURRENT: Version = "glassbox.state.3"

LARGEST = 2**53 - 1
"""The largest number that every reader of JSON keeps exactly."""

TITLE_CHARACTERS = 200
ID_CHARACTERS = 200
NAME_CHARACTERS = 200


def _storable(text: str) -> str:
    if "\0" in text:
        raise ValueError("holds a null character, which no message may hold")
    return text


Number = Annotated[int, Limits(ge=0, le=LARGEST)]
Text = Annotated[str, AfterValidator(_storable)]
Id = Annotated[str, Limits(min_length=1, max_length=ID_CHARACTERS), AfterValidator(_storable)]
Name = Annotated[str, Limits(max_length=NAME_CHARACTERS), AfterValidator(_storable)]
Title = Annotated[str, Limits(min_length=1, max_length=TITLE_CHARACTERS), AfterValidator(_storable)]


class Part(BaseModel):
    """What all parts share: nothing is guessed, nothing unknown is passed over."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class ContractMessage(Part):
    """One message as it was said."""

    id: Id
    role: Literal["system", "user", "assistant", "tool"]
    text: Text
    created_ms: Number
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    """For role tool: the call that this result answers."""

    def message(self, finish: Finish = "complete") -> Message:
        """Return the message of the core.

        Args:
            finish: of its turn; it is that of the assistant's words.
        """
        return Message(
            id=self.id,
            role=self.role,
            text=self.text,
            created_ms=self.created_ms,
            tool_calls=self.tool_calls,
            tool_call_id=self.tool_call_id,
            finish=finish if self.role == "assistant" else "complete",
        )


class ContractTurn(Part):
    """One user input and what came of it."""

    id: Id
    depth: Annotated[int, Limits(ge=1, le=LARGEST)]
    status: TurnStatus
    """Only the last turn may be other than committed: its input waits for an answer."""
    messages: Annotated[tuple[ContractMessage, ...], Limits(min_length=1)]
    """The input first."""
    accepted_seq: Number
    accepted_ms: Number
    branch_ms: Number
    """Branch time of the input."""
    finish: Finish | None = None
    """How the answer ended; null until it is committed."""
    committed_seq: Number | None = None
    committed_ms: Number | None = None
    model: Name = ""
    """The model that was chosen for it; empty when nobody knows."""

    @property
    def is_committed(self) -> bool:
        """Whether it is on the path."""
        return self.status == "committed"

    def said(self) -> tuple[Message, ...]:
        """Return its messages."""
        return tuple(message.message(self.finish or "complete") for message in self.messages)


class ContractMemory(Part):
    """What the turns taught and what people did about it."""

    as_of: Number = 0
    """No delta and no operation has a later seq."""
    deltas: tuple[Delta, ...] = ()
    """By seq, at most one a turn."""
    operations: tuple[OperationForm, ...] = ()
    """By seq: those of the path, and those that hold on all branches."""
    summary: tuple[Entry, ...] | None = None
    """The entries that deltas and operations come to, without deleted ones; for readers."""
    session: tuple[Field, ...] | None = None
    """The session fields that they come to, without removed ones; for readers."""

    def acts(self) -> tuple[Operation, ...]:
        """Return the operations.

        Raises:
            InvalidInput: when one of them has not exactly one action.
        """
        return tuple(
            operation_of(form, f"memory → operations {number} → action")
            for number, form in enumerate(self.operations, start=1)
        )

    def folded(self) -> Memory:
        """Return what they come to."""
        return fold(self.deltas, self.acts(), as_of=self.as_of)


class ContractConversation(Part):
    """The conversation that the state is of."""

    id: Id
    kind: Literal["chat", "research"] = "chat"
    title: Title | None = None


class AttemptMeta(Part):
    """One model call that was made for a turn."""

    turn_id: Id
    ordinal: Number
    model: Name
    status: Name = ""
    reason: Name = ""
    """Failure reason code; empty when there is none."""
    tier: Number | None = None
    started_ms: Number | None = None
    window_tokens: Number | None = None
    prompt_tokens: Number | None = None
    completion_tokens: Number | None = None


class RequestMeta(Part):
    """How requests were made: about the state, never in a prompt, never in the state hash."""

    model: Name = ""
    """The model that is chosen for the next turn."""
    template: Name = ""
    strategy: Name = ""
    attempts: tuple[AttemptMeta, ...] = ()
    marks: dict[Name, Annotated[Text, Limits(max_length=2_000)]] = {}
    """Further labels of whoever wrote the file."""


class Contract(Part):
    """The whole state of a conversation at the end of one path."""

    schema_version: Version
    conversation: ContractConversation
    system: ContractMessage | None = None
    """The system message in force; null uses the template's."""
    turns: tuple[ContractTurn, ...] = ()
    """From the first turn to the newest."""
    memory: ContractMemory = ContractMemory()
    contract_fields: tuple[ContractField, ...] = ()
    facts: tuple[Fact, ...] = ()
    tools: tuple[ToolDefinition, ...] = ()
    workflow: WorkflowState | None = None
    request_meta: RequestMeta = RequestMeta()

    def messages(self) -> tuple[ContractMessage, ...]:
        """Return all messages, the system message first."""
        spoken = (message for turn in self.turns for message in turn.messages)
        return (*(() if self.system is None else (self.system,)), *spoken)

    def seqs(self) -> frozenset[int]:
        """Return the seqs of all that has happened, as far as the contract tells."""
        turns = {seq for turn in self.turns for seq in (turn.accepted_seq, turn.committed_seq)}
        deltas = {delta.seq for delta in self.memory.deltas}
        acts = {operation.seq for operation in self.memory.operations}
        fields = {field.seq for field in self.contract_fields}
        return frozenset(seq for seq in turns | deltas | acts | fields if seq is not None)
