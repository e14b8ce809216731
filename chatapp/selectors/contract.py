"""Reads the whole state of a conversation as a contract."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from chatapp.access import Access
from chatapp.models import Attempt
from chatapp.store import conversations, operations
from chatapp.store.branches import viewed_branch
from chatapp.store.carried import read_carried
from chatapp.store.whole_path import (
    MAX_TURNS,
    WholeTurn,
    cut_at,
    read_deltas,
    read_system,
    read_turns,
)
from statecore.contract.carried import Carried
from statecore.contract.schema import (
    CURRENT,
    AttemptMeta,
    Contract,
    ContractConversation,
    ContractMemory,
    ContractMessage,
    ContractTurn,
    RequestMeta,
)
from statecore.messages import Message
from statecore.state.codec import operation_form
from statecore.state.operations import Operation, Undo, scope_of

ATTEMPT_COLUMNS: Final = (
    "turn_id",
    "ordinal",
    "model_name",
    "status",
    "reason",
    "started_ms",
    "prompt_tokens",
    "completion_tokens",
    "plan_input__result",
    "plan_input__template__body",
)


@dataclass(frozen=True, slots=True)
class TooLong:
    """A path has more turns than a state may have."""

    turns: int
    limit: int


def contract_of(access: Access) -> Contract | TooLong:
    """Return the state at the end of the branch that is looked at, as of now; eight queries."""
    branch = viewed_branch(access)
    tip, depth = branch.tip_id, 0 if branch.tip is None else branch.tip.depth
    if depth > MAX_TURNS:
        return TooLong(depth, MAX_TURNS)
    conversation, keys = access.conversation, access.keys
    as_of = branch.conversation.last_seq
    turns = read_turns(conversation.id, tip, keys, as_of=as_of)
    system = read_system(conversation.id, keys, as_of=as_of)
    carried = read_carried(conversation.id, keys)
    return Contract(
        schema_version=CURRENT,
        conversation=_conversation(access),
        system=None if system is None else _message(system),
        turns=tuple(map(_turn, turns)),
        memory=_memory(access, turns, as_of),
        contract_fields=carried.contract_fields,
        facts=carried.facts,
        tools=carried.tools,
        workflow=carried.workflow,
        request_meta=_request_meta(access, turns, carried),
    )


def _conversation(access: Access) -> ContractConversation:
    row = access.conversation
    return ContractConversation(
        id=str(row.id),
        kind="research" if row.kind == "research" else "chat",
        title=conversations.title_of(row, access.keys) or None,
    )


def _message(message: Message) -> ContractMessage:
    return ContractMessage(
        id=message.id,
        role=message.role,
        text=message.text,
        created_ms=message.created_ms,
        tool_calls=message.tool_calls,
        tool_call_id=message.tool_call_id,
    )


def _turn(turn: WholeTurn) -> ContractTurn:
    row = turn.row
    is_committed = row["status"] == "committed"
    return ContractTurn(
        id=str(turn.id),
        depth=row["depth"],
        status=row["status"],
        messages=tuple(map(_message, turn.messages)),
        accepted_seq=row["accepted_seq"],
        accepted_ms=row["accepted_ms"],
        branch_ms=row["branch_ms"],
        finish=(row["finish"] or "complete") if is_committed else None,
        committed_seq=row["committed_seq"],
        committed_ms=row["committed_ms"],
        model=row["model_name"],
    )


def _memory(access: Access, turns: Sequence[WholeTurn], as_of: int) -> ContractMemory:
    conversation, keys = access.conversation, access.keys
    on_path = {turn.id for turn in turns if turn.row["status"] == "committed"}
    found = operations.read_operations(
        conversation.id, keys, as_of=as_of, holds=cut_at(turns).holds
    )
    return ContractMemory(
        as_of=as_of,
        deltas=read_deltas(conversation.id, turns, keys, as_of=as_of),
        operations=tuple(operation_form(act) for act in _settled(found, on_path)),
    )


def _settled(acts: Iterable[Operation], on_path: set[UUID]) -> Iterable[Operation]:
    """Yield what counts on a path, without the marks of where it was done on other branches."""
    known: set[int] = set()
    for act in acts:
        if isinstance(act.action, Undo) and act.action.seq not in known:
            continue
        known.add(act.seq)
        is_elsewhere = act.turn_id is not None and UUID(act.turn_id) not in on_path
        if is_elsewhere and scope_of(act.action) == "conversation":
            yield Operation(act.seq, None, 0, act.action, act.created_ms)
        else:
            yield act


def _request_meta(access: Access, turns: Sequence[WholeTurn], carried: Carried) -> RequestMeta:
    wanted = {turn.id for turn in turns}
    rows = Attempt.objects.filter(turn__conversation=access.conversation).order_by("started_ms")
    attempts: list[dict[str, Any]] = [
        dict(row) for row in rows.values(*ATTEMPT_COLUMNS) if row["turn_id"] in wanted
    ]
    newest = attempts[-1] if attempts else {}
    template = newest.get("plan_input__template__body") or {}
    before = carried.request_meta
    named = f"{template['name']} {template['version']}" if template else before.template
    return RequestMeta(
        model=access.conversation.model_name,
        template=named,
        strategy=(newest.get("plan_input__result") or {}).get("strategy") or before.strategy,
        attempts=(*before.attempts, *map(_attempt, attempts)),
        marks=before.marks,
    )


def _attempt(row: dict[str, Any]) -> AttemptMeta:
    result = row["plan_input__result"] or {}
    return AttemptMeta(
        turn_id=str(row["turn_id"]),
        ordinal=row["ordinal"],
        model=row["model_name"],
        status=row["status"],
        reason=row["reason"],
        tier=result.get("tier"),
        started_ms=row["started_ms"],
        window_tokens=result.get("window_tokens"),
        prompt_tokens=row["prompt_tokens"],
        completion_tokens=row["completion_tokens"],
    )
