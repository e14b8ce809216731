"""Names what is too large where a request cannot be made."""

from collections.abc import Iterator

from statecore.context.earlier import earlier_load
from statecore.context.filling import estimate
from statecore.context.given import Given
from statecore.context.occupancy import REPLY_LOAD
from statecore.context.outcomes import DoesNotFit

NAMED = 3


def does_not_fit(given: Given, *, with_history: bool = False) -> DoesNotFit:
    """Return the largest parts of what is never cut.

    Args:
        given: what is too large for its window.
        with_history: whether the strategy never cuts the history either.
    """
    held = () if given.held_piece is None else (given.held_piece,)
    load = given.scale.total((*given.draft.fixed(), *held)) + REPLY_LOAD
    history_tokens = 0
    if with_history:
        earlier = earlier_load(given)
        pieces = (piece for turn in given.draft.turns for piece in turn.pieces)
        load += given.scale.total(pieces) + earlier
        history_tokens = sum(given.turn_tokens) + earlier.guarded_tokens
    parts = [part for part in (*_parts(given), ("history", history_tokens)) if part[1] > 0]
    parts.sort(key=lambda part: -part[1])
    return DoesNotFit(
        largest=tuple(parts[:NAMED]),
        needed_tokens=given.least_tokens + given.model.reply_reserve_tokens + history_tokens,
        window_tokens=given.model.window_tokens,
        prompt_tokens=load.tokens,
        quality=load.quality,
    )


def _parts(given: Given) -> Iterator[tuple[str, int]]:
    scale, lead = given.scale, given.draft.lead
    if lead.system is not None:
        whole = scale.guarded_tokens([lead.system])
        contract = _share(lead.system.content.text, lead.contract_start) if lead.selected else 0.0
        contract_tokens = round(whole * contract)
        yield "system_prompt", whole - contract_tokens
        yield "contract_fields", contract_tokens
    if lead.tools is not None:
        yield "tool_definitions", scale.guarded_tokens([lead.tools])
    if given.held_piece is not None:
        yield "workflow_values", scale.guarded_tokens([given.held_piece])
    yield "current_input", scale.guarded_tokens([given.draft.input])
    yield "reply_reserve", given.model.reply_reserve_tokens


def _share(text: str, start: int) -> float:
    """Return the part of a text's tokens that stand behind an offset."""
    return estimate(text[start:]) / max(1, estimate(text))
