"""Reads dialogues of public data sets as turns of a user and an assistant.

Each file is one JSON object a line, named after its data set; what is missing is passed over.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any

from statecore.formats.chatgpt import transcript_of

Said = tuple[str, str]
"""A role, user or assistant, and what was said."""
Spellings = tuple[str, ...]
"""One value in all the ways of writing it that count."""


@dataclass(frozen=True)
class Pair:
    """One turn: what the user said, and the answer; either may be empty."""

    asked: str
    answered: str
    gold: tuple[Spellings, ...] = ()
    """Values that hold after the user's words, where the data set names them."""
    is_last: bool = False
    """Whether it ends the dialogue that it came from."""


@dataclass(frozen=True)
class Dialogue:
    """One conversation."""

    source: str
    """The data set."""
    name: str
    pairs: tuple[Pair, ...]


def read_all(folder: Path) -> Iterator[Dialogue]:
    """Yield the dialogues of all data sets that lie in a folder."""
    for source in READERS:
        yield from read(folder, source)


def read(folder: Path, source: str) -> Iterator[Dialogue]:
    """Yield the dialogues of one data set; none where its file is missing."""
    for row in _rows(folder, source):
        for name, pairs in READERS[source](row):
            yield Dialogue(source, name, tuple(pairs))


def _rows(folder: Path, source: str) -> Iterator[Mapping[str, Any]]:
    path = folder / f"{source}.{'json' if source == CHATGPT else 'jsonl'}"
    if not path.exists():
        return
    with path.open(encoding="utf-8") as file:
        yield from json.load(file) if source == CHATGPT else map(json.loads, file)


def joined(dialogues: Iterable[Dialogue], turns: int) -> Iterator[Dialogue]:
    """Yield dialogues put together to one conversation of at least so many turns each.

    A last one that stays shorter is left out.
    """
    held: list[Dialogue] = []
    for dialogue in dialogues:
        held.append(dialogue)
        pairs = tuple(pair for one in held for pair in one.pairs)
        if len(pairs) >= turns:
            yield replace(held[0], pairs=pairs)
            held = []


def pairs_of(said: Iterable[Said]) -> Iterator[Pair]:
    """Yield turns; what one side says in a row is one message."""
    merged = [
        (role, "\n".join(text for _, text in run))
        for role, run in groupby(said, lambda one: one[0])
    ]
    if merged and merged[0][0] == "assistant":
        merged.insert(0, ("user", ""))
    answers = [text for _, text in merged[1::2]]
    for (_, asked), answered in zip(merged[::2], [*answers, ""], strict=False):
        yield Pair(asked, answered)


_Named = Iterator[tuple[str, Iterable[Pair]]]


def _locomo(row: Mapping[str, Any]) -> _Named:
    user = row["speakers"][0]
    said = (
        ("user" if turn["speaker"] == user else "assistant", turn["text"])
        for session in row["sessions"]
        for turn in session["turns"]
    )
    yield row["id"], pairs_of(said)


def _longmemeval(row: Mapping[str, Any]) -> _Named:
    turns = (turn for session in row["sessions"] for turn in session["turns"])
    yield row["id"], pairs_of((turn["role"], turn["content"]) for turn in turns)


def _messages(row: Mapping[str, Any]) -> _Named:
    yield row["id"], pairs_of((one["role"], one["content"]) for one in row["messages"])


def _sgd(row: Mapping[str, Any]) -> _Named:
    pairs: list[Pair] = []
    for turn in row["turns"]:
        if turn["speaker"] == "user":
            pairs.append(Pair(turn["text"], "", tuple(_slots(turn.get("state", {})))))
        elif pairs:
            pairs[-1] = replace(pairs[-1], answered=turn["text"])
    pairs[-1] = replace(pairs[-1], is_last=True)
    yield row["id"], pairs


def _slots(state: Mapping[str, Any]) -> Iterator[Spellings]:
    for service in state.values():
        for spellings in service["slots"].values():
            # A wish for anything is no value.
            if spellings and "dontcare" not in spellings:
                yield tuple(spellings)


def _irc(row: Mapping[str, Any]) -> _Named:
    """Yield a chat of many as one: who says the most answers, the others ask under their names."""
    counts = Counter(one["nick"] for one in row["messages"])
    helper = counts.most_common(1)[0][0]
    said = (
        ("assistant", one["text"])
        if one["nick"] == helper
        else ("user", f"{one['nick']}: {one['text']}")
        for one in row["messages"]
    )
    yield row["id"], pairs_of(said)


def _oasst(row: Mapping[str, Any]) -> _Named:
    """Yield each path of a tree from its root to a leaf."""
    nodes = {node["id"]: node for node in row["nodes"]}
    parents = {node["parent"] for node in row["nodes"]}
    for leaf in nodes.values():
        if leaf["id"] in parents:
            continue
        path = []
        node: Mapping[str, Any] | None = leaf
        while node is not None:
            path.append((node["role"], node["text"]))
            node = nodes.get(node["parent"])
        yield leaf["id"], pairs_of(reversed(path))


def _chatgpt(conversation: Mapping[str, Any]) -> _Named:
    transcript = transcript_of([conversation])
    said = [
        (one.role, one.text) for one in transcript.messages if one.role in {"user", "assistant"}
    ]
    yield str(conversation.get("id") or conversation["title"]), pairs_of(said)


CHATGPT = "chatgpt_export_conversations"

READERS: Mapping[str, Callable[[Mapping[str, Any]], _Named]] = {
    "locomo": _locomo,
    "longmemeval": _longmemeval,
    "sgd_dialogues": _sgd,
    "oasst_trees": _oasst,
    "long_chat_irc": _irc,
    "chat_zh_sharegpt": _messages,
    "chat_ru_multiwoz": _messages,
    CHATGPT: _chatgpt,
}


def whole(source: str, dialogues: Sequence[Dialogue]) -> Dialogue:
    """Return all dialogues of a data set as one conversation."""
    return Dialogue(source, source, tuple(pair for one in dialogues for pair in one.pairs))
