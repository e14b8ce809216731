"""One tree of OpenAssistant -> its messages on all branches.

Both forms are read: a list of nodes that name their parents, and a prompt with replies inside.
Siblings stand by their rank; the path of the best ones is the one that is looked at.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import AliasChoices, BaseModel, BeforeValidator, Field, ValidationError

from statecore.errors import InvalidInput, first_fault
from statecore.formats.message_tree import LeftOut, MessageTree, Node
from statecore.formats.parts import whole
from statecore.messages import Message


def _role(value: Any) -> Any:  # noqa: ANN401  # checked by what it becomes
    return "user" if value == "prompter" else value


class _Row(BaseModel):
    """One message of a list."""

    id: str = Field(validation_alias=AliasChoices("id", "message_id"))
    parent: str | None = Field(default=None, validation_alias=AliasChoices("parent", "parent_id"))
    role: Annotated[Literal["user", "assistant"], BeforeValidator(_role)]
    text: str
    rank: int | None = None
    created: datetime | None = Field(
        default=None, validation_alias=AliasChoices("created", "created_date")
    )


class _Tree(BaseModel):
    nodes: list[_Row]


def is_tree(document: object) -> bool:
    """Return whether a document looks like one tree of OpenAssistant."""
    if not isinstance(document, dict):
        return False
    return isinstance(document.get("nodes"), list) or isinstance(document.get("prompt"), dict)


def message_tree(document: dict[str, Any], place: str) -> MessageTree:
    """Return the messages of a tree.

    Args:
        document: one row of a file.
        place: which one it is, in words.

    Raises:
        InvalidInput: naming the first thing that is wrong with it.
    """
    nested = document.get("prompt")
    given = document if nested is None else {"nodes": list(_flat(nested))}
    try:
        rows = _Tree.model_validate(given).nodes
    except ValidationError as error:
        raise InvalidInput(first_fault(error.errors(), inside=place)) from None
    ordered = list(_order(rows, place))
    stands_for: dict[str | None, str | None] = {None: None}
    nodes: list[Node] = []
    for row in ordered:
        parent = stands_for[row.parent]
        stands_for[row.id] = row.id if row.text.strip() else parent
        if row.text.strip():
            nodes.append(_node(row, parent))
    times = [node.message.created_ms for node in nodes if node.message.created_ms]
    return MessageTree(
        nodes=tuple(nodes),
        selected=_best(nodes),
        created_ms=min(times, default=None),
        updated_ms=max(times, default=None),
        left_out=tuple(LeftOut("empty", row.id) for row in ordered if not row.text.strip()),
    )


def _flat(prompt: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the messages of a prompt with replies as a list has them."""
    ahead: list[tuple[Any, str | None]] = [(prompt, None)]
    while ahead:
        row, parent = ahead.pop()
        if not isinstance(row, dict):
            yield row
            continue
        replies = row.get("replies")
        yield {**{name: row[name] for name in row if name != "replies"}, "parent": parent}
        if isinstance(replies, list):
            name = row.get("message_id") or row.get("id")
            ahead.extend((reply, name) for reply in reversed(replies))


def _order(rows: Sequence[_Row], place: str) -> Iterator[_Row]:
    """Yield all rows, parents first and siblings by their rank."""
    names = {row.id for row in rows}
    if len(names) < len(rows):
        raise InvalidInput(f"{place} → nodes: two messages have the same id")
    children: dict[str | None, list[_Row]] = {}
    for number, row in enumerate(rows, start=1):
        if row.parent is not None and row.parent not in names:
            said = f"the parent of {row.id!r} is {row.parent!r}, which is not there"
            raise InvalidInput(f"{place} → nodes {number}: {said}")
        children.setdefault(row.parent, []).append(row)
    for siblings in children.values():
        siblings.sort(key=lambda row: (row.rank is None, row.rank or 0))
    ahead = children.get(None, [])[::-1]
    count = 0
    while ahead:
        row = ahead.pop()
        count += 1
        yield row
        ahead.extend(reversed(children.get(row.id, [])))
    if count < len(rows):
        raise InvalidInput(f"{place} → nodes: the parents of some messages lead in a ring")


def _node(row: _Row, parent: str | None) -> Node:
    created = row.created
    if created is not None and created.tzinfo is None:
        created = created.replace(tzinfo=UTC)
    created_ms = 0 if created is None else round(created.timestamp() * 1000)
    text = whole(row.text)
    return Node(Message(row.id, row.role, text, created_ms), parent)


def _best(nodes: Sequence[Node]) -> str | None:
    """Return the message at the end of the path of the first siblings."""
    first: dict[str | None, str] = {}
    for node in nodes:
        first.setdefault(node.parent, node.message.id)
    name: str | None = None
    while name in first:
        name = first[name]
    return name
