"""The strategies that elastic compaction is compared with."""

from statecore.context.given import Given
from statecore.context.layout import Layout, Window, laid, window_from
from statecore.context.occupancy import REPLY_LOAD
from statecore.context.offering import Limits, Offer
from statecore.context.strategies import Strategy

SHORTENED = 2
"""What a baseline is shown as that leaves turns out."""


def full(given: Given) -> Layout | None:
    """Return the whole history; None when it does not fit."""
    used = given.least_tokens + sum(given.turn_tokens)
    if given.state.earlier_turns or used > given.budget_tokens:
        return None
    return _without_memory(given, window_from(given, 0))


def sliding(given: Given, strategy: Strategy) -> Layout:
    """Return the newest turns that stay within the limits of the strategy and the window."""
    room = given.budget_tokens - given.least_tokens
    tokens = messages = 0
    fixed_tokens = _fixed_tokens(given)
    start = len(given.draft.turns)
    for index in range(len(given.draft.turns) - 1, -1, -1):
        sent = [p for p in given.draft.turns[index].pieces if p.decision != "dropped"]
        room -= given.turn_tokens[index]
        messages += len(sent)
        tokens += given.scale.total(sent).tokens
        if room < 0 or _exceeds(messages, strategy.last_messages):
            break
        if _exceeds(tokens, strategy.last_tokens):
            break
        if _exceeds(fixed_tokens + tokens, strategy.prompt_tokens):
            break
        start = index
    return _without_memory(given, window_from(given, start))


def _fixed_tokens(given: Given) -> int:
    """Return the tokens, as they are counted, of what every request of a baseline holds."""
    held = () if given.held_piece is None else (given.held_piece,)
    return (given.scale.total((*given.draft.fixed(), *held)) + REPLY_LOAD).tokens


def _exceeds(found: int, limit: int | None) -> bool:
    return limit is not None and found > limit


def summary(given: Given) -> Layout:
    """Return the state block and the input, without any history."""
    window = window_from(given, len(given.draft.turns))
    room = given.budget_tokens - given.fixed_tokens
    tier = SHORTENED if given.draft.turns or given.state.earlier_turns else 0
    return laid(given, window, tier, room, gap_reason="summary_only")


def _without_memory(given: Given, window: Window) -> Layout:
    is_whole = window.start == 0 and not given.state.earlier_turns
    return Layout(
        tier=0 if is_whole else SHORTENED,
        start=window.start,
        start_depth=given.depth_at(window.start),
        history=window.history,
        shown=window.shown,
        offer=Offer(given.held),
        limits=Limits(given.held_tokens),
    )
