"""The form of version 2, as far as a state needs it."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict
from pydantic import Field as Limits

from statecore.memory.ledger import Author, EntryKind, Span
from statecore.memory.session import Expiry
from statecore.state.operations import Rejected
from statecore.turns import TurnStatus


class _Row(BaseModel):
    """Of a page only what a state needs is read."""

    model_config = ConfigDict(extra="ignore", strict=True)


class PageAttempt(_Row):
    """One model call as the page had it."""

    ordinal: int
    status: str
    reason: str
    model_name: str
    started_ms: int
    window_tokens: int
    prompt_tokens: int | None
    completion_tokens: int | None


class PageTurn(_Row):
    """One turn as the page had it."""

    id: str
    parent_id: str | None
    depth: int
    status: TurnStatus
    finish: str
    model_name: str
    accepted_ms: int
    committed_ms: int | None
    input_text: str
    answer_text: str | None
    attempts: list[PageAttempt]
    seen: bool


class PageEntry(_Row):
    """One entry, of which the page knew when it was said and learned."""

    id: str
    kind: EntryKind
    text: str
    quote: str
    sources: list[Span]
    author: Author
    seq: int
    said_seq: int
    depth: int
    superseded_by: str | None
    is_foreseen: bool


class PageField(_Row):
    """One session field."""

    key: str
    value: str
    setter: Author
    seq: int
    expiry: Expiry
    source: Span | None
    visible: bool


class PageOperation(_Row):
    """One act of a person."""

    seq: int
    turn: str | None
    kind: str
    action: dict[str, Any]


class PageDelta(_Row):
    """That a turn was learned, and by what; not what it taught."""

    turn: str
    seq: int
    model: str
    note: str


class PageMemory(_Row):
    """What the panels showed."""

    as_of: int
    entries: list[PageEntry]
    fields: list[PageField]
    rejected: list[Rejected]
    operations: list[PageOperation]
    deltas: list[PageDelta]


class Page(_Row):
    """The whole page."""

    schema_: Literal["glassbox.page.2"] = Limits(alias="schema")
    id: str
    title: str | None
    model_name: str
    turns: list[PageTurn]
    older_before: str | None
    memory: PageMemory
