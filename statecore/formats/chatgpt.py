"""The export of ChatGPT, `conversations.json` -> the messages of one conversation on its own path.

Of the tree of a conversation the path to its current node counts. What a person never saw is left
out: nodes that are marked as hidden, and what a model thought before it answered.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, ValidationError

from statecore.errors import InvalidInput, first_fault
from statecore.formats.parts import not_read, text_of, whole
from statecore.formats.transcript import Transcript
from statecore.messages import Finish, Message, ToolCall

Seconds = Annotated[float, Field(ge=0, le=1e11, allow_inf_nan=False)]

_UNSEEN = frozenset(
    {"thoughts", "reasoning_recap", "model_editable_context", "user_editable_context"}
)
_TEXT_KEYS = ("text", "result", "content")
"""Where the kinds of content without parts keep their text."""
_FINISH: Mapping[str, Finish] = {"interrupted": "stopped", "max_tokens": "length"}


class _Author(BaseModel):
    role: Literal["system", "user", "assistant", "tool"]
    name: str | None = None


class _Said(BaseModel):
    author: _Author
    content: dict[str, Any]
    create_time: Seconds | None = None
    weight: float | None = None
    recipient: str | None = None
    metadata: dict[str, Any] | None = None


class _Node(BaseModel):
    message: _Said | None = None
    parent: str | None = None


class _Conversation(BaseModel):
    title: str | None = None
    mapping: dict[str, _Node]
    current_node: str


def is_export(document: object) -> bool:
    """Return whether a document looks like an export, or like one conversation of it."""
    first = document[0] if isinstance(document, list) and document else document
    return isinstance(first, dict) and "mapping" in first


def transcript_of(document: object, wanted: str | None = None) -> Transcript:
    """Return one conversation of an export.

    Args:
        document: the whole export, or one conversation of it.
        wanted: number, from 1 on, or id of the conversation; None takes the newest.

    Raises:
        InvalidInput: when there is no such conversation, or naming what is wrong with it.
    """
    conversations = document if isinstance(document, list) else [document]
    number = _number(conversations, wanted)
    place = f"conversation {number}"
    try:
        found = _Conversation.model_validate(conversations[number - 1])
    except ValidationError as error:
        raise InvalidInput(first_fault(error.errors(), inside=place)) from None
    path = tuple(_path(found, place))
    return Transcript(
        messages=_messages(path, place),
        title=whole(found.title or ""),
        place=f"{place} of {len(conversations)}" if isinstance(document, list) else "",
    )


def _number(conversations: Sequence[Any], wanted: str | None) -> int:
    if wanted is None:
        changed = [_changed(conversation) for conversation in conversations]
        return changed.index(max(changed)) + 1
    if wanted.isascii() and wanted.isdigit() and 1 <= int(wanted) <= len(conversations):
        return int(wanted)
    for number, conversation in enumerate(conversations, start=1):
        ids = ("id", "conversation_id")
        if isinstance(conversation, dict) and wanted in {conversation.get(key) for key in ids}:
            return number
    raise InvalidInput(
        f"there is no conversation {wanted!r}: the file has {len(conversations)}, numbered from 1"
    )


def _changed(conversation: object) -> float:
    """Return when a conversation was changed, in seconds; 0 when it does not say."""
    if not isinstance(conversation, dict):
        return 0.0
    times = (conversation.get(key) for key in ("update_time", "create_time"))
    return next((float(time) for time in times if isinstance(time, int | float)), 0.0)


def _path(conversation: _Conversation, place: str) -> Iterator[tuple[str, _Said]]:
    """Yield the messages from the root to the current node."""
    name: str | None = conversation.current_node
    names: dict[str, None] = {}
    while name is not None:
        if name in names:
            raise InvalidInput(f"{place} → mapping: the parents of {name!r} lead back to it")
        if name not in conversation.mapping:
            pointer = f"the parent of {list(names)[-1]!r}" if names else "current_node"
            raise InvalidInput(f"{place} → mapping: {pointer} is {name!r}, which is not there")
        names[name] = None
        name = conversation.mapping[name].parent
    for seen in reversed(names):
        said = conversation.mapping[seen].message
        if said is not None:
            yield seen, said


def _messages(path: Sequence[tuple[str, _Said]], place: str) -> tuple[Message, ...]:
    messages: list[Message] = []
    now_ms = 0
    for name, said in path:
        now_ms = max(now_ms, round((said.create_time or 0) * 1000))
        if not _is_seen(said):
            continue
        try:
            message = _message(name, said, now_ms)
        except ValueError as error:
            raise InvalidInput(f"{place} → mapping → {name} → content: {error}") from None
        if said.author.role == "tool":
            _add_result(messages, message, said.author.name)
        elif message.text.strip() or message.tool_calls:
            messages.append(message)
    return tuple(messages)


def _is_seen(said: _Said) -> bool:
    is_hidden = bool((said.metadata or {}).get("is_visually_hidden_from_conversation"))
    is_thought = said.content.get("content_type") in _UNSEEN
    return not is_hidden and not is_thought and said.weight != 0


def _message(name: str, said: _Said, created_ms: int) -> Message:
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


def _add_result(messages: list[Message], result: Message, tool: str | None) -> None:
    """Add what a tool said: a second saying on the same call belongs to the first."""
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
