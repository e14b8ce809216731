"""What an explanation says: a table for people, or an object for programs."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from pydantic import TypeAdapter

from statecore.context.account import account
from statecore.context.missing import missing
from statecore.context.plan import ContextPlan
from statecore.context.policy import LAST_TIER
from statecore.context.segments import Segment
from statecore.context.state import Previous
from statecore.errors import InvalidInput
from statecore.explain.explaining import TEMPLATE, Explained
from statecore.routing.wire import wire_request

TIERS = range(LAST_TIER + 1)
_PREVIOUS = TypeAdapter(Previous)

NAMED = 3
"""So many of the things that are missing from a request are named in the table."""


def as_table(found: Explained) -> str:
    """Return the plan as a table, with what one should know about the file below."""
    plan = replace(found.plan, segments=tuple(_segments(found)))
    lines = [account(plan, found.model), _choice(plan), *_missing_line(found), *found.given.notes]
    return printable("\n".join(lines))


def _choice(plan: ContextPlan) -> str:
    chosen = f"strategy {plan.strategy}, policy {plan.policy}, tier {plan.tier}"
    return f"{chosen}; the full history alone would mean tier {plan.raw_tier}"


def as_json(found: Explained) -> str:
    """Return the plan as a JSON object; `previous` is what the next plan may go on from."""
    plan, model = found.plan, found.model
    document: dict[str, Any] = {
        "tier": plan.tier,
        "total_tokens": plan.prompt_tokens,
        "window_tokens": model.window_tokens,
        "segments": [_segment(segment) for segment in _segments(found)],
        "request": wire_request(plan.request, model),
        "strategy": plan.strategy,
        "policy": plan.policy,
        "raw_tier": plan.raw_tier,
        "rho_sent": round(plan.rho_sent, 4),
        "rho_full": round(plan.rho_full, 4),
        "reply_reserve_tokens": model.reply_reserve_tokens,
        "quality": plan.quality,
        "dropped_turns": plan.dropped_turns,
        "planned_for": found.given.state.input.id,
        "selected": [chosen._asdict() for chosen in plan.selected],
        "left_out": [left._asdict() for left in plan.left_out],
        "anchors": [anchor._asdict() for anchor in plan.anchors],
        "missing": [one._asdict() for one in _missing(found)],
        "notes": list(found.given.notes),
        "previous": _previous(found),
    }
    return json.dumps(document, ensure_ascii=False, indent=1)


def previous_of(text: str) -> Previous:
    """Return what an earlier explanation, printed as JSON, hands on to the next plan.

    Raises:
        InvalidInput: when the text is no such explanation.
    """
    try:
        chosen = json.dumps(json.loads(text)["previous"])
        previous = _PREVIOUS.validate_json(chosen, strict=True)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        previous = None
    if previous is None or not _can_be(previous):
        raise InvalidInput("the plan before is not one that --json has printed")
    return previous


def _can_be(previous: Previous) -> bool:
    depths = (previous.window_start_depth, previous.judged_depth)
    return previous.tier in TIERS and min(depths) >= 0 and previous.window_tokens > 0


def printable(text: str) -> str:
    """Return a text that does nothing to a terminal but show itself, line by line."""
    return "".join(c if c.isprintable() or c == "\n" else "\ufffd" for c in text)


def _previous(found: Explained) -> dict[str, Any]:
    plan, model = found.plan, found.model
    return {
        "tier": plan.tier,
        "window_start_depth": plan.window_start_depth,
        "window_tokens": model.window_tokens,
        "tokenizer": model.tokenizer,
        "template_hash": TEMPLATE.hash,
        "judged_depth": plan.judged_depth,
        "settled": list(plan.settled),
    }


def _segments(found: Explained) -> Iterator[Segment]:
    """Yield the segments; a system prompt of several messages names them all."""
    for segment in found.plan.segments:
        is_joined = segment.kind == "system" and segment.source_ids
        yield replace(segment, source_ids=found.given.system_ids) if is_joined else segment


def _segment(segment: Segment) -> dict[str, Any]:
    return {
        "kind": segment.kind,
        "role": segment.role,
        "source_ids": list(segment.source_ids),
        "tokens": segment.tokens,
        "quality": segment.quality,
        "decision": segment.decision,
        "reason": segment.reason,
        "depth": segment.depth,
    }


def _missing(found: Explained) -> Iterable[Any]:
    plan = found.plan
    return missing(found.given.state.memory.entries, plan.left_out, plan.selected)


def _missing_line(found: Explained) -> Iterator[str]:
    gone = [one for one in _missing(found) if one.is_active]
    if gone:
        named = ", ".join(f"{one.kind} {one.entry_id}" for one in gone[:NAMED])
        more = f" and {len(gone) - NAMED} more" if len(gone) > NAMED else ""
        yield f"remembered, in force, and not in the request: {named}{more}"
