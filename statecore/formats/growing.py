"""Turns -> a tree: each further answer of an input, and each further input, is a branch."""

import heapq
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from statecore.contract.places import first_wrong
from statecore.contract.schema import TITLE_CHARACTERS, ContractMemory, ContractMessage
from statecore.contract.tree_checks import check_tree
from statecore.contract.tree_schema import TREE, Tree, TreeConversation
from statecore.formats.message_tree import MessageTree, Why
from statecore.formats.turning import Said, Turning, turned
from statecore.messages import Message

MAIN = "b1"
FIRST_TITLE_CHARACTERS = 60


@dataclass(frozen=True, slots=True)
class Grown:
    """One conversation of a file."""

    tree: Tree
    left_out: Mapping[Why, int]
    """How many messages of the file are not in it, by reason."""


def grown(messages: MessageTree) -> Grown:
    """Return a conversation as a tree.

    The first input and the first answer at each place are the line that goes on; whatever stands
    beside them begins a branch. Turns are numbered by their time.

    Raises:
        InvalidInput: when it cannot be one; says why.
    """
    found = turned(messages)
    writer = _Writer(found)
    for number in _order(found.turns):
        writer.add(number)
    selected = writer.select(messages.selected)
    title = messages.title.strip() or _first_words(found.turns[0])
    document = {
        "schema_version": TREE,
        "conversation": TreeConversation(
            id="imported",
            title=title[:TITLE_CHARACTERS] or None,
            created_ms=messages.created_ms,
            updated_ms=messages.updated_ms,
        ),
        "system": tuple(writer.system),
        "branches": tuple(writer.branches.values()),
        "selected": selected,
        "turns": tuple(writer.turns),
        "memory": ContractMemory(as_of=writer.seq),
    }
    try:
        tree = Tree.model_validate(document)
    except ValidationError as error:
        raise first_wrong(error) from None
    check_tree(tree)
    return Grown(tree, Counter(one.why for one in found.left_out))


def _order(turns: Sequence[Said]) -> list[int]:
    """Return the numbers of the turns by time: after their parent, and after earlier siblings."""
    following: dict[int | None, list[int]] = {}
    for number, turn in enumerate(turns):
        following.setdefault(turn.parent, []).append(number)
    for siblings in following.values():
        siblings.reverse()
    ready: list[tuple[int, int]] = []
    order: list[int] = []

    def next_below(parent: int | None) -> None:
        if siblings := following.get(parent):
            number = siblings.pop()
            heapq.heappush(ready, (turns[number].time_ms, number))

    next_below(None)
    while ready:
        _, number = heapq.heappop(ready)
        order.append(number)
        next_below(turns[number].parent)
        next_below(number)
    return order


class _Writer:
    """Writes turns and branches as documents, with the seqs at which they would have come."""

    def __init__(self, found: Turning) -> None:
        self._found = found
        self._branch_of: dict[int, str] = {}
        self._depths: dict[int, int] = {}
        self._first: dict[int | None, int] = {}
        """By turn: the first that followed it."""
        self._asked: dict[str, int] = {}
        """By id of an input: the first turn that it was asked in."""
        self.seq = 0
        self.system: list[dict[str, Any]] = []
        self.turns: list[dict[str, Any]] = []
        self.branches: dict[str, dict[str, Any]] = {MAIN: {"id": MAIN, "origin": "main"}}
        if found.system is not None:
            self.seq = 1
            self.system = [_message(found.system, "s1") | {"seq": 1}]

    def add(self, number: int) -> None:
        """Write a turn, and the branch that it begins if it does."""
        turn = self._found.turns[number]
        branch = self._branch(number, turn)
        self._branch_of[number] = branch
        first = self._asked.setdefault(turn.asked.message.id, number)
        is_first = first == number
        named = [
            _message(message, f"m{number + 1}.{position}")
            for position, message in enumerate(turn.messages, start=1)
        ]
        ended_ms = turn.messages[-1].created_ms
        begun_ms = turn.messages[0].created_ms
        depth = self._depths[number] = 1 + (0 if turn.parent is None else self._depths[turn.parent])
        self.seq += 1
        row: dict[str, Any] = {
            "id": _id(number),
            "parent": _id_or_none(turn.parent),
            "branch": branch,
            "input_of": None if is_first else _id(first),
            "depth": depth,
            "status": "committed" if turn.is_committed else "interrupted",
            "messages": tuple(named if is_first else named[1:]),
            "accepted_seq": self.seq,
            "accepted_ms": begun_ms,
            "branch_ms": begun_ms,
            "model": next((one.model for one in reversed(turn.answered) if one.model), ""),
        }
        if turn.is_committed:
            self.seq += 1
            row |= {"finish": turn.finish, "committed_seq": self.seq, "committed_ms": ended_ms}
            self.branches[branch]["tip"] = row["id"]
        self.turns.append(row)

    def select(self, wanted: str | None) -> str:
        """Return the branch that shows a message, set back to it where more was said after it."""
        while wanted in self._found.stands_for:
            wanted = self._found.stands_for[wanted]
        shown = [
            (turn.last.message.id != wanted, number)
            for number, turn in enumerate(self._found.turns)
            if wanted in {node.message.id for node in (turn.asked, *turn.answered)}
        ]
        if not shown:
            return MAIN
        _, number = min(shown)
        turn, name = self._found.turns[number], self._branch_of[number]
        branch = self.branches[name]
        if turn.is_committed and branch["tip"] != _id(number):
            branch["redo_tip"], branch["tip"] = branch["tip"], _id(number)
        return name

    def _branch(self, number: int, turn: Said) -> str:
        first = self._first.setdefault(turn.parent, number)
        if first == number:
            return MAIN if turn.parent is None else self._branch_of[turn.parent]
        asked = self._asked.get(turn.asked.message.id)
        self.seq += 1
        name = f"b{len(self.branches) + 1}"
        self.branches[name] = {
            "id": name,
            "origin": "edit" if asked is None else "regenerate",
            "parent_turn": _id_or_none(turn.parent),
            "left_branch": self._branch_of[first if asked is None else asked],
            "tip": _id_or_none(turn.parent),
            "created_seq": self.seq,
            "created_ms": turn.time_ms,
        }
        return name


def _id(number: int) -> str:
    return f"t{number + 1}"


def _id_or_none(number: int | None) -> str | None:
    return None if number is None else _id(number)


def _message(message: Message, name: str) -> dict[str, Any]:
    said = {field: getattr(message, field) for field in ContractMessage.model_fields}
    return said | {"id": name}


def _first_words(turn: Said) -> str:
    return " ".join(turn.asked.message.text.split())[:FIRST_TITLE_CHARACTERS].strip()
