"""Where in a document of version 1 lies what is wrong in the state that it becomes."""

from typing import Any, get_args

from statecore.contract.places import Steps
from statecore.contract.plain import line_numbers
from statecore.memory.contract_fields import ContractKey

Document = dict[str, Any]

_OF_FACTS = {"quote": "content", "sources": "message_id"}
_FACT = ("content", "category", "subject", "attribute", "message_id")


def plain_place(document: Document, steps: Steps) -> Steps:
    """Return the place in a document.

    Args:
        document: one that `from_plain` has taken.
        steps: the place in what it has given.
    """
    match steps:
        case ("turns", int(turn), *rest):
            return _of_turn(document["messages"], turn, rest)
        case ("memory", "operations", int(number), *rest):
            return _of_act(document, number, rest)
        case ("facts", int(number), str(name), *_):
            found = _OF_FACTS.get(name, name)
            return ("facts", number, found) if found in _FACT else ("facts", number)
    return _of_the_rest(document, steps)


def _of_the_rest(document: Document, steps: Steps) -> Steps:
    match steps:
        case ("system", *rest):
            return ("messages", 0, *rest)
        case ("conversation", str(name), *_):
            return (name,)
        case ("contract_fields", int(number), *_):
            meta = document.get("request_meta", {})
            keys = [key for key in get_args(ContractKey) if meta.get(key) is not None]
            return ("request_meta", keys[number])
        case ("request_meta", "marks", str(key), *_):
            return ("request_meta", key)
    return steps


def _of_turn(messages: list[Document], turn: int, rest: list[int | str]) -> Steps:
    begins = [index for index, message in enumerate(messages) if message["role"] == "user"]
    first = begins[turn]
    last = begins[turn + 1] - 1 if turn + 1 < len(begins) else len(messages) - 1
    match rest:
        case ("messages", int(index), *more):
            return ("messages", first + index, *more)
        case (str(name), *_) if name.endswith("_ms"):
            return ("messages", last if name.startswith("committed") else first, "created_ms")
    return ("messages", first)


def _of_act(document: Document, number: int, rest: list[int | str]) -> Steps:
    summary = document.get("summary", [])
    lines = line_numbers(summary)
    if number >= len(lines):
        return ("session", list(document.get("session", {}))[number - len(lines)])
    row = lines[number]
    is_line = isinstance(summary, list) and isinstance(summary[row], dict)
    if is_line and rest and rest[-1] in summary[row]:
        return ("summary", row, rest[-1])
    return ("summary", row)
