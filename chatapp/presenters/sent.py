"""What was sent: each attempt of the newest turns, in words and numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext, ngettext

from chatapp.presenters import reasons, units
from chatapp.presenters.bars import Bar, present_bar
from chatapp.selectors.rows import AttemptRow, SegmentRow, TurnRow
from statecore.tokens import Quality


@dataclass(frozen=True, slots=True)
class Figure:
    """One labelled number; quality and its meaning are empty where they say nothing."""

    label: str
    value: str
    quality: str = ""
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class SegmentView:
    """One part of a request."""

    kind: str
    label: str
    role: str
    tokens: str
    decision: str
    decision_label: str
    reason: str


@dataclass(frozen=True, slots=True)
class AttemptView:
    """One model call."""

    id: UUID
    ordinal: int
    model_name: str
    outcome: str
    outcome_kind: str
    """`succeeded`, `running`, `stopped`, `failed` or `interrupted`."""
    advice: str
    figures: tuple[Figure, ...]
    bar: Bar | None
    full_history: str
    """What the whole history would have taken; empty when it was sent."""
    segments: tuple[SegmentView, ...]
    segments_label: str
    detail: str
    output_text: str


@dataclass(frozen=True, slots=True)
class SentTurn:
    """One turn of the panel."""

    id: UUID
    excerpt: str
    attempts: tuple[AttemptView, ...]
    """Newest first; empty for a turn that is fetched when a person opens it."""


def present_sent(turns: Sequence[TurnRow], conversation_id: UUID) -> dict[str, object]:
    """Return the context of `inspector/_sent.html`, newest turn first.

    Only the newest turn has its attempts: a request lists every message, so a panel with those
    of all turns would grow with the square of the conversation.

    Args:
        turns: Oldest first, as a page has them.
        conversation_id: Whose they are.
    """
    tried = [turn for turn in reversed(turns) if turn.attempts]
    return {
        "conversation_id": conversation_id,
        "sent_turns": (
            *(_whole(turn) for turn in tried[:1]),
            *(SentTurn(turn.id, units.excerpt(turn.input_text), ()) for turn in tried[1:]),
        ),
    }


def present_sent_turn(turn: TurnRow, conversation_id: UUID) -> dict[str, object]:
    """Return the context of `inspector/_sent_turn.html`: one turn with its attempts."""
    return {"conversation_id": conversation_id, "sent": _whole(turn), "is_fetched": True}


def _whole(turn: TurnRow) -> SentTurn:
    attempts = tuple(attempt_view(row) for row in reversed(turn.attempts))
    return SentTurn(turn.id, units.excerpt(turn.input_text), attempts)


def present_request(body: str, *, proven: bool | None) -> dict[str, object]:
    """Return the context of `inspector/_request.html`.

    Args:
        body: The request as readable JSON.
        proven: Whether it matches the commitment made before it was sent; None when erased.
    """
    if proven is None:
        proof = gettext("What was sent has been erased; only the proof of it is left.")
    elif proven:
        proof = gettext("Proved: this is what was sent, byte for byte.")
    else:
        proof = gettext("Warning: this is not what was sent; stored data was changed.")
    return {"request_text": body, "proven": proven, "proof": proof}


def attempt_view(row: AttemptRow) -> AttemptView:
    """Return one attempt in words."""
    words = reasons.failure(row.reason)
    broken = row.status in {"failed", "interrupted"}
    count = len(row.segments)
    return AttemptView(
        id=row.id,
        ordinal=row.ordinal,
        model_name=row.model_name,
        outcome=_outcome(row),
        outcome_kind=row.status,
        advice=str(words.advice) if broken else "",
        figures=tuple(_figures(row)),
        bar=present_bar(row),
        full_history=_full_history(row),
        segments=tuple(_segment(segment) for segment in row.segments),
        segments_label=ngettext("%(count)s part", "%(count)s parts", count) % {"count": count},
        detail=row.detail or "",
        output_text=row.output_text or "",
    )


def _outcome(row: AttemptRow) -> str:
    match row.status:
        case "running":
            return gettext("Being written.")
        case "succeeded" if row.finish == "length":
            return gettext("Answered, up to the length limit.")
        case "succeeded":
            return gettext("Answered.")
        case "stopped":
            return gettext("Stopped by you.")
        case "interrupted":
            return str(reasons.failure("interrupted").sentence)
        case "failed":
            return str(reasons.failure(row.reason).sentence)


def _figures(row: AttemptRow) -> list[Figure]:
    figures: list[Figure] = []
    if row.prompt_tokens is not None:
        label = gettext("Tokens read")
        figures.append(_token_figure(label, row.prompt_tokens, row.prompt_quality))
    if row.cached_tokens is not None:
        label = gettext("of them from its cache")
        figures.append(Figure(label, units.tokens(row.cached_tokens)))
    if row.completion_tokens is not None:
        label = gettext("Tokens written")
        figures.append(_token_figure(label, row.completion_tokens, row.completion_quality))
    if row.first_token_ms is not None:
        figures.append(Figure(gettext("First token after"), units.duration(row.first_token_ms)))
    if row.ended_ms is not None:
        whole = units.duration(max(0, row.ended_ms - row.started_ms))
        figures.append(Figure(gettext("Took"), whole))
    if row.cost_usd is not None:
        figures.append(Figure(gettext("Cost"), f"${row.cost_usd:.4f}"))
    return figures


def _token_figure(label: str, count: int, quality: Quality | str) -> Figure:
    return Figure(
        label=label,
        value=units.tokens(count),
        quality=str(reasons.QUALITIES.get(quality, "")),
        meaning=str(reasons.QUALITY_MEANINGS.get(quality, "")),
    )


def _full_history(row: AttemptRow) -> str:
    if not row.dropped_turns:
        return ""
    count = row.dropped_turns
    dropped = ngettext(
        "%(count)s older turn was not sent.", "%(count)s older turns were not sent.", count
    ) % {"count": count}
    if row.rho_full is None:
        return dropped
    whole = gettext("The whole conversation would take %(share)s of the window.") % {
        "share": units.percent(row.rho_full)
    }
    return f"{dropped} {whole}"


def _segment(segment: SegmentRow) -> SegmentView:
    kind, decision = segment["kind"], segment["decision"]
    return SegmentView(
        kind=kind,
        label=str(reasons.KINDS.get(kind, kind)),
        role=str(reasons.ROLES.get(segment["role"], segment["role"])) if kind == "message" else "",
        tokens=units.tokens(segment["tokens"], segment["quality"]),
        decision=decision,
        decision_label=str(reasons.DECISIONS.get(decision, decision)),
        reason=str(reasons.segment_reason(segment.get("reason", ""))),
    )
