"""C is a pure function: the state and a model give one request, byte for byte.

`plan` does no I/O, reads no clock and draws no random number. Token counts are inputs; where
some are missing it answers `NeedCounts`. This is the simplest strategy, full history within the
window and a sliding window beyond it; the four tiers fill the same interface.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from statecore.context import render
from statecore.context.counting import loads_by_id, missing_counts, total
from statecore.context.occupancy import (
    MESSAGE_OVERHEAD_TOKENS,
    REPLY_LOAD,
    Load,
    budget_tokens,
    rho,
)
from statecore.context.render import Draft
from statecore.context.segments import Decision, Reason, Segment, SegmentKind, Sent
from statecore.context.state import PathTurn, Previous, State
from statecore.context.window import kept_start, window_start
from statecore.models import ModelSpec
from statecore.requests import Request
from statecore.templates import Template
from statecore.tokens import CountKey, Counts, Quality

__all__ = [
    "PLANNER_VERSION",
    "ContextPlan",
    "Decision",
    "DoesNotFit",
    "NeedCounts",
    "PathTurn",
    "Previous",
    "Reason",
    "Segment",
    "SegmentKind",
    "Sent",
    "State",
    "plan",
]

PLANNER_VERSION = 1
"""Byte identity of a replay is promised within one version."""


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
    sent: tuple[Sent, ...] = ()
    """Where each message of the request comes from, in the same order."""


@dataclass(frozen=True, slots=True)
class NeedCounts:
    """The plan needs these token counts first."""

    keys: tuple[CountKey, ...]
    """System, input, then the turns from the oldest to the newest; each once."""
    texts: tuple[str, ...] = ()
    """What is to be counted for each key."""


@dataclass(frozen=True, slots=True)
class DoesNotFit:
    """What is never cut exceeds the window by itself."""

    largest: tuple[tuple[str, int], ...]
    """Up to three of `system_prompt`, `current_input`, `reply_reserve` with their tokens."""
    needed_tokens: int
    window_tokens: int


def plan(
    state: State,
    model: ModelSpec,
    template: Template,
    counts: Counts,
    now_ms: int,  # noqa: ARG001  # the expiry of session fields will be judged by it
    previous: Previous | None,
) -> ContextPlan | NeedCounts | DoesNotFit:
    """Return the request for the next answer, or what is missing to compute it.

    The system prompt and the input are never cut. The history is sent whole while it fits;
    beyond that whole turns are left out from the oldest on.

    Args:
        state: the path and the input.
        model: whose window and tokenizer count.
        template: the texts that surround the conversation.
        counts: token counts, all under the tokenizer of the model.
        now_ms: when the turn was accepted; a part of the interface that no rule reads yet.
        previous: what the plan of the turn before chose; None at the first.
    """
    draft = render.draft(state, model, template)
    missing = missing_counts(draft.pieces(), model, counts)
    if missing:
        return NeedCounts(tuple(missing), tuple(missing.values()))
    loads = loads_by_id(draft.pieces(), model, counts)
    fixed = total(draft.fixed(), loads) + REPLY_LOAD
    budget = budget_tokens(model)
    if fixed.guarded_tokens > budget:
        return _does_not_fit(draft, loads, fixed, model)
    start = window_start(
        [total(turn.pieces, loads).guarded_tokens for turn in draft.turns],
        budget - fixed.guarded_tokens,
        budget,
        whole_history=state.earlier_turns == 0,
        kept_start=kept_start(state, model, template, previous),
    )
    return _assembled(draft, loads, start, state, model)


def _does_not_fit(
    draft: Draft, loads: Mapping[str, Load], fixed: Load, model: ModelSpec
) -> DoesNotFit:
    parts: list[tuple[str, int]] = [
        (piece.reason, loads[piece.count_id].guarded_tokens) for piece in draft.fixed()
    ]
    parts.append(("reply_reserve", model.reply_reserve_tokens))
    parts.sort(key=lambda part: -part[1])
    return DoesNotFit(
        largest=tuple(parts[:3]),
        needed_tokens=fixed.guarded_tokens + model.reply_reserve_tokens,
        window_tokens=model.window_tokens,
    )


def _assembled(
    draft: Draft, loads: Mapping[str, Load], start: int, state: State, model: ModelSpec
) -> ContextPlan:
    dropped = draft.turns[:start]
    dropped_turns = state.earlier_turns + len(dropped)
    window = tuple(render.windowed(draft.turns[start:], whole_history=not dropped_turns))
    pieces = (*draft.leading(), *window, draft.input)
    start_depth = draft.turns[start].depth if start < len(draft.turns) else state.input_depth
    lost = _earlier(state) + total((p for turn in dropped for p in turn.pieces), loads)
    request, sent = render.request(pieces, model)
    load = total(pieces, loads) + REPLY_LOAD
    segments = [render.segment(piece, loads[piece.count_id]) for piece in pieces]
    if dropped_turns:
        gap = render.gap(tuple(turn.id for turn in dropped), lost, start_depth)
        segments.insert(len(draft.leading()), gap)
    return ContextPlan(
        request=request,
        segments=tuple(segments),
        tier=0 if not dropped_turns else 2,
        window_start_depth=start_depth,
        prompt_tokens=load.tokens,
        quality=load.quality,
        rho_sent=rho(load.tokens, model),
        rho_full=rho(load.tokens + lost.tokens, model),
        dropped_turns=dropped_turns,
        sent=sent,
    )


def _earlier(state: State) -> Load:
    if not state.earlier_turns:
        return Load()
    # Two messages a turn is what a chat without tools has.
    overhead = 2 * state.earlier_turns * MESSAGE_OVERHEAD_TOKENS
    tokens = state.earlier_tokens + overhead
    return Load(tokens, tokens, "estimated")
