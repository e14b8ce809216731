"""Inputs of which somebody knows what they point at: labelled by hand, or answers with reply links.

Labelled: one conversation a line, user and assistant in turns, with `asks`: pairs of an input and
the index of the message it means, a list where several are right, or null where it means none.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from statecore.context.state import PathTurn, State
from statecore.language.pointers import pointers
from statecore.messages import Message

ROLES = ("user", "assistant")
IRC_BEFORE = 100
"""So many messages of a log stand before the one that replies."""


class Ask(NamedTuple):
    """One input after a conversation."""

    language: str
    part: str
    """tuned: looked at while the cues were written; unseen: not."""
    messages: tuple[str, ...]
    text: str
    right: frozenset[int]
    """Indexes of the messages that it means; empty for none."""

    def state(self) -> State:
        """Return the conversation with the input."""
        said = [_message(index, ROLES[index % 2], text) for index, text in enumerate(self.messages)]
        turns = [
            PathTurn(f"t{depth}", depth, tuple(said[2 * depth - 2 : 2 * depth]))
            for depth in range(1, (len(said) + 1) // 2 + 1)
        ]
        return State(None, tuple(turns), _message(-1, "user", self.text))


class Reply(NamedTuple):
    """One message of a log that answers others and has a phrase that points back."""

    before: tuple[tuple[int, bool, str], ...]
    """Messages before it: number, whether by the same speaker, text."""
    text: str
    linked: frozenset[int]

    def state(self) -> State:
        """Return the log before it; everybody else is one speaker."""
        turns = [
            PathTurn(f"t{place}", place, (_message(number, ROLES[not is_own], text),))
            for place, (number, is_own, text) in enumerate(self.before, 1)
        ]
        return State(None, tuple(turns), _message(-1, "user", self.text))


def read_asks(path: Path) -> tuple[Ask, ...]:
    """Return the labelled inputs of a file."""
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return tuple(
        Ask(row["language"], row["part"], tuple(row["messages"]), text, _indexes(right))
        for row in rows
        for text, right in row["asks"]
    )


def read_replies(path: Path) -> Iterator[Reply]:
    """Yield the replies of logs in which some phrase points back."""
    for line in path.read_text(encoding="utf-8").splitlines():
        messages = json.loads(line)["messages"]
        for place, message in enumerate(messages):
            text = _without_name(message["text"])
            links = frozenset(message.get("reply_to", ())) - {message["i"]}
            if links and pointers(text):
                before = messages[max(0, place - IRC_BEFORE) : place]
                yield Reply(tuple(_said(before, message["nick"])), text, links)


def _said(messages: Sequence[dict[str, str]], nick: str) -> Iterator[tuple[int, bool, str]]:
    for one in messages:
        yield int(one["i"]), one["nick"] == nick, _without_name(one["text"])


def _without_name(text: str) -> str:
    """Return a message without the name of whom it speaks to."""
    name, mark, rest = text.partition(" ")
    return rest if mark and name[-1:] in {":", ",", ">"} else text


def _indexes(right: int | list[int] | None) -> frozenset[int]:
    if right is None:
        return frozenset()
    return frozenset(right if isinstance(right, list) else [right])


def _message(number: int, role: str, text: str) -> Message:
    return Message(id=str(number), role=role, text=text, created_ms=0)  # type: ignore[arg-type]  # one of ROLES
