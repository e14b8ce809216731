"""Digests: what stands for a message where there is no room for all of its words.

A digest depends on its message alone, so it is the same in every request and can be counted once.
"""

from statecore.context import answer_digest, log_digest, schema_digest
from statecore.context.cutting import is_shortened, signed, size
from statecore.context.neutral import neutral
from statecore.context.remembering import remembered
from statecore.messages import Message

LONGEST_BYTES = 3_000
"""No digest is longer, so a text up to this with the sign at its end is one already."""


def digest_of(message: Message) -> str | None:
    """Return the shortened text of an answer or a tool result; None when nothing is gained.

    Tool calls of an answer are no text and stay as they are. What a user or a system prompt says
    is never shortened.
    """
    if message.role == "tool":
        found = _result(message.text)
    else:
        found = _answer(message.text) if message.role == "assistant" else None
    return None if found is None else neutral(found)


@remembered
def _answer(text: str) -> str | None:
    if _is_digest(text):
        return None
    return signed(answer_digest.digested(text), text)


@remembered
def _result(text: str) -> str | None:
    if _is_digest(text):
        return None
    found = schema_digest.parsed(text)
    if found is not None:
        return signed(schema_digest.digested(found), text)
    lines = log_digest.lines_in(text)
    is_prose = len(lines) < log_digest.FEWEST_LINES
    return signed(answer_digest.digested(text) if is_prose else log_digest.digested(lines), text)


def _is_digest(text: str) -> bool:
    return is_shortened(text) and size(text) <= LONGEST_BYTES
