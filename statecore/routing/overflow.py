"""What a provider says when a request was too long, and the smaller window to plan for then."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from statecore.models import ModelSpec

MESSAGE_CHARACTERS = 2_000
"""How much of a provider's message is searched."""

UNTOLD_SHARE = 0.75
"""Of the window, and of what was sent, when the provider names no limit."""

TOLD_SHARE = 0.98
"""Of a limit that was told: servers add a few tokens of their own to each message."""

MAX_REPLY_SHARE = 0.25
"""Of a small window that the answer may claim."""

_N: Final = r"(\d{1,3}(?:[,_]\d{3})+|\d+)"
_CHECKED: Final = re.IGNORECASE | re.DOTALL


def _patterns(*lines: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(line.replace("N", _N), _CHECKED) for line in lines)


_WINDOW: Final = _patterns(
    r"\bn_ctx\b[^\d]{0,6}N",
    r"exceed context limit: \d+ \+ \d+ > N",
    r"(?:context|model) (?:length|window|size|limit)[^\d]{0,40}?N",
    r"N[ -]*(?:tokens? )?(?:maximum|max)\.? context",
    r"model token limit[^\d]{0,10}N",
    r"must be <= ?N",
    r"(?:上下文|контекст)[^\d]{0,30}?N",
)
"""A limit of input and answer together."""

_PROMPT_LIMIT: Final = _patterns(
    r"\d+ tokens? > N (?:token )?max",
    r"maximum number of (?:input )?tokens allowed[^\d]{0,10}N",
    r"maximum prompt length[^\d]{0,10}N",
    r"input length should be \[\d+, ?N\]",
    r"in the prompt cannot exceed N",
    r"must have less than N tokens",
)
"""A limit of the input alone."""

_PROMPT: Final = _patterns(
    r"\(N in (?:the|your) (?:messages|prompt)",
    r"\(N of text input",
    r"N tokens from the input",
    r"messages resulted in N",
    r"prompt is too long: N",
    r"input token count \(N\)",
    r"(?:request|input|prompt) ?\((?:length )?N(?: tokens)?\)",
    r"(?:request|prompt) (?:has|contains) N",
    r"exceed context limit: N \+ \d+ >",
    r"given: N",
    r"received N",
    r"\bn_keep\b[^\d]{0,6}N",
    r"\bn_prompt_tokens\b[^\d]{0,6}N",
)
"""What the provider counts as input."""

_TOTAL: Final = _patterns(r"requested(?: a total of)?(?: about)?:? N")
"""What it counts as input and wished answer together."""


@dataclass(frozen=True, slots=True)
class ToldLimits:
    """What a provider's sentence says of lengths, in its own tokens; None where it says nothing."""

    window_tokens: int | None = None
    """What input and answer may have together."""
    prompt_limit_tokens: int | None = None
    """What the input alone may have."""
    prompt_tokens: int | None = None
    """What it counted as input of the request."""
    total_tokens: int | None = None
    """What it counted as input and wished answer."""


def told_limits(text: str) -> ToldLimits:
    """Return what a provider's words about a request that was too long say of lengths."""
    text = text[:MESSAGE_CHARACTERS]
    prompt_limit = _number(_PROMPT_LIMIT, text)
    return ToldLimits(
        window_tokens=_number(_WINDOW, text) if prompt_limit is None else None,
        prompt_limit_tokens=prompt_limit,
        prompt_tokens=_number(_PROMPT, text),
        total_tokens=_number(_TOTAL, text),
    )


def _number(patterns: Sequence[re.Pattern[str]], text: str) -> int | None:
    for pattern in patterns:
        if found := pattern.search(text):
            # A number of a hundred digits is no number of tokens.
            digits = re.sub(r"\D", "", found.group(1))[:12]
            return int(digits) or None
    return None


def shrunk(model: ModelSpec, told: ToldLimits, sent_tokens: int) -> ModelSpec:
    """Return the model with a window for which the request is planned once more.

    A limit that was told counts in the provider's tokens: where it also says how many it counted,
    that is set against our own count. The result is always smaller than what was sent.

    Args:
        model: whom the request was planned for.
        told: what the provider said.
        sent_tokens: of the request that was too long, as we count.
    """
    reserve = model.reply_reserve_tokens
    room = int(UNTOLD_SHARE * (model.window_tokens - reserve))
    limit = told.prompt_limit_tokens
    if told.window_tokens is not None:
        reserve = min(reserve, int(MAX_REPLY_SHARE * told.window_tokens))
        limit = told.window_tokens - reserve
    # With the wished answer in it a request only looks longer, which is the safe side.
    counted = told.prompt_tokens or told.total_tokens
    if limit is None:
        room = min(room, int(UNTOLD_SHARE * sent_tokens))
    else:
        scale = min(1.0, sent_tokens / counted) if counted else 1.0
        told_room = int(TOLD_SHARE * scale * limit)
        # Who finds a request too long that its own limit holds says something else than it means.
        room = told_room if told_room < sent_tokens else int(UNTOLD_SHARE * sent_tokens)
    room = max(1, min(room, model.window_tokens - reserve - 1))
    return replace(model, window_tokens=room + reserve, reply_reserve_tokens=reserve)
