"""Messages that follow each other -> turns: one input each, and one way in which it was answered.

An input with several answers becomes several turns that share it. What two answers have in common,
such as the same call of a tool, is in both turns.
"""

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from statecore.errors import InvalidInput
from statecore.formats.message_tree import LeftOut, MessageTree, Node
from statecore.formats.results import add_result
from statecore.messages import Finish, Message

MAX_MESSAGES = 100_000
"""Of all turns of one conversation, messages that several turns have counted in each."""


@dataclass(slots=True)
class Said:
    """One turn as it was said."""

    parent: int | None
    """Number of the turn before it, from 0; None at the root."""
    asked: Node
    answered: tuple[Node, ...]
    is_committed: bool
    """False for an input that stands at an end without an answer."""
    time_ms: int
    """When it began to differ from the turns before it."""
    messages: list[Message] = field(default_factory=list)
    """The input first."""
    finish: Finish = "complete"

    @property
    def last(self) -> Node:
        """The message at its end."""
        return self.answered[-1] if self.answered else self.asked


@dataclass(slots=True)
class Turning:
    """The turns of a conversation, parents before children and siblings in their order."""

    system: Message | None = None
    turns: list[Said] = field(default_factory=list)
    left_out: set[LeftOut] = field(default_factory=set)
    stands_for: dict[str, str | None] = field(default_factory=dict)
    """By id of what was left out: the message that came before it."""


def turned(tree: MessageTree) -> Turning:
    """Return the turns of a conversation.

    Raises:
        InvalidInput: when it has no message of a user, or too many turns repeat messages.
    """
    found = Turning(left_out=set(tree.left_out))
    children = _children(tree, found)
    waiting: deque[tuple[Node, int | None]] = deque((root, None) for root in children[None])
    count = 0
    while waiting:
        asked, parent = waiting.popleft()
        shared = False
        for answered, followers in _ways(asked, children):
            count += 1 + len(answered)
            if count > MAX_MESSAGES:
                raise InvalidInput(f"more than {MAX_MESSAGES} messages")
            begun = answered[0] if shared and answered else asked
            is_committed = bool(answered or followers)
            turn = Said(parent, asked, answered, is_committed, begun.message.created_ms)
            _say(turn, found)
            waiting.extend((follower, len(found.turns)) for follower in followers)
            found.turns.append(turn)
            shared = True
    if not found.turns:
        raise InvalidInput("holds no message of a user")
    return found


def _children(tree: MessageTree, found: Turning) -> defaultdict[str | None, list[Node]]:
    """Return what follows each message, past what cannot stand in a turn; times never go back."""
    children: defaultdict[str | None, list[Node]] = defaultdict(list)
    times: dict[str | None, int] = {None: 0}
    for node in tree.nodes:
        name, parent = node.message.id, node.parent
        while parent in found.stands_for:
            parent = found.stands_for[parent]
        message = node.message
        if message.role == "system" and parent is None and found.system is None:
            found.system, found.stands_for[name] = message, None
        elif message.role == "system" or (message.role != "user" and parent is None):
            found.left_out.add(LeftOut("system" if message.role == "system" else "before", name))
            found.stands_for[name] = parent
        else:
            times[name] = max(times[parent], message.created_ms)
            said = replace(message, created_ms=times[name])
            children[parent].append(replace(node, message=said, parent=parent))
    return children


def _ways(
    asked: Node, children: dict[str | None, list[Node]]
) -> Iterator[tuple[tuple[Node, ...], list[Node]]]:
    """Yield each way in which an input was answered, and the inputs that followed it."""
    ahead: list[tuple[Node, tuple[Node, ...]]] = [(asked, ())]
    while ahead:
        node, answered = ahead.pop()
        following = children.get(node.message.id, [])
        answers = [one for one in following if one.message.role != "user"]
        followers = [one for one in following if one.message.role == "user"]
        if followers or not answers:
            yield answered, followers
        ahead.extend((one, (*answered, one)) for one in reversed(answers))


def _say(turn: Said, found: Turning) -> None:
    """Put together what was said in a turn, with each result at its call."""
    said = [turn.asked.message]
    for node in turn.answered:
        message = node.message
        if message.role != "tool":
            said.append(message)
        elif message.tool_call_id is None and _calls(said):
            add_result(said, message, node.tool)
        elif message.tool_call_id in _open(said):
            said.append(message)
        else:
            found.left_out.add(LeftOut("result", message.id))
    last = said[-1]
    if turn.is_committed:
        is_answered = last.role == "assistant" and not last.tool_calls
        turn.finish = last.finish if is_answered else "stopped"
    turn.messages = said if turn.finish == "stopped" else list(_closed(said, found))


def _calls(said: Sequence[Message]) -> list[str]:
    return [call.id for message in said for call in message.tool_calls]


def _open(said: Sequence[Message]) -> set[str]:
    return set(_calls(said)) - {message.tool_call_id or "" for message in said}


def _closed(said: Sequence[Message], found: Turning) -> Iterator[Message]:
    """Yield messages without calls that have no result."""
    waiting = _open(said)
    for message in said:
        calls = tuple(call for call in message.tool_calls if call.id not in waiting)
        if len(calls) < len(message.tool_calls):
            found.left_out.add(LeftOut("call", message.id))
        if calls or message.text or not message.tool_calls:
            yield replace(message, tool_calls=calls)
