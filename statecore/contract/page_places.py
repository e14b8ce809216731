"""Where in a document of version 2 lies what is wrong in the state that it becomes."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from pydantic import BaseModel

from statecore.contract.page import page_acts, page_deltas, page_path
from statecore.contract.page_form import Page, PageDelta, PageOperation, PageTurn
from statecore.contract.places import Steps

Document = dict[str, Any]

_OF_TURNS = {"model": "model_name", "branch_ms": "accepted_ms"}
_OF_ROWS = {"turn_id": "turn"}


def page_place(document: Document, steps: Steps) -> Steps:
    """Return the place in a document.

    Args:
        document: one that `from_page` has taken.
        steps: the place in what it has given.
    """
    page = Page.model_validate_json(json.dumps(document))
    match steps:
        case ("turns", int(number), *rest):
            return _of_turn(page, page_path(page)[number], rest)
        case ("memory", str(name), int(number), *rest):
            return _of_memory(page, name, number, rest)
        case ("request_meta", "attempts", int(number), *rest):
            return _of_attempt(page, number, rest)
        case ("request_meta", "model", *_):
            return ("model_name",)
        case ("conversation", str(name), *_):
            return (name,)
    return steps


def _of_memory(page: Page, name: str, number: int, rest: Sequence[int | str]) -> Steps:
    if name == "deltas":
        index = _index(page.memory.deltas, page_deltas(page), number)
        return ("memory", name, index, *_known(PageDelta, _OF_ROWS, rest))
    # Below an action stands its kind, which the page has beside it.
    bare = ["action", *rest[2:]] if rest[:1] == ["action"] else rest
    index = _index(page.memory.operations, page_acts(page), number)
    return ("memory", name, index, *_known(PageOperation, _OF_ROWS, bare))


def _of_turn(page: Page, turn: PageTurn, rest: Sequence[int | str]) -> Steps:
    place: Steps = ("turns", _index(page.turns, [turn], 0))
    match rest:
        case ("messages", int(index), "created_ms", *_):
            return (*place, "committed_ms" if index else "accepted_ms")
        case ("messages", int(index), *more) if not more or more[0] == "text":
            return (*place, "answer_text" if index else "input_text")
        case ("messages", *_):
            return place
    return (*place, *_known(PageTurn, _OF_TURNS, rest))


def _of_attempt(page: Page, number: int, rest: Sequence[int | str]) -> Steps:
    places = [
        ("turns", _index(page.turns, [turn], 0), "attempts", index)
        for turn in page_path(page)
        for index in range(len(turn.attempts))
    ]
    found: Steps = places[number]
    return (*found, *("model_name" if name == "model" else name for name in rest))


def _known(
    form: type[BaseModel], renamed: dict[str, str], rest: Sequence[int | str]
) -> Sequence[int | str]:
    """Return the steps within a row, as far as it has them."""
    if not rest:
        return ()
    name = renamed.get(str(rest[0]), str(rest[0]))
    return (name, *rest[1:]) if name in form.model_fields else ()


def _index(rows: Sequence[object], kept: Iterable[object], number: int) -> int:
    """Return where among all rows the one is that has a number among those that were kept."""
    wanted = list(kept)[number]
    return next(index for index, row in enumerate(rows) if row is wanted)
