"""The export of ChatGPT, `conversations.json` -> the messages of one conversation on its own path.

Of the tree of a conversation the path to its current node counts. What a person never saw is left
out: nodes that are marked as hidden, and what a model thought before it answered.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from statecore.errors import InvalidInput
from statecore.formats.chatgpt_form import (
    Conversation,
    Said,
    conversation_of,
    current_of,
    is_seen,
    message_of,
)
from statecore.formats.parts import whole
from statecore.formats.results import add_result
from statecore.formats.transcript import Transcript
from statecore.messages import Message

NAMED = 5
"""Entries of a file that are named where they were skipped."""


def is_export(document: object) -> bool:
    """Return whether a document looks like an export, or like one conversation of it."""
    rows = document if isinstance(document, list) else [document]
    return any(map(_is_conversation, rows))


def _is_conversation(row: object) -> bool:
    return isinstance(row, dict) and "mapping" in row


def transcript_of(document: object, wanted: str | None = None) -> Transcript:
    """Return one conversation of an export.

    Args:
        document: the whole export, or one conversation of it.
        wanted: number, from 1 on, or id of the conversation; None takes the newest of those that
            are conversations.

    Raises:
        InvalidInput: when there is no such conversation, or naming what is wrong with it.
    """
    conversations = document if isinstance(document, list) else [document]
    number = _number(conversations, wanted)
    place = f"conversation {number}"
    found = conversation_of(conversations[number - 1], place)
    path = tuple(_path(found, place))
    return Transcript(
        messages=_messages(path, place),
        title=whole(found.title or ""),
        place=_whole_place(number, conversations) if isinstance(document, list) else "",
    )


def _whole_place(number: int, conversations: Sequence[Any]) -> str:
    """Return which conversation was taken, and which entries of the file are none."""
    others = [
        str(other)
        for other, row in enumerate(conversations, start=1)
        if not _is_conversation(row) and other != number
    ]
    verb = "is none" if len(others) == 1 else "are none"
    skipped = f" ({', '.join(others[:NAMED])}{'…' * (len(others) > NAMED)} {verb})"
    return f"conversation {number} of {len(conversations)}{skipped if others else ''}"


def _number(conversations: Sequence[Any], wanted: str | None) -> int:
    if wanted is None:
        changed = [
            (_is_conversation(conversation), _changed(conversation))
            for conversation in conversations
        ]
        return changed.index(max(changed)) + 1
    if wanted.isascii() and wanted.isdigit() and 1 <= int(wanted) <= len(conversations):
        return int(wanted)
    for number, conversation in enumerate(conversations, start=1):
        ids = ("id", "conversation_id")
        if isinstance(conversation, dict) and wanted in [conversation.get(key) for key in ids]:
            return number
    raise InvalidInput(
        f"there is no conversation {wanted!r}: the file has {len(conversations)}, numbered from 1"
    )


def _changed(conversation: object) -> float:
    """Return when a conversation was changed, in seconds; 0 when it does not say."""
    if not isinstance(conversation, dict):
        return 0.0
    times = (conversation.get(key) for key in ("update_time", "create_time"))
    try:
        return next((float(time) for time in times if isinstance(time, int | float)), 0.0)
    except OverflowError:
        return 0.0


def _path(conversation: Conversation, place: str) -> Iterator[tuple[str, Said]]:
    """Yield the messages from the root to the current node."""
    name = current_of(conversation)
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


def _messages(path: Sequence[tuple[str, Said]], place: str) -> tuple[Message, ...]:
    messages: list[Message] = []
    now_ms = 0
    for name, said in path:
        now_ms = max(now_ms, round((said.create_time or 0) * 1000))
        if not is_seen(said):
            continue
        message = message_of(name, said, now_ms, place)
        if said.author.role == "tool":
            add_result(messages, message, said.author.name)
        elif message.text.strip() or message.tool_calls:
            messages.append(message)
    return tuple(messages)
