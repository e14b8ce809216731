"""Versioned prompt templates; the caller hands in their text."""

import hashlib
from dataclasses import dataclass
from typing import Literal

TemplatePart = Literal["system", "stopped_empty", "no_text", "cancelled_tool"]


@dataclass(frozen=True, slots=True)
class Template:
    """One version of the texts that surround a conversation in a request."""

    name: str
    version: int
    system: str
    """Used when the conversation has no system message of its own; empty sends none."""
    stopped_empty: str
    """Stands for an assistant answer that was stopped before any text."""
    no_text: str = "(no text was returned)"
    """Stands for an assistant answer that ended by itself without any text."""
    cancelled_tool: str = "cancelled by the user"
    """Stands for the result of a tool call that never got one."""

    @property
    def hash(self) -> str:
        """SHA-256 over name, version and texts, in hexadecimal."""
        parts = (
            self.name,
            str(self.version),
            self.system,
            self.stopped_empty,
            self.no_text,
            self.cancelled_tool,
        )
        return hashlib.sha256("\x00".join(parts).encode()).hexdigest()

    def count_id(self, part: TemplatePart) -> str:
        """Return what stands for the message id in the count key of one of the texts."""
        return f"template:{self.hash}:{part}"
