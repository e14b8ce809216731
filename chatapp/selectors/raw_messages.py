"""Reads everything that was ever said in a conversation, on all branches, in the order of the log.

Compaction, rollbacks and branches change nothing here: it reads what is stored, not a path.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal
from uuid import UUID

from chatapp.access import Access
from chatapp.keyring import SpaceKeys
from chatapp.models import Attempt, Message, Transition
from chatapp.store import attempts, conversations, paths
from chatapp.store.lines import Line, lines_of
from chatapp.vault import SealBroken
from statecore.messages import Role, ToolCall

RAW_PAGE: Final = 100

ENDS: Final = ("turn_committed", "turn_failed", "turn_interrupted")
"""Kinds of the transitions that end a run of attempts."""

State = Literal["whole", "redacted", "broken_off", "damaged"]
"""redacted: words of it, or all, were taken out; broken_off: text of an attempt that did not become
the answer; damaged: it does not open, as `verify_log` will tell."""


@dataclass(frozen=True, slots=True)
class RawMessage:
    """One thing that was said, as it is stored."""

    id: UUID
    """Of the message; of the attempt for what broke off."""
    seq: int
    created_ms: int
    role: Role
    state: State
    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    turn_id: UUID | None = None
    """None for the system's."""
    depth: int | None = None
    """Of its turn."""
    line: Line | None = None
    """The branch that its turn was written on."""
    reason: str = ""
    """Why an attempt broke off."""


@dataclass(frozen=True, slots=True)
class RawPage:
    """A page of what was said."""

    messages: tuple[RawMessage, ...]
    """In the order of the log."""
    next_after: int | None
    """The seq after which the next page begins; None on the last one."""
    title: str
    """Of the conversation; empty where it has none."""


def raw_page(access: Access, after: int = 0, *, size: int = RAW_PAGE) -> RawPage:
    """Return a page of what was said; five queries, whatever the conversation holds.

    Args:
        access: the conversation.
        after: shows what was said after this seq.
        size: how many messages; what was said in one transition is never cut in two.
    """
    rows = _message_rows(access, after, size)
    until = rows[-1][1] if len(rows) > size else None
    if until is not None:
        # The last transition of the page comes whole, on this page or on the next.
        before = [row for row in rows if row[1] < until]
        rows = before or _rows_of_seq(access, until)
        until = rows[-1][1]
    broken = list(_broken_off(access, after, until))
    branches = {row[-1] for row in rows if row[-1]} | {one.turn.branch_id for one, _ in broken}
    lines = lines_of(branches, access.keys)
    # What broke off stands before what came of it.
    found = [_attempt(one, seq, lines, access.keys) for one, seq in broken]
    found += [_message(row, lines, access.keys) for row in rows]
    found.sort(key=lambda one: one.seq)
    title = conversations.title_of(access.conversation, access.keys)
    return RawPage(tuple(found), until, title or "")


def raw_messages(access: Access) -> Iterator[RawMessage]:
    """Yield all that was ever said, page by page."""
    after: int | None = 0
    while after is not None:
        page = raw_page(access, after)
        yield from page.messages
        after = page.next_after


COLUMNS: Final = (
    "id",
    "seq",
    "created_ms",
    "role",
    "body",
    "redacted_ms",
    "turn_id",
    "turn__depth",
    "turn__branch_id",
)


def _message_rows(access: Access, after: int, size: int) -> list[tuple[Any, ...]]:
    rows = Message.objects.filter(conversation=access.conversation, seq__gt=after)
    ordered = rows.order_by("seq", "position", "id")
    return list(ordered.values_list(*COLUMNS)[: size + 1])


def _rows_of_seq(access: Access, seq: int) -> list[tuple[Any, ...]]:
    rows = Message.objects.filter(conversation=access.conversation, seq=seq)
    return list(rows.order_by("position", "id").values_list(*COLUMNS))


def _message(row: tuple[Any, ...], lines: dict[UUID, Line], keys: SpaceKeys) -> RawMessage:
    row_id, seq, created_ms, role, body, redacted_ms, turn_id, depth, branch_id = row
    state: State = "whole" if redacted_ms is None else "redacted"
    text, call_id = "", None
    calls: tuple[ToolCall, ...] = ()
    if body:
        try:
            said = paths.decode_row((row_id, turn_id, role, body, created_ms), "", keys)
        except SealBroken:
            state = "damaged"
        else:
            text, calls, call_id = said.text, said.tool_calls, said.tool_call_id
    return RawMessage(
        id=row_id,
        seq=seq,
        created_ms=created_ms,
        role=role,
        state=state,
        text=text,
        tool_calls=calls,
        tool_call_id=call_id,
        turn_id=turn_id,
        depth=depth,
        line=None if branch_id is None else lines.get(branch_id),
    )


def _broken_off(access: Access, after: int, until: int | None) -> Iterator[tuple[Attempt, int]]:
    """Yield the attempts that broke off with a text, each with the seq of the end of its run."""
    ends = Transition.objects.filter(
        conversation=access.conversation, kind__in=ENDS, turn__isnull=False
    )
    here = ends.filter(seq__gt=after)
    if until is not None:
        here = here.filter(seq__lte=until)
    broken = _with_output(turn_id for turn_id in here.values_list("turn", flat=True) if turn_id)
    told: defaultdict[UUID | None, list[tuple[int, int]]] = defaultdict(list)
    if broken:
        of_them = ends.filter(turn__in={attempt.turn_id for attempt in broken}).order_by("seq")
        for turn_id, seq, created_ms in of_them.values_list("turn", "seq", "created_ms"):
            told[turn_id].append((seq, created_ms))
    for attempt in broken:
        # One that another followed at once has no transition of its own.
        later = (seq for seq, at_ms in told[attempt.turn_id] if at_ms >= (attempt.ended_ms or 0))
        seq = next(later, 0)
        if seq > after and (until is None or seq <= until):
            yield attempt, seq


def _with_output(turn_ids: Iterable[UUID]) -> Sequence[Attempt]:
    rows = Attempt.objects.filter(turn__in=list(turn_ids), output__isnull=False)
    ordered = rows.select_related("turn").order_by("started_ms", "id")
    return list(ordered.defer("segments", "manifest"))


def _attempt(attempt: Attempt, seq: int, lines: dict[UUID, Line], keys: SpaceKeys) -> RawMessage:
    state: State = "broken_off"
    try:
        text = attempts.output_of(attempt, keys) or ""
    except SealBroken:
        text, state = "", "damaged"
    return RawMessage(
        id=attempt.id,
        seq=seq,
        created_ms=attempt.ended_ms or attempt.started_ms,
        role="assistant",
        state=state,
        text=text,
        turn_id=attempt.turn_id,
        depth=attempt.turn.depth,
        line=lines.get(attempt.turn.branch_id),
        reason=attempt.reason,
    )
