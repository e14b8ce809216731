"""Where the window starts: it moves in steps, so that consecutive requests share their start."""

from collections.abc import Sequence
from itertools import accumulate

from statecore.context.state import Previous, State
from statecore.models import ModelSpec
from statecore.templates import Template

STEP_DIVISOR = 4
"""A step frees at least one part in four of the budget."""


def window_start(
    turn_tokens: Sequence[int],
    room_tokens: int,
    budget_tokens: int,
    *,
    whole_history: bool,
    kept_start: int | None,
) -> int:
    """Return the index of the first turn to send; the number of turns when none is sent.

    Args:
        turn_tokens: guarded tokens of each turn on offer, oldest first.
        room_tokens: the budget less what is always sent.
        budget_tokens: the whole budget, of which a step frees a part.
        whole_history: whether the turns on offer begin at the root.
        kept_start: index at which the plan before started, when it still counts.
    """
    from_here = [*accumulate(reversed(turn_tokens), initial=0)][::-1]
    if whole_history and from_here[0] <= room_tokens:
        return 0
    if kept_start is not None and from_here[kept_start] <= room_tokens:
        return kept_start
    after_step = room_tokens - -(-budget_tokens // STEP_DIVISOR)
    start = _first_within(from_here, after_step)
    if start == len(turn_tokens):
        # A step that drops every turn is no use: then whatever fits is sent.
        return _first_within(from_here, room_tokens)
    return start


def _first_within(from_here: Sequence[int], limit_tokens: int) -> int:
    fitting = (i for i, tokens in enumerate(from_here) if tokens <= limit_tokens)
    return next(fitting, len(from_here) - 1)


def kept_start(
    state: State, model: ModelSpec, template: Template, previous: Previous | None
) -> int | None:
    """Return the index at which the plan before started, or None when it says nothing here.

    It counts only for the same window, tokenizer and template, and while its turn is on offer.
    """
    if previous is None or previous.window_tokens != model.window_tokens:
        return None
    if (previous.tokenizer, previous.template_hash) != (model.tokenizer, template.hash):
        return None
    depths = [turn.depth for turn in state.turns]
    depths.append(state.input_depth)
    start = previous.window_start_depth
    return depths.index(start) if start in depths else None
