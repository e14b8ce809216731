"""Puts a request and its account together from a layout and the notes that were filled for it."""

from collections.abc import Iterator, Sequence

from statecore.context import render, state_block
from statecore.context.block_text import written
from statecore.context.earlier import earlier_load
from statecore.context.elastic import TriedTiers
from statecore.context.given import Given
from statecore.context.layout import Layout
from statecore.context.noting import Notes
from statecore.context.occupancy import REPLY_LOAD, Load, rho
from statecore.context.outcomes import ContextPlan
from statecore.context.policy import policy_of, raw_tier
from statecore.context.segments import Decision, Piece, Segment, Sent
from statecore.context.selection import LeftOut, Selected
from statecore.context.strategies import Strategy

_WITH_MEMORY = frozenset({"elastic", "summary"})


def assembled(
    given: Given, layout: Layout, notes: Notes, strategy: Strategy, tried: TriedTiers
) -> ContextPlan:
    """Return the plan; everything in it has been counted.

    Args:
        given: the state.
        layout: what of it is sent.
        notes: what stands in front of the history, and in front of the input.
        strategy: how the layout was made.
        tried: the tiers that were tried for it.
    """
    state, model, draft, scale = given.state, given.model, given.draft, given.scale
    dropped = draft.turns[: layout.start]
    front = (*draft.lead.pieces(), *notes.settled.pieces())
    pieces = (*front, *layout.history, *notes.current.pieces(), draft.input)
    request, sent = render.request(pieces, state, model)
    load = scale.total(pieces) + REPLY_LOAD
    lost = earlier_load(given) + scale.total(piece for turn in dropped for piece in turn.pieces)
    hidden_tokens = lost.tokens + _shortened_tokens(given, layout)
    full_tokens = load.tokens + hidden_tokens
    if hidden_tokens:
        # Notes stand for what is hidden: the full history has it twice with them.
        full_tokens -= scale.total(notes.pieces).tokens
    segments = [render.segment(piece, scale.load(piece)) for piece in pieces]
    dropped_turns = state.earlier_turns + len(dropped)
    if dropped_turns:
        segments.insert(len(front), _gap(given, layout, lost, strategy))
    policy = policy_of(model)
    rho_full = rho(full_tokens, model)
    return ContextPlan(
        request=request,
        segments=tuple(segments),
        tier=layout.tier,
        window_start_depth=layout.start_depth,
        prompt_tokens=load.tokens,
        quality=load.quality,
        rho_sent=rho(load.tokens, model),
        rho_full=rho_full,
        dropped_turns=dropped_turns,
        sent=sent,
        selected=(*draft.lead.selected, *_selected(notes, sent)),
        left_out=_left_out(given, layout, notes, strategy),
        strategy=strategy.name,
        policy=policy.name,
        raw_tier=raw_tier(rho_full, policy, given.tuning),
        judged_depth=layout.judged_depth,
        tried=tried,
        settled=tuple(item.id for item in notes.settled.chosen),
        anchors=tuple(a for a in layout.anchors if _is_inside(a.message_id, notes)),
    )


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
        layout.start_depth,
        decision,
        layout.gap_reason,
    )


def _selected(notes: Notes, sent: Sequence[Sent]) -> Iterator[Selected]:
    blocks = (index for index, origin in enumerate(sent) if origin.kind == "state_block")
    filled = (filling for filling in (notes.settled, notes.current) if filling.piece is not None)
    for message, filling in zip(blocks, filled, strict=True):
        places = written(filling.chosen, filling.notes).places
        for item, (start, end) in zip(filling.chosen, places, strict=True):
            yield item.selected._replace(message=message, start=start, end=end)


def _left_out(
    given: Given, layout: Layout, notes: Notes, strategy: Strategy
) -> tuple[LeftOut, ...]:
    if strategy.name not in _WITH_MEMORY:
        return state_block.left_out(given.state, (), (), layout.shown)
    return state_block.left_out(given.state, layout.offer.all(), notes.chosen, layout.shown)


def _is_inside(message_id: str, notes: Notes) -> bool:
    return any(item.id == f"anchor:{message_id}" for item in notes.current.chosen)
