"""What tools said, put to the calls that it answers, where a format leaves that open."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from statecore.messages import Message


def add_result(messages: list[Message], result: Message, tool: str | None) -> None:
    """Add what a tool said: a second saying on the same call belongs to the first.

    Args:
        messages: what was said before; the result comes into it.
        result: names no call yet.
        tool: who said it; None where the format does not tell.
    """
    turn = _turn(messages)
    call_id = _answered(turn, tool)
    for message in turn:
        if call_id is not None and message.tool_call_id == call_id:
            text = "\n".join(filter(None, (message.text, result.text)))
            messages[messages.index(message, -len(turn))] = replace(message, text=text)
            return
    messages.append(replace(result, tool_call_id=call_id))


def _turn(messages: Sequence[Message]) -> list[Message]:
    """Return what was said since the user's last message, the newest first."""
    return list(takewhile(lambda message: message.role != "user", reversed(messages)))


def _answered(turn: Sequence[Message], tool: str | None) -> str | None:
    """Return the id of the newest call in the turn, of this tool if there is one; else None."""
    called = [call for message in turn for call in message.tool_calls]
    own = (call.id for call in called if call.name == tool)
    return next(own, called[0].id if called else None)
