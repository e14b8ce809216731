"""Texts of memory that would be markup to a model, shown as what they are.

A server turns the words of a chat template into the borders of roles wherever they stand, so that
a remembered sentence could end the message that it is quoted in.
"""

import re
from bisect import bisect_left
from collections.abc import Callable
from itertools import accumulate

_ROLE_BORDER = (
    # <|im_start|>, <|channel|>, and with the bars of another width.
    r"<(?=[|｜][^\s<>|｜][^<>]{0,60}[|｜]>)"
    r"|<(?=/?(?:(?:start|end|begin|beginning)_of_\w{1,30}|bos|eos|pad|unk|mask|s|eo[st]_id"
    r"|im_(?:start|end|sep)|(?:fim|tool|extra_id|reserved|unused|special)_?\w{0,30}"
    r"|system|user|assistant|human|bot|think)>)"
    r"|<(?=</?SYS>>)"
    r"|\[(?=/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|THINK"
    r"|ARGS|CALL_ID|PREFIX|SUFFIX|MIDDLE)\])"
)
_ROLE = re.compile(_ROLE_BORDER, re.IGNORECASE)
_NOTES = re.compile(rf"<(?=[^\w<]*notes)|{_ROLE_BORDER}", re.IGNORECASE)

_ESCAPES = {"<": "&lt;", "[": "&#91;"}

_AFTER = re.compile(r"""(^|[\s(\[{«„‘“—–-])["]""")
_OPENING, _CLOSING = "“", "”"


def neutral(text: str) -> str:
    """Return a text in which nothing opens or closes a role of a chat template."""
    return _ROLE.sub(_escape, text)


def neutral_notes(body: str) -> tuple[str, Callable[[int], int]]:
    """Return the body of notes, and where each of its offsets has moved.

    Nothing in it closes the notes, opens others, or is a border of a role.
    """
    found = list(_NOTES.finditer(body))
    starts = [one.start() for one in found]
    grown = [*accumulate((len(_ESCAPES[one.group()]) - 1 for one in found), initial=0)]
    return _NOTES.sub(_escape, body), lambda at: at + grown[bisect_left(starts, at)]


def unquoted(text: str) -> str:
    """Return a text whose straight quotation marks are curly: one of them would end a quotation."""
    return _AFTER.sub(rf"\1{_OPENING}", text).replace('"', _CLOSING)


def _escape(found: re.Match[str]) -> str:
    return _ESCAPES[found.group()]
