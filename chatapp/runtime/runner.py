"""Runs one turn: plan, stream, then commit, fail or interrupt."""

import asyncio
import logging
from contextlib import aclosing
from dataclasses import dataclass
from uuid import UUID

from django.db import DatabaseError

from chatapp import broadcast
from chatapp.runtime.jobs import Job, timeout_reason
from chatapp.runtime.pool import in_pool
from chatapp.runtime.reading import Reading
from chatapp.runtime.watchdog import Watchdog
from chatapp.services import windows
from chatapp.services.attempts import Prepared, attempt_prepare
from chatapp.services.commits import (
    Answer,
    Broken,
    Measured,
    attempt_fail,
    turn_end,
    turn_interrupt,
)
from chatapp.services.outcomes import Fenced, TextNeeded
from chatapp.services.sweeping import outbox_wake
from chatapp.store import partials
from chatapp.wiring import AttemptFailed, count_reference, count_tokens, stream_chat
from statecore.context.plan import DoesNotFit
from statecore.routing.failures import FailureReason
from statecore.routing.overflow import shrunk, told_limits
from statecore.routing.windows import LearnedWindow, learned_window
from statecore.tokens import Count, CountKey

logger = logging.getLogger(__name__)

COMMIT_TRIES = 5
COMMIT_PAUSE_S = 1.0
NOTHING_MEASURED = Measured(None, None, None, None, "estimated")


@dataclass(frozen=True, slots=True)
class _Failed:
    reason: FailureReason
    detail: str


@dataclass(frozen=True, slots=True)
class _Tried:
    reading: Reading
    failed: _Failed | None


async def run_turn(job: Job, owner: UUID) -> None:
    """Bring a running turn to an end state; whatever happens, the turn does not stay running."""
    try:
        await _run(job, owner)
    except Exception:
        logger.exception("Turn %s broke off", job.turn_id)
        await _interrupt(job, owner)
    await broadcast.turn_changed(job.conversation_id, job.turn_id)
    try:
        await in_pool(outbox_wake, job.turn_id)
    except Exception:
        # The row is there: the sweep finds it.
        logger.exception("Nobody was woken for turn %s", job.turn_id)


async def _run(job: Job, owner: UUID) -> None:
    prepared = job.prepared or await _prepare(job, owner)
    if isinstance(prepared, Fenced):
        return
    if isinstance(prepared, DoesNotFit):
        await _settle(job, owner, None, _does_not_fit(prepared))
        return
    tried = await _try(job, prepared)
    if (broken := _too_long(job, tried)) is not None:
        # Once only: who finds the smaller request too long as well is believed.
        again = await _plan_again(job, owner, prepared, broken)
        if isinstance(again, Fenced):
            return
        if isinstance(again, DoesNotFit):
            await _settle(job, owner, None, _does_not_fit(again))
            return
        prepared = again
        tried = await _try(job, prepared)
    await _end(job, owner, prepared, tried)


async def _try(job: Job, prepared: Prepared) -> _Tried:
    """Make one attempt."""
    job.stream.begin(prepared.attempt_id)
    reading = Reading()
    failed = await _stream(job, prepared, reading)
    job.stream.flush()
    return _Tried(reading, failed)


def _too_long(job: Job, tried: _Tried) -> Broken | None:
    """Return how an attempt ended that may be planned again: too long, and nothing came of it."""
    if job.cause is not None or job.stream.text():
        return None
    broken = _broken(job, tried, "", tried.reading.measured(0))
    is_overflow = broken is not None and broken.reason == FailureReason.CONTEXT_OVERFLOW
    return broken if is_overflow else None


async def _plan_again(
    job: Job, owner: UUID, prepared: Prepared, broken: Broken
) -> Prepared | DoesNotFit | Fenced:
    """Write a failed attempt down, and plan its turn for the window that the provider means."""
    if not await in_pool(
        attempt_fail, job.turn_id, prepared.attempt_id, broken, owner=owner, model=job.model
    ):
        return Fenced()
    told = told_limits(broken.detail)
    smaller = shrunk(prepared.model, told, prepared.prompt_tokens)
    window = learned_window(job.model, smaller, told)
    windows.refused(job.model, window)
    return await _prepare(job, owner, window)


async def _prepare(
    job: Job, owner: UUID, window: LearnedWindow | None = None
) -> Prepared | DoesNotFit | Fenced:
    fresh: dict[CountKey, Count] = {}
    while True:
        prepared = await in_pool(
            attempt_prepare,
            job.turn_id,
            owner=owner,
            model=job.model,
            fresh=fresh,
            window=window,
        )
        if not isinstance(prepared, TextNeeded):
            return prepared
        counts = await count_tokens(job.model, list(prepared.texts.values()))
        fresh |= dict(zip(prepared.texts, counts, strict=True))


async def _stream(job: Job, prepared: Prepared, reading: Reading) -> _Failed | None:
    """Read the provider's stream to its end, or until the job is cut off."""
    limits = job.model.limits
    rate = limits.prefill_tokens_per_s
    prefill_s = prepared.prompt_tokens / rate if rate else 0.0
    watchdog = Watchdog(
        job,
        first_token_s=limits.first_token_base_ms / 1000 + prefill_s,
        silence_s=limits.silence_ms / 1000,
    )
    job.streaming = True
    try:
        if job.cause is not None:
            return None
        async with aclosing(stream_chat(prepared.request, job.model)) as groups:
            async for events in groups:
                watchdog.feed()
                if text := reading.take(events):
                    job.stream.push(text)
    except AttemptFailed as error:
        return _Failed(error.reason, error.detail)
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if job.cause is None or task is None:
            raise
        task.uncancel()
    finally:
        job.streaming = False
        watchdog.stop()
    return None


async def _end(job: Job, owner: UUID, prepared: Prepared, tried: _Tried) -> None:
    text = job.stream.text()
    reading = tried.reading
    estimated = await in_pool(count_reference, text) if reading.usage is None else 0
    measured = reading.measured(estimated)
    if job.cause in {"drain", "fenced"}:
        # A lease that is gone took the turn's owner along; somebody else's turn is left alone.
        await _interrupt(job, owner if job.cause == "drain" else None)
    else:
        ended = _broken(job, tried, text, measured) or Answer(
            text,
            "stopped" if job.cause == "stop" else reading.answer_finish(),
            measured,
            reading.recording(),
        )
        if await _settle(job, owner, prepared.attempt_id, ended):
            if isinstance(ended, Answer):
                _took(job, prepared, measured)
            return
    # The turn has ended otherwise, and what was stored of the text is kept with it; what the
    # flusher has added since belongs to nobody.
    await in_pool(partials.drop, prepared.attempt_id)


def _took(job: Job, prepared: Prepared, measured: Measured) -> None:
    """Take in that the provider took a prompt of this size."""
    is_told = measured.quality == "reported" and prepared.quality == "estimated"
    windows.answered(
        job.model,
        prepared.prompt_tokens,
        estimated_as=measured.prompt_tokens if is_told else None,
    )


def _broken(job: Job, tried: _Tried, text: str, measured: Measured) -> Broken | None:
    """Return why an attempt is no answer; what the user stopped always is one."""
    if job.cause == "stop":
        return None
    failed = tried.failed or _timed_out(job) or _no_answer(tried.reading, text)
    if failed is None:
        return None
    return Broken(failed.reason, failed.detail, text, measured, tried.reading.recording())


def _timed_out(job: Job) -> _Failed | None:
    reason = timeout_reason(job.cause) if job.cause else None
    return None if reason is None else _Failed(reason, "")


def _no_answer(reading: Reading, text: str) -> _Failed | None:
    reason = reading.failure(text)
    if reason is None:
        return None
    return _Failed(reason, reading.error.message if reading.error else "")


async def _settle(job: Job, owner: UUID, attempt_id: UUID | None, ended: Answer | Broken) -> bool:
    """Write the end of a turn; a database that is away for a moment does not lose the answer.

    Returns:
        False when the turn no longer belongs to this process.
    """
    for left in reversed(range(COMMIT_TRIES)):
        try:
            return await in_pool(turn_end, job.turn_id, attempt_id, ended, owner, job.model)
        except DatabaseError:
            if not left:
                raise
            await asyncio.sleep(COMMIT_PAUSE_S)
    raise AssertionError("The last try returns or raises.")


async def _interrupt(job: Job, owner: UUID | None) -> None:
    try:
        await in_pool(turn_interrupt, job.turn_id, owner=owner)
    except DatabaseError:
        # The janitor finds a turn that is in nobody's registry.
        logger.exception("Turn %s could not be marked as interrupted", job.turn_id)


def _does_not_fit(found: DoesNotFit) -> Broken:
    parts = ", ".join(f"{name} {tokens}" for name, tokens in found.largest)
    detail = f"{found.needed_tokens} tokens needed, window {found.window_tokens}: {parts}"
    return Broken(FailureReason.CONTEXT_OVERFLOW, detail, "", NOTHING_MEASURED)
