"""What the turns weigh that were not loaded: only their sums are known, in reference tokens."""

from statecore.context.given import Given
from statecore.context.occupancy import MESSAGE_OVERHEAD_TOKENS, Load


def earlier_load(given: Given) -> Load:
    """Return what the turns before those on offer take up in the model's own tokens.

    Where the model counts otherwise than the sums do, they are put into its tokens by what the
    turns on offer have in both.
    """
    state = given.state
    if not state.earlier_turns:
        return Load()
    # Two messages a turn is what a chat without tools has.
    overhead = MESSAGE_OVERHEAD_TOKENS * (state.earlier_messages or 2 * state.earlier_turns)
    tokens = state.earlier_tokens
    if state.earlier_quality != "exact" and state.turns_reference_tokens:
        tokens = round(tokens * _own_tokens(given) / state.turns_reference_tokens)
    return Load(tokens + overhead, tokens + overhead, state.earlier_quality)


def _own_tokens(given: Given) -> int:
    """Return the tokens of the texts of all turns on offer, as the model counts them."""
    sent = [p for turn in given.draft.turns for p in turn.pieces if p.decision != "dropped"]
    return given.scale.total(sent).tokens - MESSAGE_OVERHEAD_TOKENS * len(sent)
