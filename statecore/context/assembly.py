"""Puts a request and its account together from a layout and the block that was filled for it."""

from collections.abc import Iterator

from statecore.context import render, state_block
from statecore.context.block_text import written
from statecore.context.elastic import TriedTiers
from statecore.context.filling import Filling
from statecore.context.given import Given
from statecore.context.layout import Layout
from statecore.context.occupancy import MESSAGE_OVERHEAD_TOKENS, REPLY_LOAD, Load, rho
from statecore.context.outcomes import ContextPlan
from statecore.context.policy import policy_of, raw_tier
from statecore.context.segments import Decision, Piece, Segment
from statecore.context.selection import LeftOut, Selected
from statecore.context.state import State
from statecore.context.strategies import Strategy
from statecore.requests import Request

_WITH_MEMORY = frozenset({"elastic", "summary"})


def assembled(
    given: Given, layout: Layout, filling: Filling, strategy: Strategy, tried: TriedTiers
) -> ContextPlan:
    """Return the plan; everything in it has been counted.

    Args:
        given: the state.
        layout: what of it is sent.
        filling: what the state block holds.
        strategy: how the layout was made.
        tried: the tiers that were tried for it.
    """
    state, model, draft, scale = given.state, given.model, given.draft, given.scale
    dropped = draft.turns[: layout.start]
    block = () if filling.piece is None else (filling.piece,)
    pieces = (*draft.lead.pieces(), *layout.history, *block, draft.input)
    request, sent = render.request(pieces, state, model)
    load = scale.total(pieces) + REPLY_LOAD
    lost = _earlier(state) + scale.total(piece for turn in dropped for piece in turn.pieces)
    hidden_tokens = lost.tokens + _shortened_tokens(given, layout)
    full_tokens = load.tokens + hidden_tokens
    if hidden_tokens and filling.piece is not None:
        # Notes stand for what is hidden: the full history has it twice with them.
        full_tokens -= scale.load(filling.piece).tokens
    segments = [render.segment(piece, scale.load(piece)) for piece in pieces]
    dropped_turns = state.earlier_turns + len(dropped)
    if dropped_turns:
        segments.insert(len(draft.lead.pieces()), _gap(given, layout, lost, strategy))
    policy = policy_of(model)
    rho_full = rho(full_tokens, model)
    return ContextPlan(
        request=request,
        segments=tuple(segments),
        tier=layout.tier,
        window_start_depth=_start_depth(given, layout),
        prompt_tokens=load.tokens,
        quality=load.quality,
        rho_sent=rho(load.tokens, model),
        rho_full=rho_full,
        dropped_turns=dropped_turns,
        sent=sent,
        selected=(*draft.lead.selected, *_selected(given, filling, request)),
        left_out=_left_out(given, layout, filling, strategy),
        strategy=strategy.name,
        policy=policy.name,
        raw_tier=raw_tier(rho_full, policy),
        judged_depth=layout.judged_depth,
        tried=tried,
        anchors=tuple(a for a in layout.anchors if _is_inside(a.message_id, filling)),
    )


def _start_depth(given: Given, layout: Layout) -> int:
    turns = given.draft.turns
    return turns[layout.start].depth if layout.start < len(turns) else given.state.input_depth


def _shortened_tokens(given: Given, layout: Layout) -> int:
    """Return the tokens that digests have saved."""
    scale = given.scale
    shorter: Iterator[Piece] = (p for p in layout.history if p.decision == "digested")
    return sum(
        scale.load(given.pieces[piece.source_ids[0]]).tokens - scale.load(piece).tokens
        for piece in shorter
    )


def _gap(given: Given, layout: Layout, lost: Load, strategy: Strategy) -> Segment:
    turns = given.state.turns[: layout.start]
    is_told = strategy.name in _WITH_MEMORY and all(turn.is_learned for turn in turns)
    decision: Decision = "moved_to_summary" if is_told else "dropped"
    return render.gap(
        tuple(turn.id for turn in turns),
        lost,
        _start_depth(given, layout),
        decision,
        layout.gap_reason,
    )


def _selected(given: Given, filling: Filling, request: Request) -> Iterator[Selected]:
    if filling.piece is None:
        return
    # The block stands right in front of the input.
    message = len(request.messages) - 2
    places = written(filling.chosen, given.template.notes).places
    for item, (start, end) in zip(filling.chosen, places, strict=True):
        yield item.selected._replace(message=message, start=start, end=end)


def _left_out(
    given: Given, layout: Layout, filling: Filling, strategy: Strategy
) -> tuple[LeftOut, ...]:
    if strategy.name not in _WITH_MEMORY:
        return state_block.left_out(given.state, (), (), layout.shown)
    return state_block.left_out(given.state, layout.offer.all(), filling.chosen, layout.shown)


def _is_inside(message_id: str, filling: Filling) -> bool:
    return any(item.id == f"anchor:{message_id}" for item in filling.chosen)


def _earlier(state: State) -> Load:
    if not state.earlier_turns:
        return Load()
    # Two messages a turn is what a chat without tools has.
    messages = state.earlier_messages or 2 * state.earlier_turns
    tokens = state.earlier_tokens + messages * MESSAGE_OVERHEAD_TOKENS
    return Load(tokens, tokens, "estimated")
