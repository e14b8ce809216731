"""Why an attempt failed or was not made, and what follows from it. Data only."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal


class FailureReason(StrEnum):
    """Why an attempt is no answer. A stop by the user is none of these."""

    CONNECT_TIMEOUT = "connect_timeout"
    FIRST_TOKEN_TIMEOUT = "first_token_timeout"  # noqa: S105  # a token of text
    STALLED_STREAM = "stalled_stream"
    RATE_LIMIT = "rate_limit"
    SERVER_ERROR = "server_error"
    NETWORK = "network"
    """The connection failed, or ended before the answer did."""
    AUTH = "auth"
    """The key or its account was refused: an exhausted balance is in the same boat."""
    UNKNOWN_MODEL = "unknown_model"
    EMPTY_ANSWER = "empty_answer"
    """No text and no tool call; thinking aloud alone is no answer."""
    BAD_FORMAT = "bad_format"
    """Request or answer did not have the form that the other side wanted."""
    CONTENT_FILTER = "content_filter"
    CONTEXT_OVERFLOW = "context_overflow"
    BUDGET = "budget"
    """The user's own limit of tokens or money."""
    CIRCUIT_OPEN = "circuit_open"
    """Not tried: it failed too often just now."""
    POLICY = "policy"
    """Not tried: the conversation's tags do not allow it."""


Action = Literal["retry_same", "next_model", "stop"]


@dataclass(frozen=True, slots=True)
class FailureRule:
    """What follows from a failure."""

    action: Action
    """retry_same: ask the model once more before the next one; stop: ask nobody else."""
    retryable: bool
    """Whether the same request may succeed at the same model later."""


RULES: Mapping[FailureReason, FailureRule] = {
    FailureReason.CONNECT_TIMEOUT: FailureRule("next_model", retryable=True),
    FailureReason.FIRST_TOKEN_TIMEOUT: FailureRule("next_model", retryable=True),
    FailureReason.STALLED_STREAM: FailureRule("next_model", retryable=True),
    FailureReason.RATE_LIMIT: FailureRule("retry_same", retryable=True),
    FailureReason.SERVER_ERROR: FailureRule("retry_same", retryable=True),
    FailureReason.NETWORK: FailureRule("retry_same", retryable=True),
    FailureReason.AUTH: FailureRule("next_model", retryable=False),
    FailureReason.UNKNOWN_MODEL: FailureRule("next_model", retryable=False),
    FailureReason.EMPTY_ANSWER: FailureRule("retry_same", retryable=True),
    FailureReason.BAD_FORMAT: FailureRule("next_model", retryable=True),
    # Another model must not be used to get around a refusal.
    FailureReason.CONTENT_FILTER: FailureRule("stop", retryable=False),
    FailureReason.CONTEXT_OVERFLOW: FailureRule("next_model", retryable=False),
    FailureReason.BUDGET: FailureRule("stop", retryable=False),
    FailureReason.CIRCUIT_OPEN: FailureRule("next_model", retryable=True),
    FailureReason.POLICY: FailureRule("next_model", retryable=False),
}
