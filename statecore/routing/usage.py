"""What a request cost, as providers say it in their several ways, in one form."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class UsageSeen:
    """Tokens as the provider counts them; where it says so more than once, the last holds."""

    prompt: int
    """All input, whether it was computed or came from a cache."""
    completion: int
    cached: int | None
    """Prompt tokens that were not computed again; None when the provider does not say."""


def usage_seen(usage: Mapping[str, Any], *, cached_apart: bool = False) -> UsageSeen:
    """Return what a provider reported.

    Where the input is `prompt_tokens`, cached tokens stand inside it (OpenAI, DeepSeek, Moonshot,
    llama.cpp). Where it is `input_tokens`, they stand inside when details name them (OpenAI's
    responses), and beside it as read from and written to the cache (Anthropic).

    Args:
        usage: the provider's object.
        cached_apart: that this server leaves cached tokens out of `prompt_tokens`, which nothing
            in its answer tells.

    Raises:
        ValueError, TypeError, AttributeError, OverflowError: when it is no such object.
    """
    completion = _first(usage, "completion_tokens", "output_tokens") or 0
    cached = _included(usage)
    read = _first(usage, "cache_read_input_tokens")
    prompt = _first(usage, "prompt_tokens")
    if prompt is not None:
        cached = read if cached is None else cached
        # More from the cache than there was in all can only have been left out of it.
        if cached is not None and (cached_apart or cached > prompt):
            prompt += cached
        return UsageSeen(prompt, completion, cached)
    prompt = _first(usage, "input_tokens") or 0
    if cached is None and read is not None:
        prompt += read + (_first(usage, "cache_creation_input_tokens") or 0)
        cached = read
    return UsageSeen(prompt, completion, cached)


def timed_usage(timings: Mapping[str, Any]) -> UsageSeen:
    """Return what llama.cpp says beside its times: what it computed, and what it had kept.

    Raises:
        ValueError, TypeError, OverflowError: when it is no such object.
    """
    computed, kept = _first(timings, "prompt_n"), _first(timings, "cache_n")
    return UsageSeen((computed or 0) + (kept or 0), _first(timings, "predicted_n") or 0, kept)


def _included(usage: Mapping[str, Any]) -> int | None:
    for name in ("prompt_tokens_details", "input_tokens_details"):
        cached = (usage.get(name) or {}).get("cached_tokens")
        if cached is not None:
            return int(cached)
    return _first(usage, "prompt_cache_hit_tokens", "cached_tokens")


def _first(usage: Mapping[str, Any], *names: str) -> int | None:
    return next((int(usage[name]) for name in names if usage.get(name) is not None), None)
