"""What one plan is computed from: the state, and what the plan of the turn before chose."""

from dataclasses import dataclass

from statecore.messages import Message
from statecore.state.fold import EMPTY, Memory


@dataclass(frozen=True, slots=True)
class PathTurn:
    """One committed turn of the path, oldest message first."""

    id: str
    depth: int
    messages: tuple[Message, ...]
    is_learned: bool = True
    """Whether memory holds what it taught; until then it should stand in the window."""


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
