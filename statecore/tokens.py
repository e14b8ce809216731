"""Token counts and budgets; a count always says where it comes from."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil
from typing import Final, Literal, NamedTuple

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

Factors = Mapping[str, float]
"""By script: what an estimate is multiplied with for one model; 1.0 where there is none."""

MAX_FACTOR: Final = 8.0
MIN_FACTOR: Final = 0.4
"""A vocabulary that knows a script well may need so much less than the estimate."""
MIN_FACTORS: Final[Factors] = {"latin": 0.9}
"""One script has languages that cost very different numbers of tokens: the next message may be in
another one, so little is taken off."""
DOMINANT_SHARE: Final = 0.9
"""A figure that is too high is charged to a script that has so much of a request, or to none."""
STEP_DOWN: Final = 0.5
"""Share of the way that a factor goes down after one answer; it goes up at once."""


def calibrated(count: Count, factor: float) -> Count:
    """Return an estimated count multiplied with a factor; any other count as it is."""
    if count.quality != "estimated" or factor == 1.0:
        return count
    return Count(ceil(count.tokens * factor), count.quality)


def factors_after(
    factors: Factors, tokens_by_script: Mapping[str, int], planned_tokens: int, reported_tokens: int
) -> dict[str, float]:
    """Return the factors after a provider has said how many tokens a request had.

    Too low is the dangerous side: all scripts of the request go up at once and by the whole
    ratio. What was too high comes down in steps, and only for the script that it was.

    Args:
        factors: that the request was planned with.
        tokens_by_script: how its estimate is shared out; only the proportions count.
        planned_tokens: of the request, as it was estimated with these factors.
        reported_tokens: of the same request, by the provider.
    """
    after = dict(factors)
    total = sum(tokens_by_script.values())
    if planned_tokens <= 0 or reported_tokens <= 0 or total <= 0:
        return after
    ratio = reported_tokens / planned_tokens
    if ratio >= 1:
        for script in tokens_by_script:
            after[script] = min(MAX_FACTOR, factors.get(script, 1.0) * ratio)
        return after
    script, most = max(tokens_by_script.items(), key=lambda item: item[1])
    if most < DOMINANT_SHARE * total:
        return after
    factor = factors.get(script, 1.0)
    # The rest of the request is taken for right: the whole error is that of this script.
    own = most / total
    aim = factor * max(0.0, ratio - (1 - own)) / own
    stepped = factor + STEP_DOWN * (aim - factor)
    after[script] = max(MIN_FACTORS.get(script, MIN_FACTOR), stepped)
    return after
