"""By which words providers say that a request was too long, and what only sounds like it.

No list of sentences keeps up with them, so the patterns are made of parts: what is too long, what
it goes beyond, and how that is said. What speaks of other limits is taken out before.
"""

import re
from collections.abc import Mapping
from typing import Final

from statecore.routing.overflow import told_limits

MESSAGE_CHARACTERS: Final = 2_000
"""How much of a provider's message is searched."""

_FLAGS: Final = re.IGNORECASE | re.DOTALL


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), _FLAGS)


ANSWER_LIMIT: Final = _any(
    r"\bmax[_ ](?:completion|output|new|generated)[_ ]tokens?\b",
    r"\bmax_tokens\b|\bmaxtokens\b|\bbudget[_ ]tokens\b|\bstop tokens?\b",
    r"\b(?:completion|output|generat(?:ed|ion)|response|new) (?:tokens?|length)\b",
    r"最大(?:输出|生成|回复)|(?:输出|輸出|生成|回复|回答)(?:内容)?的?(?:长度|長度|\s*tokens?|字数)",
    r"(?:длин\w+|токен\w*|размер\w*) (?:ответ|вывод|генерац)\w+",
)
"""Names of limits that the answer has, not the request."""

_NOT_THE_REQUEST: Final = _any(
    ANSWER_LIMIT.pattern,
    r"\b(?:access|auth\w*|bearer|api|jwt|refresh|csrf|session|id) tokens?\b",
    r"(?:response|answer|output|completion|reply) (?:has |was |is )?(?:exceed\w*|too long).{0,60}",
    r"context deadline|deadline exceeded|time ?out|time limit|retries exceeded|buffer limit",
    r"(?:context|window)\w* (?:\w+ )?(?:is )?too small",
    r"(?:превы\w+ )?врем\w+ (?:ожидания|выполнения|отклика)(?: \w+)?|тайм-?аут",
    r"有效期|超时|タイムアウト|시간 초과",
)
"""What else can be too long, too many or exceeded; a message may speak of it beside the request."""

_RATE: Final = _any(
    r"rate.?limit|\bper[ -](?:sec|min|hour|day|month)|\b[rtio]p[mds]\b|throttl|too many requests",
    r"concurren|peak load|usage limit|\b(?:daily|weekly|monthly)\b|for today|quota",
    r"(?:again|retry\b.{0,20}) (?:later|in \d)|wait (?:before|and|a)",
    r"每\s*(?:分|秒|小时|天|日|月)|频率|频繁|限流|限速|并发|配额|额度|余额|次数|稍后|请求(?:数|过多)",
    r"в (?:минуту|секунду|час|день|сутки|месяц)|(?:много|лимит\w*|числ\w+|частот\w+) запросов",
    r"квот|поз(?:же|днее)",
    r"レート|毎分|(?:1|一)分|リクエスト(?:数|が多)|분당|속도|할당량|요청이 너무 많",
)
"""What is said of too many requests or tokens in some time."""

ATTACHMENT: Final = _any(
    r"\b(?:image|file|attachment|audio|video|pdf|upload|media|photo|picture)s?\b"
    r".{0,80}(?:exceed|too (?:large|big|long|many)|larger than|max|limit)",
    r"(?:exceed|too (?:large|big)|larger than).{0,40}\b(?:image|file|attachment|upload)",
    r"(?:图片|图像|文件|附件|音频|视频).{0,20}(?:过大|太大|超过|超出|超限)",
    r"(?:файл|изображени|вложени|картинк)\w*.{0,40}(?:превы|слишком)",
)
_OF_THE_TEXT: Final = _any(r"tokens?\b|context|prompt|上下文|контекст|токен|トークン|토큰")


# --- English, in parts ----------------------------------------------------------------------------

_LENGTH: Final = "(?:length|window|size|limit|budget|capacity|len)"
_INPUT: Final = (
    r"\b(?:prompts?|inputs?|requests?|messages?|conversation|chat|dialog\w*|history|sequence|query"
    r"|context)\b"
)
_COUNTED: Final = r"(?:[ '`](?:tokens?|length|size|counts?|body|entity|text|contents?|history|s))*"
_MORE: Final = r"(?<!be )(?:long|larg|great|bigg|high)er than|more (?:\w+ )?than"
_BOUND: Final = r"(?:context|max|model|limit|allow|window|specified|permitted|support)"
_BEYOND: Final = rf"(?:exceed\w*|surpass\w*|beyond|above|over the|outside|{_MORE})"
_AT_MOST: Final = r"(?:<=?|≤|less|fewer|at most|no more|no longer|not? exceed|under|below|shorter)"
_MUST: Final = r"(?:must|should|has to|have to|need to|needs to|can|may|could)"
_CUT: Final = r"(?:reduc|shorten|decreas|trim|truncat|compress|condens|limit)\w*"

_ENGLISH: Final = (
    # The context is named, and that something goes beyond it.
    rf"{_BEYOND}.{{0,60}}\bcontexts?\b",
    rf"\bcontext(?: {_LENGTH})?\b.{{0,60}}(?:exceed|surpass|overflow|too (?:long|large)|reached)",
    rf"\bcontext {_LENGTH} (?:is|was|of|are)? ?(?:only |just )?\d",
    r"context.{0,12}overflow|overflow.{0,20}context|(?:not|n't) fit.{0,40}(?:context|window)",
    # The limit has a name that only the request has.
    (
        rf"\bmax\w*(?: allowed)? (?:context|prompt|inputs?|sequence|seq|messages?|model)"
        rf" (?:{_LENGTH}|tokens?|characters?)\b"
    ),
    rf"\bmodel'?s? (?:maximum |max )?(?:context|token|input|prompt|length) {_LENGTH}\b",
    # What is sent is too long.
    (
        rf"{_INPUT}{_COUNTED}(?: ?\([^)]{{0,40}}\))?,?(?: (?:is|are|was|were|has become))?"
        rf"(?: far| much| way)? too (?:long|large|big)"
    ),
    r"\bcontent\S{0,3} string too long|\blength (?:is|of) \d.{0,40}(?:outside|out of).{0,12}range",
    rf"{_INPUT}.{{0,60}}{_BEYOND}.{{0,40}}(?:{_BOUND}|length|size|token|range|\d)",
    rf"{_INPUT}.{{0,60}}(?:does|do|did|will|would|can)(?:n't|not| not) fit",
    rf"{_INPUT}.{{0,60}}must (?:be|have) {_AT_MOST}",
    rf"{_INPUT}.{{0,30}} {_LENGTH} (?:must|should) be (?:in |within |between )?[\[(]?\d",
    # Tokens are counted.
    r"too many (?:\w+ )?tokens",
    rf"\btokens?\b.{{0,60}}{_BEYOND}.{{0,30}}(?:{_BOUND}|configured|\d)",
    rf"\btokens?\b.{{0,60}}{_MUST}(?:n't| not|not)? (?:be |have )?(?:{_AT_MOST}|exceed)",
    rf"exceed\w* (?:\w+ ){{0,4}}tokens?\b|\btokens? (?:\w+ ){{0,2}}{_LENGTH}? ?(?:was |is )?exceed",
    r"\btokens? (?:count |quantity |limit )?(?:(?:is |was )?(?:over|above|exceeded|reached))",
    # It is asked for less.
    rf"{_CUT} (?:\w+ ){{0,4}}(?:length|tokens|inputs?|prompts?|messages?|history|conversation)\b",
    r"(?:short|small)er (?:prompt|input|message|context|conversation|request|text|history)",
)

_CHINESE: Final = (
    r"上下文.{0,16}(?:超|过长|過長|太长|太長|过大|溢出|限制|不足)",
    r"[超过過].{0,24}上下文",
    (
        r"(?:[输輸]入|提示[词詞]?|prompt|请求|請求|[内內]容|消息|訊息|文本|文字|[对對][话話]|会话|[历歷]史"
        r"|tokens?|[词詞]元|令牌|长度|長度|字[数數]).{0,18}"
        r"(?:[过過太超][长長]|超限|超出|超[过過]|[大多][于於]|[过過太][大多]|溢出)"
    ),
    r"(?:[输輸]入|prompt|tokens?|长度|長度).{0,16}(?:[小少][于於]|不[大多][于於]|至多|最多|在\s*\[)",
    (
        r"(?:缩短|縮短|精简|减少|減少|压缩|裁剪|截断).{0,10}"
        r"(?:[输輸]入|[内內]容|prompt|提示|消息|[对對][话話]|[历歷]史|上下文|文本|长度|tokens?|后)"
    ),
)

_R_INPUT: Final = (
    r"(?:запрос|сообщени|промпт|ввод|вход|текст|истори|диалог|переписк|контекст|токен)"
)
_R_BEYOND: Final = (
    r"(?:превы\w+|слишком (?:длин|больш|велик|много)\w*|длиннее"
    r"|не (?:у?меща|помеща|вмеща|уклад|влез)\w+"
    r"|больше (?:допуст|разреш|максим|предел|чем)\w*"
    r"|переполн\w+|исчерпа\w+|выход\w+ за)"
)
_RUSSIAN: Final = (
    rf"{_R_INPUT}\w*.{{0,50}}{_R_BEYOND}",
    rf"{_R_BEYOND}.{{0,60}}(?:{_R_INPUT})",
    rf"{_R_INPUT}\w*.{{0,50}}не (?:более|больше|должн\w+ (?:превышать|быть))",
    rf"(?:сократи|уменьши|укороти|сожми)\w*.{{0,30}}(?:{_R_INPUT}|длин)",
)

_OTHERS: Final = (
    (
        r"(?:コンテキスト|入力|プロンプト|トークン|メッセージ|会話|テキスト).{0,24}"
        r"(?:超え|超過|長すぎ|大きすぎ|多すぎ|オーバー|上限)"
    ),
    (
        r"(?:컨텍스트|입력|프롬프트|토큰|메시지|요청|대화|텍스트).{0,24}"
        r"(?:초과|넘[었는습]|너무 (?:깁|길|큽|크|많))"
    ),
    (
        r"(?:kontext|eingabe|anfrage|prompt|nachricht|token)\w*.{0,50}"
        r"(?:überschr\w+|übersteig\w+|zu (?:lang|groß|viele))"
    ),
    r"(?:überschr|übersteig)\w+.{0,50}(?:kontext|token)|zu viele (?:eingabe-?)?token",
    (
        r"(?:contexte|entrée|invite|prompt|requête|message|jeton|token)\w*.{0,50}"
        r"(?:dépass\w+|trop (?:long|grand|volumin))|dépass\w+.{0,50}(?:contexte|jeton|token)"
    ),
    (
        r"(?:contexto|entrada|prompt|solicitud|solicitação|mensaje|mensagem|token)\w*.{0,50}"
        r"(?:excede|supera|sobrepasa|ultrapassa|(?:demasiado|muito) (?:larg|grand|long))"
    ),
    r"(?:excede|supera|sobrepasa|ultrapassa)\w*.{0,50}(?:contexto|token)",
)

TOO_LONG: Final[Mapping[str, re.Pattern[str]]] = {
    "en": _any(*_ENGLISH),
    "zh": _any(*_CHINESE),
    "ru": _any(*_RUSSIAN),
    "ja ko de fr es pt": _any(*_OTHERS),
}
"""How it is said, by the languages."""


def is_too_long(message: str) -> bool:
    """Return whether a provider's words say that the request was too long for the model.

    Where the words are new, numbers may say it: more was counted than there may be. A rate limit,
    the limit of an answer and the size of an attachment are none of it.
    """
    message = message[:MESSAGE_CHARACTERS]
    if _RATE.search(message) or is_attachment(message):
        return False
    text = _NOT_THE_REQUEST.sub(" ", message).replace("_", " ")
    return any(found.search(text) for found in TOO_LONG.values()) or _counts_more(message)


def is_attachment(message: str) -> bool:
    """Return whether words speak of the size of a file, and of no text."""
    return bool(ATTACHMENT.search(message)) and not _OF_THE_TEXT.search(message)


def _counts_more(message: str) -> bool:
    if not (_OF_THE_TEXT.search(_NOT_THE_REQUEST.sub(" ", message))):
        return False
    told = told_limits(message)
    limit = told.prompt_limit_tokens or told.window_tokens
    counted = told.prompt_tokens or told.total_tokens
    return limit is not None and counted is not None and counted > limit
