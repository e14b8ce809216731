"""Staleness: results of tools that a newer result of the same call has replaced."""

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from statecore.context.state import PathTurn
from statecore.messages import ToolCall

_KEPT_ARGUMENTS = 1_024


class _Asked(NamedTuple):
    name: str
    arguments: str


def stale_results(turns: Sequence[PathTurn]) -> frozenset[str]:
    """Return the ids of the tool messages that a newer one answers again.

    Two calls are the same when they name the same tool with the same arguments, in whatever order
    and with whatever white space the model wrote them.

    Args:
        turns: of the path, oldest first.
    """
    waiting: dict[str, _Asked] = {}
    newest: dict[_Asked, str] = {}
    stale = set()
    for turn in turns:
        for message in turn.messages:
            waiting.update({call.id: _asked(call) for call in message.tool_calls})
            if message.role != "tool" or message.tool_call_id is None:
                continue
            # A second answer to one call is none: the request leaves it out.
            asked = waiting.pop(message.tool_call_id, None)
            if asked is None:
                continue
            if asked in newest:
                stale.add(newest[asked])
            newest[asked] = message.id
    return frozenset(stale)


def _asked(call: ToolCall) -> _Asked:
    return _Asked(call.name, _canonical(call.arguments))


@lru_cache(maxsize=_KEPT_ARGUMENTS)
def _canonical(arguments: str) -> str:
    """Return arguments so that equal ones are equal texts; what is no JSON stays as written."""
    try:
        found = json.loads(arguments or "{}")
        return json.dumps(found, sort_keys=True, separators=(",", ":"))
    except (ValueError, RecursionError):
        return arguments.strip()
