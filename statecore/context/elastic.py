"""Elastic compaction: the mildest tier whose own plan stays inside its bound."""

from dataclasses import replace

from statecore.context.given import Given
from statecore.context.layout import Layout
from statecore.context.noting import Notes
from statecore.context.occupancy import rho
from statecore.context.policy import bound_tokens, policy_of
from statecore.context.tiers import BUILDERS, full
from statecore.context.window import WINDOW_TIER

TriedTiers = tuple[tuple[int, float], ...]
"""Each tier that was tried, the mildest first, with the occupancy of its plan at most."""


def elastic(given: Given) -> tuple[Layout, TriedTiers]:
    """Return the layout of the mildest tier that fits, and the tiers that were tried.

    Args:
        given: a state of which the parts that are never cut fit into the window.

    Raises:
        CountsMissing: where a tier needs counts of shortened texts first.
    """
    tried: list[tuple[int, float]] = []
    for tier in policy_of(given.model).tiers:
        # Turns are only left unloaded where they cannot be sent, not even shortened.
        if tier < WINDOW_TIER and given.state.earlier_turns:
            continue
        bound = bound_tokens(tier, given.model, given.previous, given.tuning)
        used, layout = BUILDERS[tier](given, bound)
        tried.append((tier, rho(used, given.model)))
        if layout is not None:
            return _named(given, layout), tuple(tried)
    raise AssertionError("The last resort fits whatever is in it.")


def without_loss(given: Given, layout: Layout, notes: Notes) -> Layout:
    """Return a layout, or that of the full history where this one would not be smaller.

    Args:
        given: the state.
        layout: of the mildest tier that fits.
        notes: that stand in it for what is hidden; counted.
    """
    if layout.is_whole and not given.state.earlier_turns:
        return layout
    if given.state.earlier_turns or notes_gain(given, layout, notes) > 0:
        return layout
    _, whole = full(given, given.budget_tokens)
    return layout if whole is None else whole


def notes_gain(given: Given, layout: Layout, notes: Notes) -> int:
    """Return by how many tokens a request is smaller than with all that it hides word for word."""
    scale = given.scale
    dropped = (piece for turn in given.draft.turns[: layout.start] for piece in turn.pieces)
    hidden = scale.total(dropped).tokens
    for piece in layout.history:
        if piece.decision == "digested":
            whole = given.pieces[piece.source_ids[0]]
            hidden += scale.load(whole).tokens - scale.load(piece).tokens
    return hidden - scale.total(notes.pieces).tokens


def _named(given: Given, layout: Layout) -> Layout:
    """Return a layout under the tier that the model sees: where nothing is left out, that is 0."""
    if layout.is_whole and not given.state.earlier_turns:
        return replace(layout, tier=0)
    return layout
