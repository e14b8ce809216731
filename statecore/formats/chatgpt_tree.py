"""One conversation of a ChatGPT export -> its messages on all branches.

What a person never saw is left out, as on one path (see `chatgpt`), and what follows it stays.
"""

from collections.abc import Iterator

from statecore.errors import InvalidInput
from statecore.formats.chatgpt_form import (
    Conversation,
    Said,
    conversation_of,
    current_of,
    is_seen,
    message_of,
)
from statecore.formats.message_tree import LeftOut, MessageTree, Node
from statecore.formats.parts import whole


def message_tree(document: object, place: str) -> MessageTree:
    """Return the messages of a conversation.

    Args:
        document: one conversation of an export.
        place: which one it is, in words.

    Raises:
        InvalidInput: naming the first thing that is wrong with it.
    """
    found = conversation_of(document, place)
    current = current_of(found)
    if current is not None and current not in found.mapping:
        said = f"current_node is {current!r}, which is not there"
        raise InvalidInput(f"{place} → mapping: {said}")
    nodes: list[Node] = []
    left_out: list[LeftOut] = []
    stands_for: dict[str, str | None] = {}
    times: dict[str | None, int] = {None: 0}
    for name in _order(found, place):
        node = found.mapping[name]
        parent = None if node.parent is None else stands_for[node.parent]
        before_ms = times[node.parent]
        spoken = node.message
        time = None if spoken is None else spoken.create_time
        times[name] = max(before_ms, round((time or 0) * 1000))
        seen = None if spoken is None else _node(name, spoken, parent, times[name], place)
        if isinstance(seen, Node):
            nodes.append(seen)
        elif seen is not None:
            left_out.append(seen)
        stands_for[name] = name if isinstance(seen, Node) else parent
    return MessageTree(
        nodes=tuple(nodes),
        selected=None if current is None else stands_for[current],
        title=whole(found.title or "").replace("\0", ""),
        created_ms=_milliseconds(found.create_time),
        updated_ms=_milliseconds(found.update_time or found.create_time),
        left_out=tuple(left_out),
    )


def _node(name: str, said: Said, parent: str | None, now_ms: int, place: str) -> Node | LeftOut:
    if not is_seen(said):
        return LeftOut("hidden", name)
    message = message_of(name, said, now_ms, place)
    role = said.author.role
    if role != "tool" and not message.text.strip() and not message.tool_calls:
        return LeftOut("empty", name)
    model = (said.metadata or {}).get("model_slug") if role == "assistant" else None
    tool = said.author.name if role == "tool" else None
    return Node(message, parent, tool, whole(model) if isinstance(model, str) else "")


def _order(conversation: Conversation, place: str) -> Iterator[str]:
    """Yield the names of all nodes, parents first and siblings as their parent names them."""
    mapping = conversation.mapping
    children: dict[str | None, list[str]] = {}
    for name, node in mapping.items():
        if node.parent is not None and node.parent not in mapping:
            said = f"the parent of {name!r} is {node.parent!r}, which is not there"
            raise InvalidInput(f"{place} → mapping: {said}")
        children.setdefault(node.parent, []).append(name)
    ahead = children.get(None, [])[::-1]
    met: set[str] = set()
    while ahead:
        name = ahead.pop()
        met.add(name)
        yield name
        ranks = {child: rank for rank, child in enumerate(mapping[name].children or ())}
        following = children.get(name, [])
        following.sort(key=lambda child: ranks.get(child, len(ranks)))
        ahead.extend(reversed(following))
    for name in mapping:
        if name not in met:
            raise InvalidInput(f"{place} → mapping: the parents of {name!r} lead back to it")


def _milliseconds(seconds: float | None) -> int | None:
    return None if seconds is None else round(seconds * 1000)
