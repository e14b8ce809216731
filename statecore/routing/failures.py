"""What the end of an attempt means: an answer, or a failure with one reason."""

import re
from dataclasses import dataclass
from typing import Literal

from statecore.routing.reasons import RULES, Action, FailureReason, FailureRule
from statecore.routing.signals import (
    GENERAL_CODES,
    REASON_OF_CODE,
    REASON_OF_FIRM_STATUS,
    REASON_OF_STATUS,
    REASON_OF_WORDS,
)
from statecore.routing.too_long import MESSAGE_CHARACTERS, is_attachment, is_too_long

__all__ = [
    "RULES",
    "Action",
    "Evidence",
    "FailureReason",
    "FailureRule",
    "Phase",
    "classify",
    "refusal",
]

Phase = Literal["connect", "response", "stream"]
"""connect: no connection yet; response: waiting for the first byte of the answer, or refused with
a status; stream: the answer has begun."""

WINDOW_FULL = frozenset({"model_context_window_exceeded", "context_length_exceeded"})
"""How an answer ends for which the request left no room."""

CLIENT_ERRORS_FROM = 400
SERVER_ERRORS_FROM = 500
_STATUS = re.compile("[1-5][0-9]{2}")

_TIMEOUTS: dict[Phase, FailureReason] = {
    "connect": FailureReason.CONNECT_TIMEOUT,
    "response": FailureReason.FIRST_TOKEN_TIMEOUT,
    "stream": FailureReason.STALLED_STREAM,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What is known when an attempt has ended."""

    phase: Phase
    http_status: int | None = None
    """Status of a refusal; None when the answer began with 200 or nothing came."""
    error_code: str = ""
    error_type: str = ""
    """The provider's type, or the name of the transport's exception."""
    message: str = ""
    """The provider's words."""
    retry_after_s: float | None = None
    """When the provider wants to be asked again; None when it does not say."""
    timed_out: bool = False
    finish: str = ""
    """Why the answer ended, in the provider's word; empty when it did not say."""
    saw_text: bool = False
    saw_reasoning: bool = False
    saw_tool_call: bool = False
    saw_done: bool = False
    """Whether the end mark of the stream came."""


def classify(evidence: Evidence) -> FailureReason | None:
    """Return why an attempt is no answer, or None when it is one."""
    error_named = evidence.error_code or evidence.error_type or evidence.message
    if evidence.phase != "stream" or evidence.timed_out or evidence.http_status or error_named:
        return refusal(evidence)
    return _flaw(evidence)


def refusal(evidence: Evidence) -> FailureReason:
    """Return the reason of an attempt that ended with an error.

    Codes that mean one thing say most, then the few statuses that do, then the words of a request
    that was too long, then general codes, other words and other statuses.
    """
    if evidence.timed_out:
        return _TIMEOUTS[evidence.phase]
    message = evidence.message[:MESSAGE_CHARACTERS]
    return (
        _by_code(evidence, are_general=False)
        or REASON_OF_FIRM_STATUS.get(evidence.http_status or _status_in(evidence.error_code))
        or _by_length(message)
        or _by_code(evidence, are_general=True)
        or _by_words(message)
        or _by_status(evidence)
        or _by_nothing(evidence)
    )


def _by_nothing(evidence: Evidence) -> FailureReason:
    # Whoever says that there was an error is there; silence comes from the line.
    said = evidence.message or evidence.error_code
    return FailureReason.SERVER_ERROR if said else FailureReason.NETWORK


def _by_code(evidence: Evidence, *, are_general: bool) -> FailureReason | None:
    for code in (evidence.error_code, evidence.error_type):
        name = code.strip().lower()
        if (name in GENERAL_CODES) == are_general and (reason := REASON_OF_CODE.get(name)):
            return reason
    return None


def _by_length(message: str) -> FailureReason | None:
    if is_too_long(message):
        return FailureReason.CONTEXT_OVERFLOW
    return FailureReason.BAD_FORMAT if is_attachment(message) else None


def _by_words(message: str) -> FailureReason | None:
    return next((reason for words, reason in REASON_OF_WORDS if words.search(message)), None)


def _by_status(evidence: Evidence) -> FailureReason | None:
    status = evidence.http_status or _status_in(evidence.error_code)
    if status >= SERVER_ERRORS_FROM:
        return FailureReason.SERVER_ERROR
    if evidence.retry_after_s is not None:
        return FailureReason.RATE_LIMIT
    if status >= CLIENT_ERRORS_FROM:
        known = REASON_OF_FIRM_STATUS.get(status) or REASON_OF_STATUS.get(status)
        return known or FailureReason.BAD_FORMAT
    return FailureReason.NETWORK if evidence.phase == "connect" else None


def _status_in(code: str) -> int:
    # Inside a stream the only status is a code of three digits.
    return int(code) if _STATUS.fullmatch(code) else 0


def _flaw(evidence: Evidence) -> FailureReason | None:
    if evidence.finish == "content_filter":
        return FailureReason.CONTENT_FILTER
    if evidence.finish == "error":
        return FailureReason.SERVER_ERROR
    if evidence.finish in WINDOW_FULL and not evidence.saw_text:
        return FailureReason.CONTEXT_OVERFLOW
    if not (evidence.finish or evidence.saw_done):
        # Some servers leave the end mark out, others the finish: without both it broke off.
        return FailureReason.NETWORK
    if not (evidence.saw_text or evidence.saw_tool_call):
        return FailureReason.EMPTY_ANSWER
    return None
