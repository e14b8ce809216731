"""Contract fields: how every model is to answer, whichever it is; they travel with the state."""

from dataclasses import dataclass
from typing import Literal

from statecore.memory.ledger import Author, Span

ContractKey = Literal["locale", "tone", "response_format", "prohibitions", "safety_mode", "channel"]


@dataclass(frozen=True, slots=True)
class ContractField:
    """One contract field as of a moment."""

    key: ContractKey
    value: str
    setter: Author
    seq: int
    """Seq of the operation that set it."""
    source: Span | None = None
    """The sentence that set it; None when a person did by hand."""
