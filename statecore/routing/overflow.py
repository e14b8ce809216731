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

EXCESS_SHARE = 1.25
"""Of what was too much: a provider may count less than we do."""

THOUSAND = 1_000

_APART: Final = r"(?<![A-Za-z0-9_.-])"
_N: Final = _APART + (
    r"(\d{1,3}(?:[,_.\u00a0\u202f' ]\d{3})+(?!\d)|\d+(?:\.\d+)?k\b|\d+)"
    r"(?!(?!tok)[A-Za-z_]|[,.]?\d|-(?!tok)\w)"
)
"""A number of tokens; not that of a version, a model's name or an id."""

_CHECKED: Final = re.IGNORECASE | re.DOTALL


def _patterns(*lines: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(line.replace("N", _N), _CHECKED) for line in lines)


_NOISE: Final = re.compile(
    r"\bhttp \d{3}\b|error code:? \d+|(?:request|trace|req|ref)[ _-]?(?:id)?: ?[\w-]{8,}", _CHECKED
)
"""Numbers beside the sentence."""

_OTHER_UNITS: Final = _patterns(
    r"N ?(?:characters?|chars?|bytes?|[kmg]i?b\b|字符|字节|символ\w*|байт\w*)",
    r"(?:characters?|chars?|bytes?|字符数?|字节数?|символов)(?: (?:is|are|of|was))?[ :=(]{0,3}N",
    r"text length is N.{0,40}\]",
)
"""Numbers that count no tokens."""

_EXCESS: Final = _patterns(
    r"\bby (?:about |approximately |at least )?N",
    r"N tokens? (?:over|too (?:long|many)|above|beyond)\b",
    r"超出了?\s*N\s*个?\s*tokens?(?!.{0,4}(?:限|上限|的))",
    r"(?<!\w)на N",
)
"""How much too long a request was; never a limit."""

_WINDOW: Final = _patterns(
    r"\bn_ctx\b[^\d]{0,6}N",
    r"\d ?\+ ?\d+ ?> ?N",
    r"(?:context|model|sequence|seq) (?:length|window|size|limit|len)[^\d]{0,40}?N",
    r"\bmax_(?:seq|model|context)_len(?:gth)?\b[^\d]{0,10}N",
    r"N[ -]*(?:tokens? )?(?:maximum|max)\.? context",
    r"(?:tokens?|model|total|length|context)s? limit[^\d>]{0,14}?N",
    r"limit (?:of|is|was)[^\d]{0,6}N",
    r"must be (?:<=?|≤) ?N",
    r"exceed\w* (?:the )?(?:limit|max\w*)? ?(?:of |\()?N",
    r"(?:上下文|最大|上限|限制|不[能得可]?超过|至多|最多)[^\d]{0,20}N",
    r"[超过過出]\s*N",
    r"(?:контекст|лимит|не более|не больше|максим\w+|предел\w*|превышать)[^\d]{0,30}N",
    r"превы\w+ N",
    r"(?:コンテキスト|最大|上限|컨텍스트|최대|한도)[^\d]{0,20}N",
    r"(?:kontext\w*|contexte?o?|maximale?|m[áa]xim[oa])[^\d]{0,30}N",
    r"\bmax\w*(?: of| is|:)? N",
    r"(?:shorter|longer|larger|greater|higher|less|fewer|more) than N",
    r"(?:\blimit|only supports?|\d ?/|токен\w* из) ?N",
)
"""A limit of input and answer together."""

_PROMPT_LIMIT: Final = _patterns(
    r"maximum number of (?:input )?tokens allowed[^\d]{0,10}N",
    r"max(?:imum)?(?: allowed)? (?:prompt|input) (?:length|size|tokens?)[^\d]{0,10}N",
    r"input length should be \[\d+, ?N\]",
    r"in the prompt cannot exceed N",
    r"must have (?:less|fewer) than N tokens",
    r"input tokens?[^\d]{0,40}(?:no more than|at most|limit of|<=?|≤) ?N",
    r"prompt token count of \d+ exceeds the limit of N",
    r"max(?:imum)? size[^\d]{0,6}N tokens",
)
"""A limit of the input alone."""

_PROMPT: Final = _patterns(
    r"\(N in (?:the|your) (?:messages|prompt)",
    r"\(N of text input",
    r"N tokens from the input",
    r"messages resulted in N",
    r"prompt is too long: N",
    r"(?:request|prompt|input)s? (?:has|have|contains?|is|of) N",
    r"N (?:input|prompt) tokens",
    r"input token count: N",
    r"(?:input|prompt)[ _]?tokens?(?: (?:count|length))?(?: (?:of|is|was))?:? ?\(?N",
    r"input (?:length|size)(?: (?:of|is))? ?\(?N",
    r"(?:request|input|prompt) ?\((?:length )?N(?: tokens)?\)",
    r"N ?\+ ?\d+ ?> ?\d",
    r"current length is N",
    r"(?<=\()N tokens\)",
    r"given: N",
    r"(?:received|but got|, got) N",
    r"\bn_keep\b[^\d]{0,6}N",
    r"\bn_prompt_tokens\b[^\d]{0,6}N",
    r"keep the first N",
    r"(?:[输輸]入|请求|請求|提示词?|prompt|消息|当前|收到)[^\d超过]{0,14}N",
    r"(?:запрос|получен|передан|ввод|вход|сообщен)\w*(?:(?!прев|лимит|не )[^\d]){0,20}N",
)
"""What the provider counts as input."""

_TOTAL: Final = _patterns(r"requested(?: a total of)?(?: about)?:? N", r"запрошено N")
"""What it counts as input and wished answer together."""

_GREATER: Final = re.compile(
    rf"(?<!\+ )(?<!\+){_N}(?: tokens?)? ?> ?{_N.removeprefix(_APART)}(?![\d ]*-)", _CHECKED
)
"""The shortest way to say it."""


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
    excess_tokens: int | None = None
    """How much too long it found the request, where it names no limit."""


def told_limits(text: str) -> ToldLimits:
    """Return what a provider's words about a request that was too long say of lengths."""
    text = _NOISE.sub(" ", text[:MESSAGE_CHARACTERS])
    for other in _OTHER_UNITS:
        text = other.sub(" ", text)
    excess = _number(_EXCESS, text)
    for found in _EXCESS:
        text = found.sub(" ", text)
    if greater := _GREATER.search(text):
        prompt, prompt_limit = (_tokens(number) for number in greater.groups())
    else:
        prompt, prompt_limit = _number(_PROMPT, text), _number(_PROMPT_LIMIT, text)
    window = _number(_WINDOW, text) if prompt_limit is None else None
    return ToldLimits(
        window_tokens=window,
        prompt_limit_tokens=prompt_limit,
        prompt_tokens=prompt,
        total_tokens=_number(_TOTAL, text),
        excess_tokens=excess if window is None and prompt_limit is None else None,
    )


def _number(patterns: Sequence[re.Pattern[str]], text: str) -> int | None:
    for pattern in patterns:
        if found := pattern.search(text):
            return _tokens(found.group(1))
    return None


def _tokens(number: str) -> int | None:
    """Return a number as it was written; None for zero."""
    if number[-1] in "kK":
        return int(float(number[:-1]) * THOUSAND) or None
    # A number of a hundred digits is no number of tokens.
    return int(re.sub(r"\D", "", number)[:12]) or None


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
    if limit is None and told.excess_tokens is not None:
        left = int(TOLD_SHARE * (sent_tokens - EXCESS_SHARE * told.excess_tokens))
        room = left if left > 0 else min(room, int(UNTOLD_SHARE * sent_tokens))
    elif limit is None:
        room = min(room, int(UNTOLD_SHARE * sent_tokens))
    else:
        scale = min(1.0, sent_tokens / counted) if counted else 1.0
        told_room = int(TOLD_SHARE * scale * limit)
        # Who finds a request too long that its own limit holds says something else than it means.
        room = told_room if told_room < sent_tokens else int(UNTOLD_SHARE * sent_tokens)
    room = max(1, min(room, model.window_tokens - reserve - 1))
    return replace(model, window_tokens=room + reserve, reply_reserve_tokens=reserve)
