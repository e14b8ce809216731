"""The parts that a state and a tree of a conversation have in common."""

from collections.abc import Collection, Mapping
from typing import Any, Final
from uuid import UUID

from chatapp.access import Access
from chatapp.models import Attempt
from statecore.contract.schema import AttemptMeta, RequestMeta
from statecore.messages import Message

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


def message_part(message: Message) -> dict[str, Any]:
    """Return a message by the names that a document has for it."""
    return {
        "id": message.id,
        "role": message.role,
        "text": message.text,
        "created_ms": message.created_ms,
        "tool_calls": message.tool_calls,
        "tool_call_id": message.tool_call_id,
    }


def turn_part(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a turn by the names that a document has for it, without its messages."""
    is_committed = row["status"] == "committed"
    return {
        "id": str(row["id"]),
        "depth": row["depth"],
        "status": row["status"],
        "accepted_seq": row["accepted_seq"],
        "accepted_ms": row["accepted_ms"],
        "branch_ms": row["branch_ms"],
        "finish": (row["finish"] or "complete") if is_committed else None,
        "committed_seq": row["committed_seq"],
        "committed_ms": row["committed_ms"],
        "model": row["model_name"],
    }


def request_meta(access: Access, turns: Collection[UUID], before: RequestMeta) -> RequestMeta:
    """Return how requests of some turns were made; one query.

    Args:
        access: the conversation.
        turns: the turns.
        before: what an imported conversation carries of these turns.
    """
    wanted = set(turns)
    rows = Attempt.objects.filter(turn__conversation=access.conversation).order_by("started_ms")
    attempts: list[dict[str, Any]] = [
        dict(row) for row in rows.values(*ATTEMPT_COLUMNS) if row["turn_id"] in wanted
    ]
    newest = attempts[-1] if attempts else {}
    template = newest.get("plan_input__template__body") or {}
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
