"""Ends turns: commit, failure and interruption, each one transaction that a fenced owner loses."""

from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from django.db import transaction

from chatapp.clock import now_ms
from chatapp.ids import new_id
from chatapp.keyring import SpaceKeys, keys_of
from chatapp.models import Attempt, Turn, Usage
from chatapp.services.stems import Place, stem_of, store_message
from chatapp.services.transitions import Change, record
from chatapp.store import attempts, conversations, outbox, partials, turns
from chatapp.store.recordings import seal_recording
from statecore.log import path_hash_next
from statecore.messages import Finish, Message, encode_body
from statecore.models import ModelSpec
from statecore.routing.recording import Recording
from statecore.tokens import Quality


class HeadLost(Exception):
    """Raised when a running turn does not hold the head of its branch; nothing is written."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Times and tokens of one attempt."""

    first_token_ms: int | None
    prompt_tokens: int | None
    cached_tokens: int | None
    completion_tokens: int | None
    quality: Quality
    """Of prompt and completion: reported by the provider, or estimated."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a successful or stopped attempt brought."""

    text: str
    finish: Finish
    measured: Measured
    recording: Recording | None = None
    """How it was streamed; None where it was not."""


@dataclass(frozen=True, slots=True)
class Broken:
    """How an attempt ended without an answer."""

    reason: str
    detail: str
    text: str
    """What it had streamed before."""
    measured: Measured
    recording: Recording | None = None
    """How that came; None where nobody knows."""


def turn_commit(
    turn_id: UUID,
    attempt_id: UUID,
    answer: Answer,
    *,
    owner: UUID,
    model: ModelSpec,
    is_played: bool = False,
) -> bool:
    """Put an answer on the path: status, tip, message, transition and outbox at once.

    Args:
        turn_id: the turn.
        attempt_id: whose answer it is.
        answer: what it brought.
        owner: the process that runs the turn.
        model: that was asked.
        is_played: whether a recorded session is played: then nobody is to learn from it, because
            what it taught is played, too.

    Returns:
        False when the turn no longer belongs to this owner; then nothing was written.
    """
    with transaction.atomic():
        # The conditional update comes first: it takes the lock, and a fenced owner stops here.
        mine = Turn.objects.filter(pk=turn_id, owner_id=owner, status="running")
        if mine.update(status="committed", finish=answer.finish) != 1:
            return False
        turn = Turn.objects.select_related("conversation", "parent").get(pk=turn_id)
        keys = keys_of(turn.conversation.key_space_id)
        now = max(now_ms(), turn.accepted_ms)
        _append_answer(turn, attempt_id, answer, keys, now)
        if not conversations.advance_tip(turn.branch_id, turn_id):
            raise HeadLost(f"Turn {turn_id} runs, but its branch is reserved for another.")
        if not is_played:
            outbox.put(turn.conversation_id, turn_id, now)
        _end_attempt(
            attempt_id,
            answer.measured,
            now,
            status="stopped" if answer.finish == "stopped" else "succeeded",
            finish=answer.finish,
            **_recorded(attempt_id, answer.recording, keys),
        )
        _book_usage(attempt_id, answer.measured, keys, model, now)
        partials.drop(attempt_id)
    return True


def _append_answer(turn: Turn, attempt_id: UUID, answer: Answer, keys: SpaceKeys, now: int) -> None:
    message = Message(
        id=str(new_id()),
        role="assistant",
        text=answer.text,
        created_ms=now,
        finish=answer.finish,
    )
    body = encode_body(message)
    before = bytes(turn.parent.path_hash) if turn.parent else b""
    after = path_hash_next(keys.log, before, str(turn.input_message_id).encode() + body)
    change = Change(
        kind="turn_committed",
        turn=turn.id,
        state_before=before,
        request=str(attempt_id).encode(),
        output=body,
        state_after=after,
    )
    seq = record(turn.conversation_id, keys, change, now, touch=True)
    place = Place(turn.conversation_id, turn.id, seq, 1)
    grown = store_message(message, stem_of(turn), place, keys)
    Turn.objects.filter(pk=turn.id).update(
        committed_seq=seq, committed_ms=now, owner=None, path_hash=after, **grown
    )


def turn_fail(
    turn_id: UUID, attempt_id: UUID | None, broken: Broken, *, owner: UUID, model: ModelSpec
) -> bool:
    """End a turn whose attempt failed: the head does not move, the partial text stays in the log.

    Returns:
        False when the turn no longer belongs to this owner; then nothing was written.
    """
    with transaction.atomic():
        if not turns.break_off(turn_id, owner, status="failed", reason=broken.reason):
            return False
        turn = Turn.objects.select_related("conversation").get(pk=turn_id)
        keys = keys_of(turn.conversation.key_space_id)
        now = now_ms()
        if attempt_id is not None:
            _keep_broken(attempt_id, broken, keys, now, status="failed")
            if broken.measured.prompt_tokens is not None and broken.text:
                _book_usage(attempt_id, broken.measured, keys, model, now)
        _record_end(turn, keys, "turn_failed", broken.reason, now)
    return True


def attempt_fail(
    turn_id: UUID, attempt_id: UUID, broken: Broken, *, owner: UUID, model: ModelSpec
) -> bool:
    """End a failed attempt of a turn that goes on: another attempt follows.

    Returns:
        False when the turn no longer belongs to this owner; then nothing was written.
    """
    with transaction.atomic():
        mine = Turn.objects.filter(pk=turn_id, owner_id=owner, status="running")
        turn = mine.select_for_update(of=("self",)).select_related("conversation").first()
        if turn is None:
            return False
        keys = keys_of(turn.conversation.key_space_id)
        now = now_ms()
        _keep_broken(attempt_id, broken, keys, now, status="failed")
        if broken.measured.prompt_tokens is not None:
            _book_usage(attempt_id, broken.measured, keys, model, now)
    return True


def turn_end(
    turn_id: UUID, attempt_id: UUID | None, ended: Answer | Broken, owner: UUID, model: ModelSpec
) -> bool:
    """Commit or fail a turn, by how its attempt ended; False when the owner was fenced."""
    if isinstance(ended, Broken):
        return turn_fail(turn_id, attempt_id, ended, owner=owner, model=model)
    if attempt_id is None:
        raise ValueError("An answer comes from an attempt.")
    return turn_commit(turn_id, attempt_id, ended, owner=owner, model=model)


def turn_interrupt(turn_id: UUID, *, owner: UUID | None) -> UUID | None:
    """End a turn whose process is gone; what it had streamed stays with its attempt.

    Returns:
        The conversation, or None when somebody else was first.
    """
    with transaction.atomic():
        if not turns.break_off(turn_id, owner, status="interrupted", reason="interrupted"):
            return None
        turn = Turn.objects.select_related("conversation").get(pk=turn_id)
        keys = keys_of(turn.conversation.key_space_id)
        now = now_ms()
        for attempt_id in Attempt.objects.filter(turn=turn, status="running").values_list(
            "id", flat=True
        ):
            text, _ = partials.read(attempt_id, keys)
            broken = Broken("interrupted", "", text, Measured(None, None, None, None, "estimated"))
            _keep_broken(attempt_id, broken, keys, now, status="interrupted")
        _record_end(turn, keys, "turn_interrupted", "interrupted", now)
    return turn.conversation_id


def _record_end(turn: Turn, keys: SpaceKeys, kind: str, reason: str, now: int) -> None:
    change = Change(kind=kind, turn=turn.id, output=reason.encode())
    record(turn.conversation_id, keys, change, now)
    conversations.release_head(turn.branch_id, turn.id)


def _keep_broken(
    attempt_id: UUID, broken: Broken, keys: SpaceKeys, now: int, *, status: str
) -> None:
    _end_attempt(
        attempt_id,
        broken.measured,
        now,
        status=status,
        reason=broken.reason,
        output=attempts.seal_output(attempt_id, broken.text, keys) if broken.text else None,
        detail=attempts.seal_detail(attempt_id, broken.detail, keys) if broken.detail else None,
        **_recorded(attempt_id, broken.recording, keys),
    )
    partials.drop(attempt_id)


def _recorded(attempt_id: UUID, recording: Recording | None, keys: SpaceKeys) -> dict[str, object]:
    if recording is None:
        return {}
    return {"recording": seal_recording(attempt_id, recording, keys)}


def _end_attempt(attempt_id: UUID, measured: Measured, now: int, **fields: object) -> None:
    if measured.first_token_ms is not None:
        fields["first_token_ms"] = measured.first_token_ms
    if measured.quality == "reported" and measured.prompt_tokens is not None:
        fields |= {"prompt_tokens": measured.prompt_tokens, "prompt_quality": "reported"}
        fields["cached_tokens"] = measured.cached_tokens
    if measured.completion_tokens is not None:
        fields["completion_tokens"] = measured.completion_tokens
        fields["completion_quality"] = measured.quality
    Attempt.objects.filter(pk=attempt_id).update(ended_ms=now, **fields)


def _book_usage(
    attempt_id: UUID, measured: Measured, keys: SpaceKeys, model: ModelSpec, now: int
) -> None:
    prompt, completion = measured.prompt_tokens or 0, measured.completion_tokens or 0
    Usage.objects.create(
        key_space_id=keys.id,
        attempt_id=attempt_id,
        model_name=model.name,
        prompt_tokens=prompt,
        completion_tokens=completion,
        quality=measured.quality,
        cost_usd=cost_usd(model, prompt, completion),
        created_ms=now,
    )


def cost_usd(model: ModelSpec, prompt_tokens: int, completion_tokens: int) -> Decimal | None:
    """Return the price of one call, or None where a price is unknown."""
    prices = model.prices
    if prices.input_usd is None or prices.output_usd is None:
        return None
    total = Decimal(str(prices.input_usd)) * prompt_tokens
    total += Decimal(str(prices.output_usd)) * completion_tokens
    return total / 1_000_000
