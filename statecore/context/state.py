"""What one plan is computed from: the state, and what the plan of the turn before chose."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from statecore.memory.contract_fields import ContractField
from statecore.memory.facts import Fact
from statecore.messages import Message
from statecore.requests import ToolDefinition
from statecore.state.fold import EMPTY, Memory
from statecore.tokens import Quality
from statecore.workflow.machine import WorkflowState


@dataclass(frozen=True, slots=True)
class PathTurn:
    """One committed turn of the path, oldest message first."""

    id: str
    depth: int
    messages: tuple[Message, ...]
    is_learned: bool = True
    """Whether memory holds what it taught; until then it should stand in the window."""


@dataclass(frozen=True, slots=True)
class OlderMessage:
    """A message before the loaded turns: the input may point at it, or nobody has read it yet."""

    turn_id: str
    depth: int
    message: Message
    read_for: tuple[int, ...] = ()
    """Where the phrases of the input begin that it was read for; none: memory has not learned its
    turn, and sentences of it stand in for what memory would have."""


@dataclass(frozen=True, slots=True)
class State:
    """What one request is computed from."""

    system: Message | None
    """The system message in force; None uses the template's."""
    turns: tuple[PathTurn, ...]
    """The end of the path, oldest first; everything before it is `earlier_*`."""
    input: Message
    earlier_turns: int = 0
    """Turns before `turns` that were not loaded, because they cannot fit."""
    earlier_tokens: int = 0
    """Upper bound in reference tokens of the turns before `turns`."""
    memory: Memory = EMPTY
    """What is remembered, as of the moment of the plan."""
    branch_now_ms: int = 0
    """Branch time of the input; session fields expire by it."""
    last_turn_ms: int = 0
    """Branch time of the turn before; 0 at the first."""
    earlier_messages: int = 0
    """Messages of the turns before `turns`."""
    earlier_quality: Quality = "estimated"
    """Of `earlier_tokens` as tokens of the model that is asked."""
    turns_reference_tokens: int = 0
    """Reference tokens of `turns`; 0 where nobody knows."""
    older: tuple[OlderMessage, ...] = ()
    """Of the turns before `turns`, oldest first: what the input may point at."""
    contract: tuple[ContractField, ...] = ()
    """Contract fields in force, by key; they are never cut."""
    tools: tuple[ToolDefinition, ...] = ()
    """Tools that the model may call."""
    facts: tuple[Fact, ...] = ()
    """Long-term facts for this turn, in the order of rank."""
    workflow: WorkflowState | None = None
    """Where the conversation stands; the critical values that it holds are never cut."""

    @property
    def input_depth(self) -> int:
        """Depth of the turn that the input opens."""
        return (self.turns[-1].depth if self.turns else self.earlier_turns) + 1


@dataclass(frozen=True, slots=True)
class Previous:
    """What the plan of the turn before chose; damps jumps of the window."""

    tier: int
    window_start_depth: int
    window_tokens: int
    tokenizer: str
    template_hash: str
    judged_depth: int = 0
    """In tier 1: the depth down to which it was judged what is still referred to; else 0."""
    settled: tuple[str, ...] = ()
    """Ids of the entries in the settled notes, in their order."""


def previous_in(document: Mapping[str, Any]) -> Previous:
    """Return what a plan chose, from JSON data that may hold more and may be of an older planner.

    Raises:
        TypeError: when something is missing that every plan chooses.
    """
    known = Previous.__dataclass_fields__.keys() & document.keys()
    chosen = {name: document[name] for name in known}
    return Previous(**chosen | {"settled": tuple(document.get("settled", ()))})
