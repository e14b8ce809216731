"""One conversation of a ChatGPT export as its file has it, and what one node of it says."""

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, ValidationError

from statecore.errors import InvalidInput, first_fault
from statecore.formats.parts import not_read, text_of, whole
from statecore.messages import Finish, Message, ToolCall

Seconds = Annotated[float, Field(ge=0, le=1e11, allow_inf_nan=False)]

_UNSEEN = frozenset(
    {"thoughts", "reasoning_recap", "model_editable_context", "user_editable_context"}
)
_TEXT_KEYS = ("text", "result", "content")
"""Where the kinds of content without parts keep their text."""
_FINISH: Mapping[str, Finish] = {"interrupted": "stopped", "max_tokens": "length"}


class Author(BaseModel):
    """Who said something."""

    role: Literal["system", "user", "assistant", "tool"]
    name: str | None = None


class Said(BaseModel):
    """What a node says."""

    author: Author
    content: dict[str, Any]
    create_time: Seconds | None = None
    weight: float | None = None
    recipient: str | None = None
    metadata: dict[str, Any] | None = None


class Node(BaseModel):
    """A place in the tree; a root says nothing."""

    message: Said | None = None
    parent: str | None = None
    children: list[str] | None = None


class Conversation(BaseModel):
    """One conversation of an export."""

    title: str | None = None
    mapping: dict[str, Node]
    current_node: str | None = None
    """Null in some exports: the newest leaf counts then (see `current_of`)."""
    create_time: Seconds | None = None
    update_time: Seconds | None = None


def conversation_of(document: object, place: str) -> Conversation:
    """Return a conversation that fits.

    Raises:
        InvalidInput: naming the first place that does not.
    """
    try:
        return Conversation.model_validate(document)
    except ValidationError as error:
        raise InvalidInput(first_fault(error.errors(), inside=place)) from None


def current_of(conversation: Conversation) -> str | None:
    """Return the node that a conversation ends at: the one it names, else its newest leaf.

    Leaves of one time give way to the one that stands last in the file. None where there are no
    nodes.
    """
    if conversation.current_node is not None:
        return conversation.current_node
    mapping = conversation.mapping
    parents = {node.parent for node in mapping.values()}
    leaves = (name for name in mapping if name not in parents)
    ranks = {name: rank for rank, name in enumerate(mapping)}
    return max(leaves, key=lambda name: (_said_at(mapping[name]), ranks[name]), default=None)


def _said_at(node: Node) -> float:
    return 0.0 if node.message is None else node.message.create_time or 0.0


def is_seen(said: Said) -> bool:
    """Return whether a person was shown it."""
    is_hidden = bool((said.metadata or {}).get("is_visually_hidden_from_conversation"))
    is_thought = str(said.content.get("content_type")) in _UNSEEN
    return not is_hidden and not is_thought and said.weight != 0


def message_of(name: str, said: Said, created_ms: int, place: str) -> Message:
    """Return what a node says.

    Args:
        name: of the node.
        said: what it says.
        created_ms: milliseconds since the epoch.
        place: of its conversation, for errors.

    Raises:
        InvalidInput: when its content cannot be read; names it.
    """
    try:
        return _message(name, said, created_ms)
    except ValueError as error:
        raise InvalidInput(f"{place} → mapping → {name} → content: {error}") from None


def _message(name: str, said: Said, created_ms: int) -> Message:
    text = _text(said.content)
    calls: tuple[ToolCall, ...] = ()
    if said.author.role == "assistant" and said.recipient not in {None, "all"}:
        calls = (ToolCall(whole(name), whole(said.recipient or ""), _arguments(text)),)
    details = (said.metadata or {}).get("finish_details")
    ended = details.get("type") if isinstance(details, dict) else None
    return Message(
        id=whole(name),
        role=said.author.role,
        text="" if calls else text,
        created_ms=created_ms,
        tool_calls=calls,
        finish=_FINISH.get(str(ended), "complete"),
    )


def _text(content: Mapping[str, Any]) -> str:
    if "parts" in content:
        return text_of(content["parts"])
    for key in _TEXT_KEYS:
        if isinstance(content.get(key), str):
            return whole(content[key])
    return not_read(str(content.get("content_type")))


def _arguments(text: str) -> str:
    """Return what a tool was told as JSON text; code and the like become one argument of it."""
    try:
        is_object = isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        is_object = False
    return text if is_object else json.dumps({"input": text}, ensure_ascii=False)
