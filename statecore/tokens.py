"""Token counts and budgets; a count always says where it comes from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

Quality = Literal["exact", "reported", "estimated"]
"""exact: the model's own tokenizer; reported: by the provider; estimated: another tokenizer."""

Form = Literal["full", "digest"]
"""full: the message verbatim; digest: its shortened form in tier 1."""


class CountKey(NamedTuple):
    """Names one token count that a plan needs."""

    message_id: str
    tokenizer: str
    form: Form = "full"


@dataclass(frozen=True, slots=True)
class Count:
    """A number of tokens and its origin."""

    tokens: int
    quality: Quality


Counts = Mapping[CountKey, Count]
