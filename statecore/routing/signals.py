"""By which codes, words and statuses providers say what went wrong. Data only."""

import re
from collections.abc import Mapping

from statecore.routing.reasons import FailureReason
from statecore.routing.too_long import ANSWER_LIMIT

_CODES: Mapping[FailureReason, str] = {
    FailureReason.CONTEXT_OVERFLOW: (
        "context_length_exceeded exceed_context_size_error context_window_exceeded "
        "contextwindowexceedederror contextlengthexceeded model_context_window_exceeded "
        "max_context_length_exceeded maximum_context_length_failed outofcontexterror "
        "prompt_too_long input_too_long request_too_large tokens_too_long characters_too_long "
        "tokens_limit_reached token_quantity_exceeded string_above_max_length "
        "model_max_prompt_tokens_exceeded max_tokens_exceeded 1261 10907 336103"
    ),
    FailureReason.CONTENT_FILTER: (
        "content_filter content_policy_violation responsibleaipolicyviolation "
        "data_inspection_failed moderation_blocked prohibited_content"
    ),
    FailureReason.RATE_LIMIT: (
        "rate_limit_exceeded rate_limit_error rate_limited rate_limit ratelimiterror "
        "too_many_requests tokens_per_minute_exceeded throttled throttlingexception "
        "resource_exhausted 1039"
    ),
    FailureReason.AUTH: (
        "invalid_api_key authentication_error invalid_authentication unauthorized "
        "permission_error permission_denied forbidden account_deactivated insufficient_quota "
        "billing_hard_limit_reached billing_not_active insufficient_balance "
        "insufficient_credits payment_required"
    ),
    FailureReason.UNKNOWN_MODEL: (
        "model_not_found model_not_available unknown_model invalid_model not_found_error"
    ),
    FailureReason.SERVER_ERROR: (
        "server_error internal_error internal_server_error overloaded overloaded_error "
        "engine_overloaded service_unavailable unavailable_error unavailable api_error "
        "timeout_error bad_gateway"
    ),
    FailureReason.NETWORK: (
        "connecterror readerror writeerror closeerror remoteprotocolerror connectionreseterror "
        "connectionrefusederror brokenpipeerror incompleteread"
    ),
    FailureReason.BAD_FORMAT: "bad_chunk decodingerror",
}

REASON_OF_CODE: Mapping[str, FailureReason] = {
    code: reason for reason, codes in _CODES.items() for code in codes.split()
}
"""By code or type, in lower case."""

GENERAL_CODES = frozenset(_CODES[FailureReason.SERVER_ERROR].split())
"""Codes that servers give to whatever went wrong: words say more than they."""

REASON_OF_FIRM_STATUS: Mapping[int, FailureReason] = {
    401: FailureReason.AUTH,
    402: FailureReason.AUTH,
    429: FailureReason.RATE_LIMIT,
}
"""Statuses that say more than the words beside them: "quota" at 429 is a rate limit."""

REASON_OF_STATUS: Mapping[int, FailureReason] = {
    400: FailureReason.BAD_FORMAT,
    403: FailureReason.AUTH,
    404: FailureReason.UNKNOWN_MODEL,
    408: FailureReason.SERVER_ERROR,
    413: FailureReason.CONTEXT_OVERFLOW,
    422: FailureReason.BAD_FORMAT,
}
"""Statuses that speak where no word does; from 500 on it is a server error."""

_WORDS: Mapping[FailureReason, str] = {
    FailureReason.CONTENT_FILTER: (
        r"content (?:filter|policy|management policy)|flagged (?:by|as|for)"
        r"|(?:safety|moderation) (?:system|policy|filter)"
    ),
    FailureReason.RATE_LIMIT: (
        r"rate.?limit|too many requests|(?:requests|tokens) per (?:min|day|hour)|throttl"
        r"|\b[rt]p[md]\b|请求过多|频率超|限流|(?:слишком много|лимит\w*) запросов|レート制限"
    ),
    FailureReason.AUTH: (
        r"api.?key|unauthori[sz]ed|authenticat|permission denied|\bquota\b|\bbilling\b"
        r"|insufficient (?:balance|credit|fund)"
    ),
    FailureReason.UNKNOWN_MODEL: (
        r"model.{0,80}(?:not found|does not exist|not available|not supported|unknown)"
        r"|(?:unknown|no such|invalid) model"
    ),
    FailureReason.SERVER_ERROR: (
        r"overload|internal (?:server )?error|(?:temporarily|service) unavailable"
        r"|loading model|bad gateway|at capacity"
    ),
    FailureReason.BAD_FORMAT: (
        rf"(?:{ANSWER_LIMIT.pattern}).{{0,40}}(?:too large|exceed|must|should)"
    ),
    FailureReason.NETWORK: (
        r"connection (?:reset|refused|aborted|closed|error)|peer closed|incomplete.{0,20}read"
        r"|name or service not known|network is unreachable"
    ),
}

REASON_OF_WORDS = tuple(
    (re.compile(pattern, re.IGNORECASE | re.DOTALL), reason) for reason, pattern in _WORDS.items()
)
"""Patterns for messages that do not say that the request was too long, the most telling first."""
