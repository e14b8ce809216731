"""What a committed turn teaches: takes the oldest turn that waits, and writes its delta once."""

import hashlib
import json
from dataclasses import asdict, dataclass
from uuid import UUID

from django.db import IntegrityError, transaction

from chatapp.clock import now_ms
from chatapp.keyring import SpaceKeys, keys_of
from chatapp.models import Attempt, MemoryDelta, Turn, Usage
from chatapp.services.commits import cost_usd
from chatapp.services.memory_models import Chosen, memory_model
from chatapp.services.transitions import Change, ConversationGone, append, claim
from chatapp.store import answers, checkpoints, outbox
from chatapp.store.memory import insert_delta, read_memory, waiting_turns
from chatapp.store.said import texts_of
from chatapp.wiring import LabelAnswer, count_reference, label_prompt
from statecore.memory.labels import CheckedLabels, LabelQuestion, checked
from statecore.models import ModelSpec
from statecore.state.codec import encode_delta
from statecore.state.learning import TurnTexts, delta_of, question_for
from statecore.state.operations import Delta

BATCH = 50
PAUSE_MS = 5_000
LONGEST_PAUSE_MS = 300_000
TRIES = 8
"""After so many the turn is learned by rules alone."""

KIND = outbox.MEMORY_DELTA


@dataclass(frozen=True, slots=True)
class Piece:
    """One turn to be learned, claimed for this worker."""

    turn: TurnTexts
    conversation_id: UUID
    parent_id: UUID | None
    keys: SpaceKeys
    held_ms: int
    """Until when the claim holds."""
    tries: int
    """How often it was put off."""
    question: LabelQuestion | None
    """None where rules settle everything."""
    chosen: Chosen
    kept: CheckedLabels | None
    """What was answered to the same question before; not looked for where a turn is read again."""
    kind: str = KIND
    """Of the work in the outbox."""

    @property
    def turn_id(self) -> UUID:
        """The turn."""
        return UUID(self.turn.turn_id)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a delta is made from."""

    labels: CheckedLabels | None
    """None where rules alone decide."""
    model: str = ""
    note: str = ""
    """Why no model has labelled it, as a code."""


def learning_due() -> list[UUID]:
    """Return the turns that wait to be learned and that nobody works at, oldest first."""
    return outbox.waiting(KIND, now_ms(), BATCH)


def learning_next(turn_id: UUID) -> Piece | None:
    """Claim the oldest turn that waits on the path of a turn.

    Returns:
        None when nothing waits there, or when the oldest one is somebody else's or put off: later
        ones wait for it, because they may correct it.
    """
    turn = Turn.objects.select_related("conversation", "branch__tip").filter(pk=turn_id).first()
    if turn is None or turn.status != Turn.Status.COMMITTED:
        return None
    if turn.conversation.deleted_ms is not None:
        outbox.done(turn_id, KIND, now_ms())
        return None
    keys = keys_of(turn.conversation.key_space_id)
    newest = turn.branch.tip
    tip = newest.id if newest is not None and newest.depth > turn.depth else turn_id
    as_of = turn.conversation.last_seq
    waiting = waiting_turns(turn.conversation_id, tip, keys, as_of=as_of)
    if turn_id not in waiting and tip != turn_id:
        # Its branch may have gone another way since: what was left behind is learned, too.
        own = waiting_turns(turn.conversation_id, turn_id, keys, as_of=as_of)
        waiting = own if turn_id in own else waiting
    if turn_id not in waiting:
        outbox.done(turn_id, KIND, now_ms())
    if not waiting:
        return None
    oldest = waiting[0]
    held_ms = _claimed(turn.conversation_id, oldest)
    if held_ms is None:
        return None
    try:
        return piece_of(oldest, keys, held_ms)
    except Exception:
        put_off(oldest, KIND, outbox.tries(oldest, KIND))
        raise


def _claimed(conversation_id: UUID, turn_id: UUID) -> int | None:
    held_ms = outbox.claim(turn_id, KIND, now_ms())
    if held_ms is None:
        # A turn that was committed before memory was there has left no such work.
        outbox.put(conversation_id, turn_id, now_ms(), (KIND,))
        held_ms = outbox.claim(turn_id, KIND, now_ms())
    return held_ms


def piece_of(turn_id: UUID, keys: SpaceKeys, held_ms: int, kind: str = KIND) -> Piece:
    """Return a turn that was claimed, with what is asked about it."""
    turn = Turn.objects.select_related("conversation").get(pk=turn_id)
    (texts,) = texts_of([turn_id], keys)
    conversation = turn.conversation
    memory = read_memory(conversation.id, turn.parent_id, keys, as_of=conversation.last_seq)
    question = question_for(texts, memory, label_prompt())
    chosen = memory_model(_answered_by(turn)) if question else Chosen(None, is_ready=False)
    return Piece(
        turn=texts,
        conversation_id=conversation.id,
        parent_id=turn.parent_id,
        keys=keys,
        held_ms=held_ms,
        tries=outbox.tries(turn_id, kind),
        question=question,
        chosen=chosen,
        kept=_kept(question, chosen.model, keys) if kind == KIND else None,
        kind=kind,
    )


def _kept(
    question: LabelQuestion | None, model: ModelSpec | None, keys: SpaceKeys
) -> CheckedLabels | None:
    if question is None or model is None:
        return None
    text = answers.kept_answer(_key(question, model), keys)
    found = None if text is None else checked(question, text)
    return found if isinstance(found, CheckedLabels) else None


def _answered_by(turn: Turn) -> str:
    ended = Attempt.objects.filter(turn=turn, status__in=("succeeded", "stopped"))
    return ended.order_by("-ordinal").values_list("model_name", flat=True).first() or ""


def _key(question: LabelQuestion, model: ModelSpec) -> bytes:
    return question.key_bytes() + f"\n{model.name}\n{model.remote_name}".encode()


def learning_renew(piece: Piece, held_ms: int) -> int | None:
    """Hold a claim for longer while a model works; None when it was lost."""
    return outbox.renew(piece.turn_id, piece.kind, held_ms, now_ms())


def learning_put_off(piece: Piece, at_least_ms: int = 0) -> None:
    """Put a turn off, each time for longer."""
    put_off(piece.turn_id, piece.kind, piece.tries, at_least_ms)


def put_off(turn_id: UUID, kind: str, tries: int, at_least_ms: int = 0) -> None:
    """Put a piece of work off that was put off so many times before."""
    pause_ms = min(PAUSE_MS * 2 ** min(tries, TRIES), LONGEST_PAUSE_MS)
    outbox.postpone(turn_id, kind, now_ms() + max(pause_ms, at_least_ms))


def learning_keep(
    piece: Piece, question: LabelQuestion, model: ModelSpec, answer: LabelAnswer
) -> CheckedLabels | None:
    """Book what a call has cost, and keep its answer, so that nobody pays for it twice.

    Returns:
        What counts of the answer; None when it cannot be read, and is not kept.
    """
    labels = checked(question, answer.text)
    now = now_ms()
    with transaction.atomic():
        _book_usage(piece.keys, question, model, answer, now)
        if not isinstance(labels, CheckedLabels):
            return None
        key = _key(question, model)
        answers.keep_answer(piece.conversation_id, key, answer.text, piece.keys, now)
    return labels


def _book_usage(
    keys: SpaceKeys, question: LabelQuestion, model: ModelSpec, answer: LabelAnswer, now: int
) -> None:
    usage = answer.usage
    prompt = usage.prompt if usage else count_reference(question.system + question.user)
    completion = usage.completion if usage else count_reference(answer.text)
    Usage.objects.create(
        key_space_id=keys.id,
        purpose="memory",
        model_name=model.name,
        prompt_tokens=prompt,
        completion_tokens=completion,
        quality="reported" if usage else "estimated",
        cost_usd=cost_usd(model, prompt, completion),
        created_ms=now,
    )


def learning_write(piece: Piece, verdict: Verdict) -> bool:
    """Write what a turn taught, with its transition and the end of the work, all or nothing.

    Returns:
        False when another worker was first or the conversation is gone; nothing was written then.
    """
    try:
        with transaction.atomic():
            _write(piece, verdict)
    except ConversationGone:
        pass
    except IntegrityError:
        if not MemoryDelta.objects.filter(turn_id=piece.turn_id).exists():
            raise
    else:
        return True
    outbox.done(piece.turn_id, KIND, now_ms())
    return False


def learning_repeat(conversation_id: UUID, delta: Delta, keys: SpaceKeys) -> None:
    """Write what a turn taught when its session was recorded, with its transition.

    Args:
        conversation_id: the one in which the session is played.
        delta: under the names of that conversation.
        keys: of the owner.
    """
    now, turn_id = now_ms(), UUID(delta.turn_id)
    with transaction.atomic():
        head = claim(conversation_id)
        change = Change("memory_learned", turn_id, output=encode_delta(delta))
        append(conversation_id, keys, change, head, now)
        insert_delta(conversation_id, delta, keys, prompt_hash="", now_ms=now)
        checkpoints.write_if_due(turn_id, keys)


def _write(piece: Piece, verdict: Verdict) -> None:
    conversation_id, keys, now = piece.conversation_id, piece.keys, now_ms()
    # From here on all other writers wait: what people have deleted until now is seen.
    head = claim(conversation_id)
    memory = read_memory(conversation_id, piece.parent_id, keys, as_of=head.seq - 1)
    delta = delta_of(
        piece.turn, memory, verdict.labels, seq=head.seq, model=verdict.model, note=verdict.note
    )
    body = encode_delta(delta)
    append(conversation_id, keys, Change("memory_learned", piece.turn_id, output=body), head, now)
    prompt_hash = _prompt_hash() if verdict.model else ""
    insert_delta(conversation_id, delta, keys, prompt_hash=prompt_hash, now_ms=now)
    checkpoints.write_if_due(piece.turn_id, keys)
    outbox.done(piece.turn_id, KIND, now)


def _prompt_hash() -> str:
    text = json.dumps(asdict(label_prompt()), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
