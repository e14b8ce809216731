"""The attempts panel: each model call of the newest turns, in words and numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext

from chatapp.presenters import reasons, units
from chatapp.presenters.bars import Bar, present_bar
from chatapp.presenters.segments import SegmentView, count_label, present_segments
from chatapp.selectors.rows import AttemptRow, TurnRow
from statecore.tokens import Quality


@dataclass(frozen=True, slots=True)
class Figure:
    """One labelled number; quality and its meaning are empty where they say nothing."""

    label: str
    value: str
    quality: str = ""
    meaning: str = ""


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
    note: str
    """That it was planned again for a smaller window; empty where it was not."""
    figures: tuple[Figure, ...]
    bar: Bar | None
    segments: tuple[SegmentView, ...]
    segments_label: str
    detail: str
    output_text: str


@dataclass(frozen=True, slots=True)
class TriedTurn:
    """One turn of the panel."""

    id: UUID
    excerpt: str
    note: str
    """How many of its attempts failed; empty when none did."""
    attempts: tuple[AttemptView, ...]
    """Newest first; empty for a turn that is fetched when a person opens it."""


def present_attempts(
    turns: Sequence[TurnRow], chosen: TurnRow | None, conversation_id: UUID
) -> dict[str, object]:
    """Return the context of `inspector/_attempts.html`, newest turn first.

    Only one turn has its attempts: a request lists every message, so a panel with those of all
    turns would grow with the square of the conversation.

    Args:
        turns: Oldest first, as a page has them.
        chosen: The turn that is looked at; None when nothing was asked.
        conversation_id: Whose they are.
    """
    tried = [turn for turn in reversed(turns) if turn.attempts]
    if chosen is not None and chosen.attempts:
        others = [turn for turn in tried if turn.id != chosen.id]
        shown = (_tried(chosen, whole=True), *(_tried(turn, whole=False) for turn in others))
    else:
        shown = tuple(_tried(turn, whole=False) for turn in tried)
    return {"conversation_id": conversation_id, "tried_turns": shown}


def present_attempts_turn(turn: TurnRow, conversation_id: UUID) -> dict[str, object]:
    """Return the context of `inspector/_attempts_turn.html`: one turn with its attempts."""
    tried = _tried(turn, whole=True)
    return {"conversation_id": conversation_id, "tried": tried, "is_fetched": True}


def _tried(turn: TurnRow, *, whole: bool) -> TriedTurn:
    failed = sum(row.status in {"failed", "interrupted"} for row in turn.attempts)
    return TriedTurn(
        id=turn.id,
        excerpt=units.excerpt(turn.input_text),
        note=gettext("%(count)s failed") % {"count": failed} if failed else "",
        attempts=_views(turn.attempts) if whole else (),
    )


def _views(rows: Sequence[AttemptRow]) -> tuple[AttemptView, ...]:
    before = (None, *rows)
    views = [attempt_view(row, earlier) for row, earlier in zip(rows, before, strict=False)]
    return tuple(reversed(views))


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


def attempt_view(row: AttemptRow, earlier: AttemptRow | None = None) -> AttemptView:
    """Return one attempt in words; the one before it tells why it was made."""
    words = reasons.failure(row.reason)
    broken = row.status in {"failed", "interrupted"}
    return AttemptView(
        id=row.id,
        ordinal=row.ordinal,
        model_name=row.model_name,
        outcome=outcome_of(row),
        outcome_kind=row.status,
        advice=str(words.advice) if broken else "",
        note=_planned_again(row, earlier),
        figures=tuple(_figures(row)),
        bar=present_bar(row),
        segments=present_segments(row.segments, {}),
        segments_label=count_label(len(row.segments)),
        detail=row.detail or "",
        output_text=row.output_text or "",
    )


def _planned_again(row: AttemptRow, earlier: AttemptRow | None) -> str:
    if earlier is None or earlier.reason != "context_overflow":
        return ""
    # Who presses Retry asks for the whole window once more.
    if earlier.model_name != row.model_name or earlier.window_tokens <= row.window_tokens:
        return ""
    return gettext(
        "Planned again for a window of %(tokens)s tokens, because the provider said that the"
        " request before was too long."
    ) % {"tokens": units.tokens(row.window_tokens)}


def outcome_of(row: AttemptRow) -> str:
    """Return what came of an attempt in one sentence."""
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
    if row.planned_tokens is not None and row.prompt_quality == "reported":
        label = gettext("Tokens planned")
        figures.append(_token_figure(label, row.planned_tokens, row.planned_quality))
    if row.prompt_tokens is not None:
        label = gettext("Tokens read")
        figures.append(_token_figure(label, row.prompt_tokens, row.prompt_quality))
    if row.cached_tokens is not None:
        label = gettext("of them from its cache")
        figures.append(_token_figure(label, row.cached_tokens, "reported"))
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
        value=units.tokens(count, quality),
        quality=str(reasons.QUALITIES.get(quality, "")),
        meaning=str(reasons.QUALITY_MEANINGS.get(quality, "")),
    )
