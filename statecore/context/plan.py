"""C is a pure function: the state and a model give one request, byte for byte.

`plan` does no I/O, reads no clock and draws no random number. Token counts are inputs; where
some are missing it answers `NeedCounts`, and once more for the text of the state block. This is
the simplest strategy, full history within the window and a sliding window beyond it; the four
tiers fill the same interface.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from statecore.context import render
from statecore.context.counting import loads_by_id, missing_counts, total
from statecore.context.layout import Laid, Offer, laid, offer_of, room_of
from statecore.context.occupancy import (
    MESSAGE_OVERHEAD_TOKENS,
    REPLY_LOAD,
    Load,
    budget_tokens,
    rho,
)
from statecore.context.render import Draft
from statecore.context.segments import Decision, Reason, Segment, SegmentKind, Sent
from statecore.context.selection import LeftOut, Selected
from statecore.context.state import PathTurn, Previous, State
from statecore.context.window import kept_start
from statecore.models import ModelSpec
from statecore.requests import Request
from statecore.templates import Template
from statecore.tokens import CountKey, Counts, Quality

__all__ = [
    "PLANNER_VERSION",
    "ContextPlan",
    "Decision",
    "DoesNotFit",
    "LeftOut",
    "NeedCounts",
    "PathTurn",
    "Planner",
    "Previous",
    "Reason",
    "Segment",
    "SegmentKind",
    "Selected",
    "Sent",
    "State",
    "plan",
]

PLANNER_VERSION = 2
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
    selected: tuple[Selected, ...] = ()
    """What the state block gives back from memory, in the order of rank."""
    left_out: tuple[LeftOut, ...] = ()
    """What memory holds and the block does not."""


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
    now_ms: int,  # noqa: ARG001  # session fields expire by branch time, which the state holds
    previous: Previous | None,
) -> ContextPlan | NeedCounts | DoesNotFit:
    """Return the request for the next answer, or what is missing to compute it.

    The system prompt and the input are never cut. The history is sent whole while it fits;
    beyond that whole turns are left out from the oldest on, and the state block says what memory
    holds of them.

    Args:
        state: the path and the input.
        model: whose window and tokenizer count.
        template: the texts that surround the conversation.
        counts: token counts, all under the tokenizer of the model.
        now_ms: when the attempt is made; a part of the interface that no rule reads yet.
        previous: what the plan of the turn before chose; None at the first.
    """
    return Planner(state, model, template, previous).plan(counts)


class Planner:
    """A plan in the making: what the count of its block does not change is worked out once."""

    def __init__(
        self, state: State, model: ModelSpec, template: Template, previous: Previous | None
    ) -> None:
        """Arguments as those of `plan`."""
        self._state = state
        self._model = model
        self._template = template
        self._previous = previous
        self._draft = render.draft(state, model, template)
        self._loads: Mapping[str, Load] = {}
        self._offer: Offer | None = None

    def plan(self, counts: Counts) -> ContextPlan | NeedCounts | DoesNotFit:
        """Return what `plan` would.

        Args:
            counts: all that the call before had, and what it asked for.
        """
        offer = self._offer or self._offered(counts)
        if not isinstance(offer, Offer):
            return offer
        self._offer = offer
        found = laid(offer, self._state, self._model, self._template, counts)
        loads = self._loads
        if found.block is not None:
            if missing := missing_counts([found.block], self._model, counts):
                return _needed(missing)
            loads = {**loads, **loads_by_id([found.block], self._model, counts)}
        return _assembled(self._draft, loads, found, self._state, self._model)

    def _offered(self, counts: Counts) -> Offer | NeedCounts | DoesNotFit:
        draft, state, model, template = self._draft, self._state, self._model, self._template
        if missing := missing_counts(draft.pieces(), model, counts):
            return _needed(missing)
        self._loads = loads = loads_by_id(draft.pieces(), model, counts)
        fixed = total(draft.fixed(), loads) + REPLY_LOAD
        if fixed.guarded_tokens > budget_tokens(model):
            return _does_not_fit(draft, loads, fixed, model)
        kept = kept_start(state, model, template, self._previous)
        room = room_of(draft, loads, fixed.guarded_tokens, budget_tokens(model), kept)
        return offer_of(draft, room, state, model, template)


def _needed(missing: Mapping[CountKey, str]) -> NeedCounts:
    return NeedCounts(tuple(missing), tuple(missing.values()))


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
    draft: Draft, loads: Mapping[str, Load], found: Laid, state: State, model: ModelSpec
) -> ContextPlan:
    start = found.start
    dropped = draft.turns[:start]
    dropped_turns = state.earlier_turns + len(dropped)
    block = () if found.block is None else (found.block,)
    pieces = (*draft.leading(), *found.window, *block, draft.input)
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
        selected=found.selected,
        left_out=found.left_out,
    )


def _earlier(state: State) -> Load:
    if not state.earlier_turns:
        return Load()
    # Two messages a turn is what a chat without tools has.
    overhead = 2 * state.earlier_turns * MESSAGE_OVERHEAD_TOKENS
    tokens = state.earlier_tokens + overhead
    return Load(tokens, tokens, "estimated")
