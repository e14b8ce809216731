"""C is a pure function: the state and a model give one request, byte for byte.

`plan` does no I/O, reads no clock and draws no random number. Token counts are inputs; where
some are missing it answers `NeedCounts`. This is the simplest strategy, full history within the
window and a sliding window beyond it; the four tiers fill the same interface.
"""

from dataclasses import dataclass
from typing import Literal

from statecore.messages import Message, Role
from statecore.models import ModelSpec
from statecore.requests import Request
from statecore.templates import Template
from statecore.tokens import CountKey, Counts, Quality

PLANNER_VERSION = 1
"""Byte identity of a replay is promised within one version."""

Decision = Literal["kept", "digested", "moved_to_summary", "dropped", "injected"]
SegmentKind = Literal["system", "state_block", "message", "input", "gap"]


@dataclass(frozen=True, slots=True)
class PathTurn:
    """One committed turn of the path, oldest message first."""

    id: str
    depth: int
    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class State:
    """What one request is computed from."""

    system: Message | None
    """The system message in force; None uses the template's."""
    turns: tuple[PathTurn, ...]
    """The end of the path, oldest first; everything before it is `earlier_*`."""
    input: Message
    earlier_turns: int = 0
    earlier_tokens: int = 0
    """Upper bound in reference tokens of the turns before `turns`."""


@dataclass(frozen=True, slots=True)
class Previous:
    """What the plan of the turn before chose; damps jumps of the window."""

    tier: int
    window_start_depth: int
    window_tokens: int
    tokenizer: str
    template_hash: str


@dataclass(frozen=True, slots=True)
class Segment:
    """One part of a plan: what it is, where it comes from, what was decided and why."""

    kind: SegmentKind
    role: Role
    source_ids: tuple[str, ...]
    tokens: int
    quality: Quality
    decision: Decision
    reason: str
    """A code such as `within_window`; presenters translate it."""


@dataclass(frozen=True, slots=True)
class ContextPlan:
    """The request for one attempt and the account of how it came about."""

    request: Request
    segments: tuple[Segment, ...]
    tier: int
    window_start_depth: int
    """Depth of the first turn that is sent."""
    prompt_tokens: int
    quality: Quality
    rho_sent: float
    """Tokens of the request with the reply reserve / window."""
    rho_full: float
    """The same for the full history."""
    dropped_turns: int


@dataclass(frozen=True, slots=True)
class NeedCounts:
    """The plan needs these token counts first."""

    keys: tuple[CountKey, ...]


@dataclass(frozen=True, slots=True)
class DoesNotFit:
    """The fixed parts alone exceed the window; names the largest parts with their tokens."""

    largest: tuple[tuple[str, int], ...]
    needed_tokens: int
    window_tokens: int


def plan(
    state: State,
    model: ModelSpec,
    template: Template,
    counts: Counts,
    now_ms: int,
    previous: Previous | None,
) -> ContextPlan | NeedCounts | DoesNotFit:
    """Return the request for the next answer, or what is missing to compute it."""
    raise AssertionError("filled by the core helper")
