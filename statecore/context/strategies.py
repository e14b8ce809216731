"""Strategies: how a context is made of a path; elastic compaction, and what it is compared with."""

from dataclasses import dataclass
from typing import Literal

StrategyName = Literal["elastic", "full", "sliding", "summary"]
"""elastic: the four tiers; full: the whole history or nothing; sliding: the last messages or
tokens without memory; summary: the state block and the input, without history."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """One strategy with its settings."""

    name: StrategyName = "elastic"
    last_messages: int | None = None
    """For sliding: how many messages; None for no such limit."""
    last_tokens: int | None = None
    """For sliding: how many tokens of history; None for what fits."""
    prompt_tokens: int | None = None
    """For sliding: how many tokens the whole request may have; None for what fits."""


ELASTIC = Strategy()
