"""How full a window is: what messages cost, what may be spent, and rho."""

import math
from dataclasses import dataclass

from statecore.models import ModelSpec
from statecore.tokens import Count, Quality

MESSAGE_OVERHEAD_TOKENS = 5
"""Role and delimiters of one message; ChatML and Llama 3 spend five, the OpenAI models four."""

REPLY_OVERHEAD_TOKENS = 3
"""What opens the reply."""

ESTIMATE_MARGIN = 1 / 16
"""An estimated count may be this much too low before a request grows over its budget."""

_RANK: dict[Quality, int] = {"exact": 0, "reported": 1, "estimated": 2}


@dataclass(frozen=True, slots=True)
class Load:
    """What some messages take up in a window."""

    tokens: int = 0
    """As counted, with overheads."""
    guarded_tokens: int = 0
    """With the margin of estimated counts; decides what fits."""
    quality: Quality = "exact"
    """The worst among the counts."""

    def __add__(self, other: "Load") -> "Load":
        is_worse = _RANK[other.quality] > _RANK[self.quality]
        return Load(
            self.tokens + other.tokens,
            self.guarded_tokens + other.guarded_tokens,
            other.quality if is_worse else self.quality,
        )


REPLY_LOAD = Load(REPLY_OVERHEAD_TOKENS, REPLY_OVERHEAD_TOKENS)


def message_load(count: Count) -> Load:
    """Return what one counted message takes up."""
    tokens = count.tokens + MESSAGE_OVERHEAD_TOKENS
    margin = math.ceil(tokens * ESTIMATE_MARGIN) if count.quality == "estimated" else 0
    return Load(tokens, tokens + margin, count.quality)


def text_tokens(text_tokens: int) -> int:
    """Return what a text of this size takes up as a message, however badly it is counted."""
    return message_load(Count(text_tokens, "estimated")).guarded_tokens


def text_room_tokens(room_tokens: int) -> int:
    """Return the most that a text may have so that it fits, however badly it is counted."""
    return int(room_tokens / (1 + ESTIMATE_MARGIN)) - MESSAGE_OVERHEAD_TOKENS


def budget_tokens(model: ModelSpec) -> int:
    """Return what a prompt may take up: the window less the reply reserve."""
    return model.window_tokens - model.reply_reserve_tokens


def rho(prompt_tokens: int, model: ModelSpec) -> float:
    """Return the occupancy: prompt and reply reserve over the window."""
    return (prompt_tokens + model.reply_reserve_tokens) / model.window_tokens
