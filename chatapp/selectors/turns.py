"""Reads turns with their texts and attempts."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, cast
from uuid import UUID

from django.db.models import F, QuerySet

from chatapp.access import Access
from chatapp.models import Attempt, Turn, Usage
from chatapp.selectors.rows import AttemptRow, TurnRow
from chatapp.selectors.siblings import Siblings, siblings_of
from chatapp.store import attempts, partials, paths
from chatapp.store.branches import viewed_branch
from chatapp.store.calibrations import window_of
from chatapp.store.feedback import newest_thumb
from chatapp.store.lines import Line, lines_of
from statecore.messages import Message
from statecore.turns import AttemptStatus, TurnStatus

_TIER_FIELDS: Final = (
    "tier",
    "raw_tier",
    "policy",
    "strategy",
    "window_start_depth",
    "verbatim_depth",
    "planned_tokens",
    "planned_quality",
    "tier_before",
    "tokens_before",
)


def turn_row(access: Access, turn_id: UUID) -> TurnRow | None:
    """Return one turn of a conversation, or None when it has no such turn."""
    branch = viewed_branch(access)
    rows = turn_rows(access, [turn_id], tip=branch.tip_id, branch_id=branch.id)
    return rows[0] if rows else None


def turn_rows(
    access: Access,
    ids: Sequence[UUID],
    *,
    tip: UUID | None,
    branch_id: UUID | None = None,
    with_segments: bool = True,
) -> tuple[TurnRow, ...]:
    """Return turns in the order in which they were accepted.

    Args:
        access: the conversation.
        ids: turns of it; others are left out.
        tip: the newest committed turn of the path; what broke off elsewhere was not seen.
        branch_id: the branch that is looked at; None for any.
        with_segments: whether attempts say what their requests are made of, which of a large
            window is ten times all the rest.
    """
    found = Turn.objects.filter(conversation=access.conversation, pk__in=ids)
    found = found.annotate(origin=F("branch__origin"), branch_above=F("parent__branch_id"))
    found = found.annotate(thumb=newest_thumb(access.owner.user_id))
    turns = list(found.order_by("depth", "accepted_seq"))
    nodes = [
        paths.TurnNode(t.id, t.parent_id, t.depth, 0, t.input_message_id, t.finish) for t in turns
    ]
    messages = paths.messages_of(nodes, access.keys)
    attempt_rows = _attempts_by_turn(access, turns, with_segments=with_segments)
    beside = siblings_of(access, turns)
    lines = _lines(access, turns)
    return tuple(
        _turn_row(
            access,
            turn,
            messages[turn.id],
            attempt_rows[turn.id],
            (beside[turn.id], lines.get(turn.id)),
            is_newest=turn.parent_id == tip and branch_id in {None, turn.branch_id},
        )
        for turn in turns
    )


def _lines(access: Access, turns: Sequence[Any]) -> dict[UUID, Line]:
    """Return the lines of turns that were written on another one than the turn above."""
    changing = [
        turn
        for turn in turns
        # Nothing is above the first turn; on the main line that is nothing to speak of.
        if turn.branch_id != turn.branch_above and (turn.parent_id or turn.origin != "main")
    ]
    found = lines_of([turn.branch_id for turn in changing], access.keys)
    return {turn.id: found[turn.branch_id] for turn in changing}


def _turn_row(
    access: Access,
    turn: Turn,
    messages: Sequence[Message],
    attempt_rows: Sequence[AttemptRow],
    place: tuple[Siblings, Line | None],
    *,
    is_newest: bool,
) -> TurnRow:
    by_role = {message.role: message.text for message in messages}
    broken = turn.status in {"failed", "interrupted"}
    return TurnRow(
        id=turn.id,
        parent_id=turn.parent_id,
        depth=turn.depth,
        status=cast("TurnStatus", turn.status),
        finish=turn.finish,
        reason=turn.reason,
        model_name=turn.model_name,
        accepted_ms=turn.accepted_ms,
        committed_ms=turn.committed_ms,
        input_text=by_role.get("user", ""),
        answer_text=by_role.get("assistant"),
        partial_text=_partial_text(access, turn, attempt_rows),
        attempts=tuple(attempt_rows),
        seen=not broken or is_newest,
        branch_id=turn.branch_id,
        line=place[1],
        siblings=place[0],
        thumb=turn.thumb or 0,  # type: ignore[attr-defined]  # annotated
    )


def _partial_text(access: Access, turn: Turn, attempt_rows: Sequence[AttemptRow]) -> str | None:
    if turn.status == "committed" or not attempt_rows:
        return None
    newest = attempt_rows[-1]
    if newest.status != "running":
        # A retry whose own attempt is not stored yet has written nothing.
        return None if turn.status == "running" else newest.output_text
    return partials.read(newest.id, access.keys)[0] or None


def _attempts_by_turn(
    access: Access, turns: Iterable[Turn], *, with_segments: bool
) -> defaultdict[UUID, list[AttemptRow]]:
    rows: QuerySet[Attempt] = (
        Attempt.objects.filter(turn__in=[turn.id for turn in turns])
        .select_related("plan_input", "plan_input__model")
        .order_by("ordinal")
        .defer(*([] if with_segments else ["segments"]))
    )
    costs = dict(
        Usage.objects.filter(attempt__turn__in=[turn.id for turn in turns]).values_list(
            "attempt_id", "cost_usd"
        )
    )
    found: defaultdict[UUID, list[AttemptRow]] = defaultdict(list)
    for row in rows:
        found[row.turn_id].append(_attempt_row(access, row, costs.get(row.id)))
    return found


def _attempt_row(access: Access, row: Attempt, cost_usd: object) -> AttemptRow:
    plan = row.plan_input
    result = plan.result or {}
    return AttemptRow(
        id=row.id,
        ordinal=row.ordinal,
        status=cast("AttemptStatus", row.status),
        reason=row.reason,
        model_name=row.model_name,
        started_ms=row.started_ms,
        first_token_ms=row.first_token_ms,
        ended_ms=row.ended_ms,
        prompt_tokens=row.prompt_tokens,
        cached_tokens=row.cached_tokens,
        completion_tokens=row.completion_tokens,
        prompt_quality=row.prompt_quality,  # type: ignore[arg-type]  # the column holds no other words
        completion_quality=row.completion_quality,  # type: ignore[arg-type]  # the same
        finish=row.finish,
        window_tokens=plan.model.body["window_tokens"],
        segments=[] if "segments" in row.get_deferred_fields() else row.segments,
        rho_sent=result.get("rho_sent"),
        rho_full=result.get("rho_full"),
        dropped_turns=result.get("dropped_turns", 0),
        cost_usd=cost_usd,  # type: ignore[arg-type]  # a decimal or None
        output_text=attempts.output_of(row, access.keys),
        detail=attempts.detail_of(row, access.keys),
        **attempts.account_of(plan, access.keys),
        **_tiers(result),
        learned=window_of(result),
    )


def _tiers(result: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was kept of the decision about the tier, by the names of the row's fields."""
    found = {name: result[name] for name in _TIER_FIELDS if name in result}
    return found | {"tried": tuple((tier, rho) for tier, rho in result.get("tried", ()))}


def running_turns(access: Access) -> list[tuple[UUID, UUID | None]]:
    """Return the running turn of the branch that is looked at, with its owner, if there is one."""
    branch = viewed_branch(access)
    rows = Turn.objects.filter(branch=branch, status="running")
    return list(rows.values_list("id", "owner_id"))


def turn_owner(access: Access, turn_id: UUID) -> UUID | None:
    """Return the process that runs a turn; None when it does not run."""
    rows = Turn.objects.filter(pk=turn_id, conversation=access.conversation, status="running")
    return rows.values_list("owner_id", flat=True).first()


def turn_partial(access: Access, turn_id: UUID) -> tuple[str, str, int]:
    """Return the newest attempt of a turn, its partial text and the last chunk's number in it."""
    newest = Attempt.objects.filter(turn_id=turn_id, turn__conversation=access.conversation)
    attempt_id = newest.order_by("-ordinal").values_list("id", flat=True).first()
    if attempt_id is None:
        return "", "", 0
    text, seq = partials.read(attempt_id, access.keys)
    return str(attempt_id), text, seq


def turn_model(access: Access, turn_id: UUID) -> str:
    """Return the model that a turn was last asked of; empty when there is no such turn."""
    rows = Turn.objects.filter(pk=turn_id, conversation=access.conversation)
    return rows.values_list("model_name", flat=True).first() or ""
