"""What selectors hand to presenters: plain values, no queries left to run."""

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal, NotRequired, TypedDict
from uuid import UUID

from chatapp.selectors.siblings import ALONE, Siblings
from chatapp.store.lines import Line
from statecore.context.segments import Decision, SegmentKind
from statecore.context.selection import AnchorReason, Group, LeftOutReason, SelectedReason
from statecore.context.strategies import StrategyName
from statecore.messages import Role
from statecore.routing.windows import LearnedWindow
from statecore.tokens import Quality
from statecore.turns import AttemptStatus, TurnStatus


class SegmentRow(TypedDict):
    """One part of a request, as the plan accounted for it; no text."""

    kind: SegmentKind
    role: Role
    source_ids: list[str]
    tokens: int
    quality: Quality
    decision: Decision
    reason: NotRequired[str]
    depth: NotRequired[int]


class SelectedRow(TypedDict):
    """One thing of memory that a request gave back to the model."""

    id: str
    """Id of the entry or fact, or `field:<key>`, `waiting:<turn id>`, `workflow:<key>`,
    `contract:<key>`, `anchor:<message id>`."""
    group: Group
    reason: SelectedReason
    message: NotRequired[int]
    """Index of the message of the request that it stands in; -1 where that was not kept."""
    start: NotRequired[int]
    """Offset in the text of that message."""
    end: NotRequired[int]
    """After the last character."""


class LeftOutRow(TypedDict):
    """One thing of memory that a request did not repeat, and why."""

    id: str
    reason: LeftOutReason


class AnchorRow(TypedDict):
    """An old message that the input points at, as the plan found it."""

    message_id: str
    turn_id: str
    depth: int
    role: Role
    reason: AnchorReason
    start: int
    """Offset of the part that is meant, in the text of the message."""
    end: int
    """After the last character."""
    pointer_start: int
    """Offset of the phrase that points, in the input."""
    pointer_end: int
    """After the last character."""


class MissingRow(TypedDict):
    """A correction, a refusal, a rule or an exact value that was said and is not in the request."""

    entry_id: str
    kind: Literal["correction", "refusal", "rule", "value", "unread"]
    is_active: bool
    """False when it has been replaced, is paused or done."""
    turns: NotRequired[int]
    """Of unread turns; plans of older versions do not say."""


@dataclass(frozen=True, slots=True)
class ConversationRow:
    """One line of the list of conversations."""

    id: UUID
    title: str | None
    """None until it is named; the list then shows a general name."""
    updated_ms: int
    running: bool
    """An answer is being written in it."""


@dataclass(frozen=True, slots=True)
class AttemptRow:
    """One model call made for a turn."""

    id: UUID
    ordinal: int
    """Counts the attempts of the turn from 1."""
    status: AttemptStatus
    reason: str
    """Failure reason code; empty when there is none."""
    model_name: str
    started_ms: int
    first_token_ms: int | None
    """Milliseconds from the start to the first token; None when none came."""
    ended_ms: int | None
    prompt_tokens: int | None
    cached_tokens: int | None
    """Included in `prompt_tokens`; None when the provider does not say."""
    completion_tokens: int | None
    prompt_quality: Quality | Literal[""]
    completion_quality: Quality | Literal[""]
    finish: str
    window_tokens: int
    segments: list[SegmentRow]
    """Empty where they were not asked for."""
    rho_sent: float | None
    """Tokens of the request with the reply reserve / window."""
    rho_full: float | None
    """The same for the full history."""
    dropped_turns: int
    cost_usd: Decimal | None
    """None when no price is known, which is not zero."""
    output_text: str | None
    """Partial text of an attempt that did not become the answer."""
    detail: str | None
    """The provider's error text."""
    selected: list[SelectedRow]
    """What the state block held, in its order; empty where there was none."""
    left_out: list[LeftOutRow]
    tier: int | None = None
    """Of the request; None for attempts of which it was not kept."""
    raw_tier: int | None = None
    """What the occupancy of the full history alone would mean."""
    policy: str = ""
    """How the window's size decides which tiers there are; empty where it was not kept."""
    strategy: StrategyName = "elastic"
    window_start_depth: int | None = None
    """Depth of the first turn that is sent."""
    verbatim_depth: int | None = None
    """Depth of the first turn from which on every message is sent word for word."""
    planned_tokens: int | None = None
    """Tokens of the request as planned; `prompt_tokens` is what the provider reported if it did."""
    planned_quality: Quality | Literal[""] = ""
    tier_before: int | None = None
    """Of the newest attempt of the turn before; None at the first turn."""
    tokens_before: int | None = None
    """Planned tokens of that attempt."""
    tried: tuple[tuple[int, float], ...] = ()
    """Each tier that was tried, the mildest first, with the occupancy of its plan."""
    learned: LearnedWindow | None = None
    """The window that it was planned for, where that is not the model's own."""
    anchors: list[AnchorRow] = field(default_factory=list)
    missing: list[MissingRow] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class TurnRow:
    """One user input and what came of it."""

    id: UUID
    parent_id: UUID | None
    depth: int
    status: TurnStatus
    finish: str
    """`complete`, `stopped` or `length` once committed; else empty."""
    reason: str
    """Failure reason code; empty when there is none."""
    model_name: str
    accepted_ms: int
    committed_ms: int | None
    input_text: str
    answer_text: str | None
    partial_text: str | None
    """What was written before the turn broke off or so far."""
    attempts: tuple[AttemptRow, ...]
    """Oldest first."""
    seen: bool
    """False for a failed or interrupted side leaf after which something else was written."""
    branch_id: UUID | None = None
    """The branch that it was written on; None where nobody asked."""
    line: Line | None = None
    """That branch, where it is another one than that of the turn above."""
    siblings: Siblings = ALONE
    thumb: int = 0
    """What the reader thinks of the answer: 1 up, -1 down, 0 nothing said."""


@dataclass(frozen=True, slots=True)
class RolledBack:
    """A branch whose newest turns are left behind and can be come back to."""

    depth: int
    """Of the turn that is the newest now."""
    kept: int
    """How many turns come back with a redo."""


@dataclass(frozen=True, slots=True)
class ConversationPage:
    """One conversation with the newest turns of the branch that is looked at."""

    id: UUID
    title: str | None
    branch_id: UUID
    branch_version: int
    model_name: str
    turns: tuple[TurnRow, ...]
    """Oldest first."""
    older_before: UUID | None
    """The turn to ask older turns before; None when there are none."""
    running_turn: UUID | None
    verbatim_depth: int | None = None
    """Depth of the first turn from which on the newest request holds every message word for word;
    None before the first request."""
    tip_id: UUID | None = None
    """The newest committed turn; None before the first."""
    line: Line | None = None
    """What the branch is called; None where nobody asked."""
    is_archived: bool = False
    rolled_back: RolledBack | None = None
    """None where nothing was left behind."""
    fork_limit: int | None = None
    """How deep named branches may be nested, where that is reached; else None."""


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """One model of the registry with the state of its server."""

    name: str
    ready: bool
    state: str
    """`downloading`, `starting`, `ready`, `failed` or `stopped`."""
    detail: str
    """One sentence about the state."""
    expect: str
    """One honest sentence about what to expect of its answers."""
    window_tokens: int
    local: bool
    progress: float | None
    """Share of the download from 0.0 to 1.0; None when there is nothing to measure."""
    selected: bool
