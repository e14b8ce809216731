"""Versioned prompt templates; the caller hands in their text."""

import hashlib
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Template:
    """One version of the texts that surround a conversation in a request."""

    name: str
    version: int
    system: str
    """Used when the conversation has no system message of its own."""
    stopped_empty: str
    """Stands for an assistant answer that was stopped before any text."""

    @property
    def hash(self) -> str:
        """SHA-256 over name, version and texts, in hexadecimal."""
        parts = (self.name, str(self.version), self.system, self.stopped_empty)
        return hashlib.sha256("\x00".join(parts).encode()).hexdigest()
