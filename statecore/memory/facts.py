"""Long-term facts about a user, across conversations; a row is superseded, never overwritten."""

from dataclasses import dataclass
from typing import Literal

FactScope = Literal["user", "project", "team"]


@dataclass(frozen=True, slots=True)
class FactSource:
    """Where a fact was said."""

    conversation_id: str
    message_id: str
    start: int
    end: int
    """After the last character."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One version of a fact (slowly changing dimension, type 2)."""

    id: str
    category: str
    subject: str
    attribute: str
    content: str
    quote: str
    """As it was said."""
    sources: tuple[FactSource, ...]
    scope: FactScope
    created_ms: int
    last_confirmed_ms: int
    confidence: float
    """0 to 1, as of the last confirmation."""
    superseded_by: str | None = None
    """Id of the version that took its place."""
