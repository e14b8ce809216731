"""What a plan can come to: a request with its account, counts that are missing, or too much."""

from dataclasses import dataclass

from statecore.context.anchors import Anchor
from statecore.context.policy import PolicyName
from statecore.context.segments import Segment, Sent
from statecore.context.selection import LeftOut, Selected
from statecore.context.strategies import StrategyName
from statecore.requests import Request
from statecore.tokens import CountKey, Quality


@dataclass(frozen=True, slots=True)
class ContextPlan:
    """The request for one attempt and the account of how it came about."""

    request: Request
    segments: tuple[Segment, ...]
    tier: int
    """What the model sees: 0 everything, 1 shortened messages, 2 a window of turns, 3 the last
    resort. A baseline that leaves turns out is shown as 2."""
    window_start_depth: int
    """Depth of the first turn that is sent."""
    prompt_tokens: int
    quality: Quality
    rho_sent: float
    """Tokens of the request with the reply reserve / window."""
    rho_full: float
    """The same for the full history."""
    dropped_turns: int
    sent: tuple[Sent, ...] = ()
    """Where each message of the request comes from, in the same order."""
    selected: tuple[Selected, ...] = ()
    """What the request gives back beside its history, and where: contract fields, then the settled
    notes, then the state block in the order of rank."""
    left_out: tuple[LeftOut, ...] = ()
    """What memory holds and the notes do not."""
    strategy: StrategyName = "elastic"
    policy: PolicyName = "four tiers"
    raw_tier: int = 0
    """The tier that `rho_full` alone would mean."""
    judged_depth: int = 0
    """In tier 1: the depth down to which it was judged what is still referred to; else 0."""
    tried: tuple[tuple[int, float], ...] = ()
    """Each tier that was tried, the mildest first, with the occupancy of its plan at most."""
    settled: tuple[str, ...] = ()
    """Ids of the entries in the settled notes, in their order."""
    anchors: tuple[Anchor, ...] = ()
    """Old messages that the block quotes, because the input points at them."""


@dataclass(frozen=True, slots=True)
class NeedCounts:
    """The plan needs these token counts first."""

    keys: tuple[CountKey, ...]
    """System, input, then the turns from the oldest to the newest; each once. Shortened texts and
    the state block follow in later rounds."""
    texts: tuple[str, ...] = ()
    """What is to be counted for each key."""


@dataclass(frozen=True, slots=True)
class DoesNotFit:
    """What is never cut exceeds the window by itself."""

    largest: tuple[tuple[str, int], ...]
    """Up to three of `system_prompt`, `contract_fields`, `tool_definitions`, `workflow_values`,
    `current_input`, `reply_reserve` with their tokens; `history` where the strategy never cuts
    that either."""
    needed_tokens: int
    """With the margins of estimated counts and the reply reserve; decides that it does not fit."""
    window_tokens: int
    prompt_tokens: int = 0
    """Of the request that there cannot be, as counted."""
    quality: Quality = "estimated"
    """Of `prompt_tokens`: the worst among its counts."""
