"""How the messages of one turn hold together."""

from collections.abc import Sequence

from statecore.contract.places import Steps, wrong
from statecore.contract.schema import ContractMessage, ContractTurn


def check_turn(turn: ContractTurn, place: Steps, *, shift: int = 0) -> None:
    """Let a turn pass that holds together in itself.

    Args:
        turn: with its input.
        place: where it stands in its document.
        shift: how many of its first messages stand elsewhere.

    Raises:
        InvalidInput: naming the first place where it does not.
    """
    ended = (turn.finish, turn.committed_seq, turn.committed_ms)
    if turn.is_committed and None in ended:
        raise wrong(place, "a committed turn has finish, committed_seq and committed_ms")
    if not turn.is_committed and ended != (None, None, None):
        raise wrong(place, f"a {turn.status} turn has no finish, committed_seq or committed_ms")
    places = [(*place, "messages", index - shift) for index in range(len(turn.messages))]
    for index, message in enumerate(turn.messages):
        _check_role(turn, message, index, places[index])
    _check_calls(turn, place, places)


def _check_role(turn: ContractTurn, message: ContractMessage, index: int, place: Steps) -> None:
    if index == 0 and message.role != "user":
        raise wrong((*place, "role"), f"a turn begins with a user message, not with {message.role}")
    if index > 0 and message.role in ("user", "system"):
        raise wrong((*place, "role"), f"a {message.role} message stands inside a turn")
    if index > 0 and not turn.is_committed:
        raise wrong(place, f"a {turn.status} turn has its input only")
    if message.role != "assistant" and message.tool_calls:
        raise wrong((*place, "tool_calls"), f"a {message.role} message calls no tools")
    if (message.role == "tool") != (message.tool_call_id is not None):
        said = "a tool message names the call that it answers, and no other message does"
        raise wrong((*place, "tool_call_id"), said)


def _check_calls(turn: ContractTurn, place: Steps, places: Sequence[Steps]) -> None:
    """Check that results answer calls, each once, and that nothing but a stop leaves one open."""
    waiting: dict[str, Steps] = {}
    for here, message in zip(places, turn.messages, strict=True):
        for number, call in enumerate(message.tool_calls):
            if call.id in waiting:
                raise wrong((*here, "tool_calls", number), f"the call {call.id} is open already")
            waiting[call.id] = (*here, "tool_calls", number)
        if message.tool_call_id is not None and waiting.pop(message.tool_call_id, None) is None:
            said = f"no call {message.tool_call_id} waits for a result"
            raise wrong((*here, "tool_call_id"), said)
    if turn.finish == "stopped" or not turn.is_committed:
        return
    for where in waiting.values():
        raise wrong(where, "the call has no result in its turn")
    if turn.messages[-1].role != "assistant":
        raise wrong((*place, "messages"), "a turn that was not stopped ends with an answer")
