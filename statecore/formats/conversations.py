"""A file of conversations, of whatever format -> trees, each by itself."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from statecore.contract.document import read_json, version_of
from statecore.contract.tree_document import tree_from
from statecore.contract.tree_schema import Tree
from statecore.errors import InvalidInput
from statecore.formats import chatgpt_tree, open_assistant
from statecore.formats.chatgpt import is_export
from statecore.formats.growing import grown
from statecore.formats.message_tree import MessageTree, Why


@dataclass(frozen=True, slots=True)
class Found:
    """One conversation of a file."""

    place: str
    """Which one it is, in words; empty where the file is one conversation."""
    tree: Tree
    left_out: Mapping[Why, int]
    """How many messages of the file are not in it, by reason."""
    document: object = None
    """What it was read from, where it is a state or a tree of Glassbox."""


@dataclass(frozen=True, slots=True)
class Unfit:
    """One conversation of a file that cannot come in."""

    place: str
    why: str


def conversations_of(text: str) -> Iterator[Found | Unfit]:
    """Return the conversations of a file, one after the other.

    A file is a state or a tree of Glassbox, an export of ChatGPT or one conversation of it, or
    trees of OpenAssistant, one a line.

    Raises:
        InvalidInput: when it is none of these, or it is a single conversation that is wrong.
    """
    rows = _lines(text)
    if rows is not None:
        return _trees(rows, "line")
    found = read_json(text)
    if version_of(found) is not None:
        return iter([Found("", tree_from(found, text), {}, found)])
    if is_export(found):
        if isinstance(found, dict):
            return iter([_single(chatgpt_tree.message_tree(found, "conversation"))])
        return _trees(dict(enumerate(found, start=1)), "conversation")
    if open_assistant.is_tree(found):
        return iter([_single(open_assistant.message_tree(found, "tree"))])
    if isinstance(found, list) and found and open_assistant.is_tree(found[0]):
        return _trees(dict(enumerate(found, start=1)), "tree")
    raise InvalidInput(
        "it is no state or tree of Glassbox, no export of ChatGPT and no trees of OpenAssistant"
    )


def _single(messages: MessageTree) -> Found:
    one = grown(messages)
    return Found("", one.tree, one.left_out)


def _lines(text: str) -> dict[int, Any] | None:
    """Return what stands in each line, where the first ones are documents of their own."""
    lines = {number: line for number, line in enumerate(text.split("\n"), start=1) if line.strip()}
    first = next(iter(lines.values()), "")
    if len(lines) < 2 or not open_assistant.is_tree(_json(first)):  # noqa: PLR2004  # one is a document
        return None
    return {number: _json(line) for number, line in lines.items()}


def _json(line: str) -> Any:  # noqa: ANN401  # JSON is what it is
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _trees(rows: Mapping[int, Any], noun: str) -> Iterator[Found | Unfit]:
    for number, row in rows.items():
        place = f"{noun} {number}"
        try:
            one = grown(_messages(row, place))
        except InvalidInput as error:
            why = str(error).removeprefix(f"{place}: ").removeprefix(f"{place} → ")
            yield Unfit(place, why)
        else:
            yield Found(place, one.tree, one.left_out)


def _messages(row: Any, place: str) -> MessageTree:  # noqa: ANN401  # JSON is what it is
    if isinstance(row, dict) and "mapping" in row:
        return chatgpt_tree.message_tree(row, place)
    if open_assistant.is_tree(row):
        return open_assistant.message_tree(row, place)
    raise InvalidInput(f"{place}: it is no conversation")
