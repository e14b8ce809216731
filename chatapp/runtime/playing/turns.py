"""Plays turns: accepted, planned, answered from recordings, broken off."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from chatapp.models import Attempt, Branch, Message, Turn
from chatapp.runtime.playing.session import NotPlayable, Session, spec_of
from chatapp.runtime.reading import Reading
from chatapp.selectors.requests import sent_request
from chatapp.services.attempts import Prepared, attempt_prepare
from chatapp.services.commits import (
    Answer,
    Broken,
    Measured,
    attempt_fail,
    turn_commit,
    turn_fail,
    turn_interrupt,
)
from chatapp.services.outcomes import Accepted
from chatapp.services.turns import NewInput, turn_accept, turn_edit, turn_regenerate, turn_retry
from chatapp.store import attempts
from chatapp.store.recordings import recording_of
from chatapp.store.transcripts import Step
from statecore.messages import decode_body
from statecore.models import ModelSpec
from statecore.replay.comparing import Difference, first_difference
from statecore.requests import Request

NOBODY = ModelSpec("", "", "", 1, 0, "unknown")
"""Stands for a model where nobody was asked, and nothing is booked."""
_NOTHING = Measured(None, None, None, None, "estimated")


def accept(session: Session, steps: Sequence[Step]) -> None:
    """Accept a turn again, with what its acceptance brought along."""
    step = steps[-1]
    turn = Turn.objects.get(pk=step.turn())
    told = {one.kind: json.loads(one.text("input") or "{}") for one in steps[:-1]}
    if "turn_regenerated" in told:
        outcome: object = _again(session, turn, told["turn_regenerated"])
    elif "turn_edited" in told:
        outcome = _beside(session, step, turn, told["turn_edited"])
    else:
        new = _input(step, turn, session.branches[str(turn.branch_id)])
        outcome = turn_accept(session.new(), new, owner=session.process)
    if not isinstance(outcome, Accepted):
        raise NotPlayable(f"transition {step.seq}: the turn is not accepted ({outcome})")
    session.turns[str(turn.id)] = str(outcome.turn_id)
    made = Turn.objects.get(pk=outcome.turn_id)
    session.note_message(turn.input_message_id, made.input_message_id)


def _again(session: Session, turn: Turn, told: Mapping[str, str | None]) -> object:
    return turn_regenerate(
        session.viewing(told["left_branch"]),
        session.turn(str(told["beside"])),
        key=turn.idempotency_key,
        model_name=turn.model_name,
        owner=session.process,
    )


def _beside(session: Session, step: Step, turn: Turn, told: Mapping[str, str | None]) -> object:
    access = session.viewing(told["left_branch"])
    new = _input(step, turn, session.branches[str(told["left_branch"])])
    if told.get("beside"):
        return turn_edit(access, session.turn(str(told["beside"])), new, owner=session.process)
    head = told.get("parent")
    where = None if head is None else session.turn(head)
    return turn_accept(access, replace(new, head=where, aside=True), owner=session.process)


def _input(step: Step, turn: Turn, branch: str) -> NewInput:
    text = _text(step.parts.get("input", b""), "user")
    version = Branch.objects.values_list("version", flat=True).get(pk=branch)
    return NewInput(text, turn.idempotency_key, UUID(branch), version, turn.model_name)


def _text(body: bytes, role: str) -> str:
    """Return the text of a message; empty where it was erased."""
    if not body:
        return ""
    return decode_body(body, message_id="", role=role, created_ms=0).text  # type: ignore[arg-type]  # one of the roles


def retry(session: Session, step: Step) -> None:
    """Try a turn again."""
    turn = Turn.objects.get(pk=step.turn())
    turn_retry(
        session.new(), session.turn(turn.id), owner=session.process, model_name=turn.model_name
    )


def commit(session: Session, step: Step) -> None:
    """Answer a turn with what was recorded."""
    turn = Turn.objects.get(pk=step.turn())
    found = Attempt.objects.select_related("plan_input__model")
    old = found.get(pk=UUID(step.text("request")))
    text = _text(step.parts.get("output", b""), "assistant")
    recording = recording_of(old, session.keys)
    answer = Answer(text, turn.finish, _read(session, old, text), recording)  # type: ignore[arg-type]  # the column holds no other words
    made = session.turn(turn.id)
    turn_commit(
        made,
        session.attempts[old.id],
        answer,
        owner=session.process,
        model=spec_of(old),
        is_played=True,
    )
    session.note_message(_answer(turn.id), _answer(made))


def _answer(turn_id: UUID) -> UUID | None:
    rows = Message.objects.filter(turn=turn_id, role="assistant").order_by("-position")
    return rows.values_list("id", flat=True).first()


def _read(session: Session, old: Attempt, text: str) -> Measured:
    """Return what reading the recorded stream measures; without one, what was measured then."""
    recording = recording_of(old, session.keys)
    if recording is None or session.played.erased:
        is_reported = old.prompt_quality == "reported"
        return Measured(
            old.first_token_ms,
            old.prompt_tokens if is_reported else None,
            old.cached_tokens if is_reported else None,
            old.completion_tokens,
            "reported" if old.completion_quality == "reported" else "estimated",
        )
    reading = Reading()
    read = "".join(reading.take(events) for events in recording.events(text))
    if read != text:
        raise NotPlayable(f"the recording of attempt {old.id} is of another text")
    measured = reading.measured(old.completion_tokens or 0)
    return replace(measured, first_token_ms=old.first_token_ms)


def break_off(session: Session, step: Step) -> None:
    """Let a turn fail, or be interrupted, as it did."""
    made = session.turn(step.turn())
    if step.kind == "turn_interrupted":
        turn_interrupt(made, owner=session.process)
        return
    newest = Attempt.objects.filter(turn=made, status="running").first()
    old = session.old_attempt(newest)
    reason = step.text("output")
    broken = _broken(session, old, reason) if old else Broken(reason, "", "", _NOTHING)
    attempt_id = None if newest is None else newest.id
    model = spec_of(old) if old else NOBODY
    turn_fail(made, attempt_id, broken, owner=session.process, model=model)


def _broken(session: Session, old: Attempt, reason: str) -> Broken:
    text = attempts.output_of(old, session.keys) or ""
    detail = attempts.detail_of(old, session.keys) or ""
    recording = recording_of(old, session.keys)
    return Broken(reason, detail, text, _read(session, old, text), recording)


def plan(session: Session, old: Attempt) -> None:
    """Plan the request of an attempt again, and compare it with the one that was sent."""
    turn_id = session.turn(old.turn_id)
    running = Attempt.objects.filter(turn=turn_id, status="running").first()
    before = session.old_attempt(running)
    if running is not None and before is not None:
        # It was planned once more after this one had failed.
        broken = _broken(session, before, before.reason)
        attempt_fail(turn_id, running.id, broken, owner=session.process, model=spec_of(before))
    prepared = attempt_prepare(turn_id, owner=session.process, model=spec_of(old), fresh={})
    seq = old.plan_input.as_of_seq
    if not isinstance(prepared, Prepared):
        raise NotPlayable(f"the request after transition {seq} cannot be planned here")
    session.attempts[old.id] = prepared.attempt_id
    session.played.requests += 1
    sent = sent_request(session.old, old.id)
    if sent is None:
        return
    found = first_difference(sent.request, _recorded_names(session, prepared.request))
    if found is not None:
        session.fail(seq, "request", _told(found))


def _recorded_names(session: Session, request: Request) -> Request:
    """Return a request under the names of the recorded session: notes name messages."""
    names = {new: old for old, new in session.messages.items()}
    messages = []
    for message in request.messages:
        text = message.text
        for new, old in names.items():
            text = text.replace(new, old)
        messages.append(replace(message, text=text))
    return replace(request, messages=tuple(messages))


def _told(found: Difference) -> str:
    return (
        f"it differs from message {found.message}, character {found.offset + 1} on: "
        f"{found.before!r}, and {found.after!r} when played"
    )
