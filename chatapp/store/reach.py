"""How far back a plan reads: the running sums of a path tell which tiers it cannot have."""

from dataclasses import dataclass
from typing import Final

from chatapp.store.turns import REFERENCE_TOKENIZER
from statecore.context.occupancy import MESSAGE_OVERHEAD_TOKENS
from statecore.context.policy import policy_of
from statecore.context.state import Previous
from statecore.context.tuning import USUAL
from statecore.models import ModelSpec
from statecore.tree import Sums

DENSEST: Final = 1.5
"""Reference tokens that a token of another tokenizer may stand for: some need fewer for a text."""

LEAST_TURNS: Final = 7
"""Two more than a window always holds."""

MAX_TURNS: Final = 4_000
"""A bound for one walk; a window that holds more turns than this does not exist."""

FULL_TIER, DIGEST_TIER = 0, 1

_EVERYTHING: Final = 1 << 60


@dataclass(frozen=True, slots=True)
class Reach:
    """How far back a path is read, in reference tokens with the overhead of each message."""

    budget_tokens: int
    """Older turns are read while the turns after them hold no more."""
    overhead_tokens: int
    """Of one message."""
    least_turns: int = LEAST_TURNS
    """So many are read while the turns after them hold no more than the next field says."""
    limit_tokens: int = 0
    down_to_depth: int = 0
    """Turns down to here are read while the turns after them hold no more than the next field."""
    down_limit_tokens: int = 0
    has_digests: bool = False
    """Whether a plan may ask for the tokens of digests."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a model takes, as far as it decides what is read."""

    window_tokens: int
    tokenizer: str
    has_digests: bool
    """Whether its window is so large that messages are shortened one by one."""
    calibration: float = 1.0
    """Factor that estimated counts are multiplied with."""

    @property
    def is_reference(self) -> bool:
        """Whether its tokens are those of the sums."""
        return self.tokenizer == REFERENCE_TOKENIZER

    @property
    def reference_tokens(self) -> float:
        """How many reference tokens one token may stand for."""
        if self.is_reference:
            return 1.0
        return DENSEST / min(self.calibration, 1.0)


def asked_by(model: ModelSpec, calibration: float = 1.0) -> Asked:
    """Return what a model takes."""
    has_digests = DIGEST_TIER in policy_of(model).tiers
    return Asked(model.window_tokens, model.tokenizer, has_digests, calibration)


def reach(
    sums: Sums,
    asked: Asked,
    *,
    kept_depth: int | None = None,
    waiting_depth: int | None = None,
) -> Reach:
    """Return how far back to read a path.

    The whole of it where it may be sent whole, word for word or as digests: its sums are counted
    at the least that it can have in the model's own tokens, so nothing is missed. Otherwise as
    much as a window can hold.

    Args:
        sums: of the newest turn of the path.
        asked: by the model.
        kept_depth: where the window of the plan before began; None where that says nothing.
        waiting_depth: of the oldest turn that memory has not learned; None when it has all.
    """
    overhead_tokens = int(MESSAGE_OVERHEAD_TOKENS * asked.reference_tokens)
    window_tokens = asked.window_tokens * asked.reference_tokens
    messages_tokens = sums.messages * overhead_tokens
    may_be_full = sums.reference_tokens + messages_tokens <= window_tokens * _share(FULL_TIER)
    may_be_digests = asked.has_digests and (
        sums.digest_tokens + messages_tokens <= window_tokens * _share(DIGEST_TIER)
    )
    if may_be_full or may_be_digests:
        return Reach(_EVERYTHING, overhead_tokens, has_digests=asked.has_digests)
    # The window shows what waits as far as it can, and the notes quote as much again.
    windows = 1 if waiting_depth is None else 2
    depths = [depth for depth in (kept_depth, waiting_depth) if depth is not None]
    return Reach(
        budget_tokens=int(window_tokens * USUAL.settled / 100),
        overhead_tokens=overhead_tokens,
        limit_tokens=int(window_tokens),
        down_to_depth=min(depths, default=_EVERYTHING),
        down_limit_tokens=int(window_tokens * windows),
    )


def _share(tier: int) -> float:
    return USUAL.bound_percent(tier) / 100


def whole_window(asked: Asked) -> Reach:
    """Return as much as a window can hold, for plans that fill it to the brim."""
    overhead_tokens = int(MESSAGE_OVERHEAD_TOKENS * asked.reference_tokens)
    limit_tokens = int(asked.window_tokens * asked.reference_tokens)
    return Reach(limit_tokens, overhead_tokens)


def window_depth(previous: Previous | None, asked: Asked) -> int | None:
    """Return where the window of the plan before began; None when that says nothing here."""
    if previous is None:
        return None
    before = (previous.window_tokens, previous.tokenizer)
    return previous.window_start_depth if before == (asked.window_tokens, asked.tokenizer) else None
