"""Writes attempts with what they were planned from and what they were sent."""

from base64 import b64decode, b64encode
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final
from uuid import UUID

from django.db import transaction

from chatapp.ids import new_id
from chatapp.keyring import SpaceKeys
from chatapp.models import Attempt, PlanInput, RequestBlock, Snapshot
from chatapp.store.calibrations import NOTHING_CALIBRATED, Calibration, calibration_document
from chatapp.store.contexts import NOTHING_BEFORE, Before
from chatapp.store.raw import insert
from chatapp.store.sealing import (
    digest,
    seal,
    seal_json,
    seal_text,
    unseal,
    unseal_json,
    unseal_text,
)
from statecore.context.manifest import Block, blocks_of, request_of
from statecore.context.missing import Missing
from statecore.context.plan import PLANNER_VERSION, ContextPlan, Previous, Segment
from statecore.messages import Message as CoreMessage
from statecore.models import ModelSpec, spec_document, spec_hash
from statecore.requests import Request, canonical_bytes
from statecore.templates import Template

SELECTION: Final = ("chatapp_planinput", "result")

SEGMENT_FIELDS = tuple(Segment.__dataclass_fields__)

_known_snapshots: set[str] = set()


def keep_snapshot(hash_: str, kind: str, body: object) -> None:
    """Store a model spec or a template once under its hash."""
    if hash_ in _known_snapshots:
        return
    Snapshot.objects.get_or_create(hash=hash_, defaults={"kind": kind, "body": body})
    # A transaction that is rolled back takes the row with it.
    transaction.on_commit(lambda: _known_snapshots.add(hash_))


@dataclass(frozen=True, slots=True)
class PlannedAttempt:
    """A plan with everything that it was computed from."""

    attempt_id: UUID
    turn_id: UUID
    ordinal: int
    conversation_id: UUID
    parent_id: UUID | None
    as_of_seq: int
    model: ModelSpec
    template: Template
    previous: Previous | None
    plan: ContextPlan
    now_ms: int
    before: Before = NOTHING_BEFORE
    missing: tuple[Missing, ...] = ()
    """What was said, binds or is exact, and is not in the request."""
    calibration: Calibration = NOTHING_CALIBRATED


def insert_attempt(planned: PlannedAttempt, keys: SpaceKeys) -> None:
    """Insert an attempt and everything that replaying its plan needs."""
    plan, model, template = planned.plan, planned.model, planned.template
    model_hash = spec_hash(model)
    keep_snapshot(model_hash, "model", spec_document(model))
    keep_snapshot(template.hash, "template", asdict(template))
    attempt = Attempt(
        id=planned.attempt_id,
        turn_id=planned.turn_id,
        ordinal=planned.ordinal,
        model_name=model.name,
        model_hash=model_hash,
        manifest=keep_blocks(planned.conversation_id, blocks_of(plan), keys),
        max_output_tokens=plan.request.max_output_tokens,
        segments=[_plain(segment) for segment in plan.segments],
        request_commitment=digest(keys, canonical_bytes(plan.request)),
        prompt_tokens=plan.prompt_tokens,
        prompt_quality=plan.quality,
        started_ms=planned.now_ms,
    )
    insert([attempt])
    inputs = PlanInput(
        attempt_id=planned.attempt_id,
        parent_turn_id=planned.parent_id,
        as_of_seq=planned.as_of_seq,
        model_id=model_hash,
        template_id=template.hash,
        calibration=planned.calibration.factor,
        previous=None if planned.previous is None else asdict(planned.previous),
        result=plan_result(planned) | _account(planned, keys),
        now_ms=planned.now_ms,
        planner_version=PLANNER_VERSION,
    )
    insert([inputs])


def _plain(segment: Segment) -> dict[str, object]:
    # `asdict` would copy every id, which costs more than writing the row.
    return {name: getattr(segment, name) for name in SEGMENT_FIELDS}


def following(plan: ContextPlan, model: ModelSpec, template: Template) -> Previous:
    """Return what the next plan needs to know of this one."""
    return Previous(
        tier=plan.tier,
        window_start_depth=plan.window_start_depth,
        window_tokens=model.window_tokens,
        tokenizer=model.tokenizer,
        template_hash=template.hash,
        judged_depth=plan.judged_depth,
        settled=plan.settled,
    )


def plan_result(planned: PlannedAttempt) -> dict[str, object]:
    """Return what the next plan needs to know of this one, and what was decided in it."""
    plan = planned.plan
    return asdict(following(plan, planned.model, planned.template)) | {
        "strategy": plan.strategy,
        "policy": plan.policy,
        "raw_tier": plan.raw_tier,
        "tried": [list(found) for found in plan.tried],
        "verbatim_depth": verbatim_depth(plan),
        "planned_tokens": plan.prompt_tokens,
        "planned_quality": plan.quality,
        "calibration": calibration_document(planned.calibration),
        "tier_before": planned.before.tier,
        "tokens_before": planned.before.tokens,
        "rho_sent": plan.rho_sent,
        "rho_full": plan.rho_full,
        "dropped_turns": plan.dropped_turns,
    }


def verbatim_depth(plan: ContextPlan) -> int:
    """Return the depth of the first turn from which on every message is sent word for word."""
    shortened = (part.depth for part in plan.segments if part.decision == "digested")
    return max(plan.window_start_depth, 1 + max(shortened, default=0))


def _account(planned: PlannedAttempt, keys: SpaceKeys) -> dict[str, str]:
    """Return what memory gave back and left out; sealed, as a session field is known by its key."""
    plan = planned.plan
    account = {
        "selected": [found._asdict() for found in plan.selected],
        "left_out": [found._asdict() for found in plan.left_out],
        "anchors": [found._asdict() for found in plan.anchors],
        "missing": [found._asdict() for found in planned.missing],
    }
    if not any(account.values()):
        return {}
    sealed = seal_json(keys, *SELECTION, planned.attempt_id, account)
    return {"selection": b64encode(sealed).decode()}


def account_of(inputs: PlanInput, keys: SpaceKeys) -> dict[str, Any]:
    """Return what a request holds beside its window, and what it lacks, as lists of ids and codes.

    Returns:
        `selected`, `left_out`, `anchors` and `missing`; each may be empty.
    """
    nothing: dict[str, Any] = {"selected": [], "left_out": [], "anchors": [], "missing": []}
    sealed = (inputs.result or {}).get("selection")
    if sealed is None:
        return nothing
    found: dict[str, Any] = unseal_json(keys, *SELECTION, inputs.attempt_id, b64decode(sealed))
    return nothing | found


def keep_blocks(conversation_id: UUID, blocks: Sequence[Block], keys: SpaceKeys) -> list[str]:
    """Store the blocks of a request that are not there yet; return all their ids in order."""
    digests = [digest(keys, block.body) for block in blocks]
    known = _block_ids(conversation_id, digests)
    fresh = []
    for block, block_digest in zip(blocks, digests, strict=True):
        if block_digest in known:
            continue
        block_id = new_id()
        known[block_digest] = block_id
        body = seal(keys, "chatapp_requestblock", "body", block_id, block.body)
        fresh.append(
            RequestBlock(
                id=block_id, conversation_id=conversation_id, digest=block_digest, body=body
            )
        )
    insert(fresh)
    return [str(known[block_digest]) for block_digest in digests]


def _block_ids(conversation_id: UUID, digests: Iterable[bytes]) -> dict[bytes, UUID]:
    rows = RequestBlock.objects.filter(
        conversation_id=conversation_id, digest__in=list(digests)
    ).values_list("digest", "id")
    return {bytes(row[0]): row[1] for row in rows}


def stored_blocks(attempt: Attempt, keys: SpaceKeys) -> tuple[Block, ...]:
    """Return the blocks of an attempt's request, in order."""
    ids = [UUID(text) for text in attempt.manifest]
    rows = dict(RequestBlock.objects.filter(pk__in=ids).values_list("id", "body"))
    return tuple(
        Block(unseal(keys, "chatapp_requestblock", "body", block_id, bytes(rows[block_id])))
        for block_id in ids
    )


def stored_request(
    attempt: Attempt, blocks: Sequence[Block], messages: dict[str, CoreMessage], keys: SpaceKeys
) -> tuple[Request, bool]:
    """Return the request that an attempt sent, and whether its commitment proves it."""
    request = request_of(blocks, messages, attempt.model_name, attempt.max_output_tokens)
    proven = digest(keys, canonical_bytes(request)) == bytes(attempt.request_commitment)
    return request, proven


def seal_output(attempt_id: UUID, text: str, keys: SpaceKeys) -> bytes:
    """Return the text of an attempt that did not become the answer, sealed."""
    return seal_text(keys, "chatapp_attempt", "output", attempt_id, text)


def seal_detail(attempt_id: UUID, text: str, keys: SpaceKeys) -> bytes:
    """Return a provider's error text, sealed."""
    return seal_text(keys, "chatapp_attempt", "detail", attempt_id, text)


def output_of(attempt: Attempt, keys: SpaceKeys) -> str | None:
    """Return the text of an attempt that did not become the answer."""
    if attempt.output is None:
        return None
    return unseal_text(keys, "chatapp_attempt", "output", attempt.id, bytes(attempt.output))


def detail_of(attempt: Attempt, keys: SpaceKeys) -> str | None:
    """Return the provider's error text."""
    if attempt.detail is None:
        return None
    return unseal_text(keys, "chatapp_attempt", "detail", attempt.id, bytes(attempt.detail))
