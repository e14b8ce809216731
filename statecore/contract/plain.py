"""Version 1: messages, summary lines, session fields, facts and request_meta, side by side.

It is what people write by hand and other programs keep: messages have no turns, and nobody knows
which sentence a summary line comes from unless it stands there word for word.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, ValidationError
from pydantic import Field as Limits

from statecore.contract.places import first_wrong, wrong
from statecore.contract.schema import CURRENT
from statecore.memory.contract_fields import ContractKey
from statecore.memory.ledger import EntryKind
from statecore.messages import Role, ToolCall

Document = dict[str, Any]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Message(_Part):
    id: str | None = None
    role: Role
    text: str
    created_ms: Annotated[int, Limits(ge=0)] | None = None
    """Null takes the time of the message before."""
    tool_calls: list[ToolCall] = []
    tool_call_id: str | None = None


class _Line(_Part):
    kind: EntryKind = "fact"
    text: str


class _Fact(_Part):
    content: str
    category: str = "fact"
    subject: str = ""
    attribute: str = ""
    message_id: str | None = None
    """Where it was said."""


def _rows(summary: object) -> object:
    """Return a summary as lines, of whatever form."""
    rows = summary.splitlines() if isinstance(summary, str) else summary
    if not isinstance(rows, list):
        return rows
    return [{"text": row} if isinstance(row, str) else row for row in rows]


def _single(value: object) -> object:
    if isinstance(value, str | int | float | None):
        return value
    raise ValueError("should be a text, a number, true, false or null")


class _Plain(_Part):
    schema_version: Literal["glassbox.state.1"]
    id: str = "plain"
    title: str | None = None
    messages: list[_Message]
    summary: Annotated[list[_Line], BeforeValidator(_rows)] = []
    """A text is one line a row."""
    session: dict[str, str] = {}
    facts: list[_Fact] = []
    request_meta: dict[str, Annotated[Any, AfterValidator(_single)]] = {}


class _Said(BaseModel):
    """A message in its place."""

    turn: int
    """Depth of its turn; 0 for the system message."""
    document: Document

    @property
    def id(self) -> str:
        return str(self.document["id"])


def from_plain(document: Document) -> Document:
    """Return a document of version 1 as one of the current version.

    A user message that another one follows has no answer: it becomes a turn that was stopped. One
    that stands at the end waits for its answer.

    Raises:
        InvalidInput: naming the first place that is wrong, and why.
    """
    try:
        plain = _Plain.model_validate_json(json.dumps(document))
    except ValidationError as error:
        raise first_wrong(error) from None
    said = list(_said(plain.messages))
    turns = _turns(said)
    writer = _Writer(said, turns)
    acts, fields = (
        writer.operations(plain, document.get("summary", [])),
        writer.contract_fields(plain),
    )
    return {
        "schema_version": CURRENT,
        "conversation": {"id": plain.id, "title": plain.title},
        "system": next((one.document for one in said if one.turn == 0), None),
        "turns": turns,
        "memory": {"as_of": writer.seq, "operations": acts},
        "contract_fields": fields,
        "facts": [
            writer.fact(fact, number, plain.id) for number, fact in enumerate(plain.facts, start=1)
        ],
        "request_meta": _request_meta(plain),
    }


def _said(messages: Sequence[_Message]) -> Iterator[_Said]:
    depth, time_ms = 0, 0
    own_ids = _own_ids(messages)
    for number, message in enumerate(messages):
        depth += message.role == "user"
        if message.role == "system" and number > 0:
            raise wrong(("messages", number, "role"), "a system message stands first, or nowhere")
        if depth == 0 and message.role != "system":
            said = f"a conversation begins with a user message, not with {message.role}"
            raise wrong(("messages", number, "role"), said)
        time_ms = time_ms if message.created_ms is None else message.created_ms
        found = message.model_dump() | {"created_ms": time_ms}
        yield _Said(turn=depth, document=found | {"id": message.id or next(own_ids)})


def _own_ids(messages: Sequence[_Message]) -> Iterator[str]:
    """Yield ids for messages that have none: their numbers, beside those that others have."""
    taken = {message.id for message in messages}
    for number, message in enumerate(messages, start=1):
        if not message.id:
            own, rank = f"m{number}", 1
            while own in taken:
                rank += 1
                own = f"m{number}_{rank}"
            taken.add(own)
            yield own


def _turns(said: Sequence[_Said]) -> list[Document]:
    by_depth: dict[int, list[Document]] = {}
    for one in said:
        by_depth.setdefault(one.turn, []).append(one.document)
    by_depth.pop(0, None)
    return [_turn(depth, messages, len(by_depth)) for depth, messages in by_depth.items()]


def _turn(depth: int, messages: list[Document], newest: int) -> Document:
    begun_ms = messages[0]["created_ms"]
    turn: Document = {
        "id": f"t{depth}",
        "depth": depth,
        "status": "committed",
        "messages": messages,
        "accepted_seq": 2 * depth - 1,
        "accepted_ms": begun_ms,
        "branch_ms": begun_ms,
    }
    if depth == newest and len(messages) == 1:
        return turn | {"status": "interrupted"}
    is_answered = messages[-1]["role"] == "assistant" and not messages[-1]["tool_calls"]
    return turn | {
        "finish": "complete" if is_answered else "stopped",
        "committed_seq": 2 * depth,
        "committed_ms": messages[-1]["created_ms"],
    }


class _Writer:
    """Writes what stands beside the messages, each with a seq of its own after all turns."""

    def __init__(self, said: Sequence[_Said], turns: Sequence[Document]) -> None:
        self._said = said
        self._turns = turns
        committed = [turn for turn in turns if turn["status"] == "committed"]
        self._tip = committed[-1] if committed else None
        self.seq = 2 * len(turns)
        """The newest that was given."""

    def operations(self, plain: _Plain, summary: object) -> list[Document]:
        """Return summary lines and session fields as acts of a person at the newest turn.

        Args:
            plain: what stands beside the messages.
            summary: as the file has it: rows of text are trimmed.
        """
        acts = [self._act("add", self._add(line)) for line in _lines(plain, summary)]
        now_ms = self._tip["branch_ms"] if self._tip else 0
        for key, value in plain.session.items():
            field = {"field": {"key": key, "value": value}, "branch_ms": now_ms}
            acts.append(self._act("set_field", field))
        return acts

    def contract_fields(self, plain: _Plain) -> list[Document]:
        """Return what of request_meta says how to answer."""
        wanted = {key: plain.request_meta.get(key) for key in get_args(ContractKey)}
        return [
            {"key": key, "value": str(value), "setter": "user", "seq": self._next()}
            for key, value in wanted.items()
            if value is not None
        ]

    def fact(self, fact: _Fact, number: int, conversation: str) -> Document:
        """Return a long-term fact, with the words of its message that it consists of."""
        place = ("facts", number - 1, "message_id")
        sources: list[Document] = []
        time_ms = 0
        if fact.message_id is not None:
            found = [one.document for one in self._said if one.id == fact.message_id]
            if not found:
                raise wrong(place, f"there is no message {fact.message_id}")
            text, time_ms = found[0]["text"], found[0]["created_ms"]
            start = max(0, text.find(fact.content))
            end = start + len(fact.content) if fact.content in text else len(text)
            where = {"conversation_id": conversation, "message_id": fact.message_id}
            sources.append(where | {"start": start, "end": end})
        return {
            "id": f"f{number}",
            **fact.model_dump(exclude={"message_id"}),
            "quote": fact.content,
            "sources": sources,
            "scope": "user",
            "created_ms": time_ms,
            "last_confirmed_ms": time_ms,
            "confidence": 1.0,
        }

    def _add(self, line: _Line) -> Document:
        for one in self._said:
            is_users = one.turn > 0 and one.document["role"] == "user"
            start = one.document["text"].find(line.text) if is_users else -1
            if start >= 0 and self._turns[one.turn - 1]["status"] == "committed":
                return line.model_dump() | {
                    "span": [one.id, start, start + len(line.text)],
                    "said_seq": self._turns[one.turn - 1]["accepted_seq"],
                    "depth": one.turn,
                }
        return line.model_dump()

    def _act(self, name: str, action: Document) -> Document:
        return {
            "seq": self._next(),
            "turn_id": self._tip["id"] if self._tip else None,
            "depth": self._tip["depth"] if self._tip else 0,
            "created_ms": self._tip["committed_ms"] if self._tip else 0,
            "action": {name: action},
        }

    def _next(self) -> int:
        self.seq += 1
        return self.seq


def line_numbers(summary: object) -> list[int]:
    """Return the rows of a summary that say something, from 0."""
    rows = _rows(summary)
    found = rows if isinstance(rows, list) else []
    return [number for number, row in enumerate(found) if str(row["text"]).strip()]


def _lines(plain: _Plain, summary: object) -> Iterator[_Line]:
    rows = summary if isinstance(summary, list) else [""] * len(plain.summary)
    for number in line_numbers(summary):
        line = plain.summary[number]
        is_text = isinstance(rows[number], str)
        yield _Line(text=line.text.strip().removeprefix("- ")) if is_text else line


def _request_meta(plain: _Plain) -> Document:
    keys = get_args(ContractKey)
    rest = {key: value for key, value in plain.request_meta.items() if key not in keys}
    model = rest.pop("model", None)
    marks = {key: str(value) for key, value in rest.items() if value is not None}
    return {"model": "" if model is None else str(model), "marks": marks}
