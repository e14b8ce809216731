"""A turn as the chat shows it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from django.utils.safestring import SafeString
from django.utils.translation import gettext

from chatapp.presenters import reasons, units
from chatapp.presenters.bars import Bar, present_bar
from chatapp.presenters.branches import line_label
from chatapp.presenters.feedback import Thumb, thumbs
from chatapp.presenters.missing import lacks
from chatapp.presenters.tiers import tier_change
from chatapp.selectors.conversations import Stretch
from chatapp.selectors.rows import AttemptRow, TurnRow
from chatapp.selectors.siblings import Step
from chatapp.web import markdown


@dataclass(frozen=True, slots=True)
class Notice:
    """What the person must know about how a turn ended."""

    kind: Literal["stopped", "failed", "interrupted", "length", "empty"]
    sentence: str
    advice: str
    can_retry: bool
    is_overflow: bool = False
    """It does not fit into the window: what takes the room can be looked at."""


@dataclass(frozen=True, slots=True)
class Meta:
    """One fact below an answer."""

    text: str
    title: str


@dataclass(frozen=True, slots=True)
class TurnView:
    """One input with its answer."""

    id: UUID
    status: str
    depth: int
    input_text: str
    answer_html: SafeString
    """The answer, or what there is of it so far."""
    answer_text: str
    """The Markdown behind it, for copying."""
    notice: Notice | None
    model_name: str
    """Who answered, or who was asked."""
    fallback: str
    """Why somebody else than the chosen model answered; empty when nobody else did."""
    meta: tuple[Meta, ...]
    bar: Bar | None
    accepted_ms: int
    seen: bool
    """False for what broke off and was passed over: no model was told of it."""
    excerpt: str
    attempt_count: int
    tier_change: str
    """From which tier to which, and what it came to; empty where the tier stayed."""
    lacks: str
    """How much that binds was not in the request; empty when all of it was."""
    verbatim_depth: int | None
    """Depth from which on its request holds every message word for word."""
    branch_id: UUID | None
    line: str
    """What the branch is called that it was written on, where that is not the one above."""
    inputs: Step | None
    """Where its input stands among other versions of it; None where there is no other."""
    answers: Step | None
    """The same of its answer."""
    thumbs: tuple[Thumb, Thumb]
    mark: str
    """Equal marks mean equal articles, so that the page leaves what it has alone."""

    @property
    def running(self) -> bool:
        """Whether the answer is being written."""
        return self.status == "running"

    @property
    def can_edit(self) -> bool:
        """Whether the input can be written anew; not while it is answered."""
        return self.seen and not self.running

    @property
    def can_branch(self) -> bool:
        """Whether another answer can be asked for, and branches can leave here."""
        return self.status == "committed"

    @property
    def settled(self) -> bool:
        """Whether there is an answer that can be copied."""
        return self.status == "committed" and bool(self.answer_text)


def present_turn(turn: TurnRow, conversation_id: UUID) -> dict[str, object]:
    """Return the context of `chat/_turn.html`."""
    return {"turn": turn_view(turn), "conversation_id": conversation_id}


def present_older(
    turns: Sequence[TurnRow], conversation_id: UUID, older_before: UUID | None
) -> dict[str, object]:
    """Return the context of `chat/_older.html`: one page of turns, oldest first.

    Args:
        turns: Oldest first.
        conversation_id: Whose they are.
        older_before: The turn to ask for older ones before; None when there are none.
    """
    return {
        "turns": tuple(turn_view(turn) for turn in turns),
        "older_before": older_before,
        "conversation_id": conversation_id,
    }


def present_stretch(
    stretch: Stretch, conversation_id: UUID, newer: UUID | None
) -> dict[str, object]:
    """Return the context of `chat/_newer.html`: turns, and the way to those that follow them.

    Args:
        stretch: The turns.
        conversation_id: Whose they are.
        newer: The turn before which that way ends.
    """
    return {
        **present_older(stretch.turns, conversation_id, stretch.older_before),
        "newer_after": stretch.newer_after,
        "newer": newer,
    }


def turn_view(turn: TurnRow) -> TurnView:
    """Return a turn in words and safe HTML."""
    text = turn.answer_text or turn.partial_text or ""
    last = turn.attempts[-1] if turn.attempts else None
    return TurnView(
        id=turn.id,
        status=turn.status,
        depth=turn.depth,
        input_text=turn.input_text,
        answer_html=markdown.render(text) if text else SafeString(""),
        answer_text=text,
        notice=_notice(turn),
        model_name=last.model_name if last else turn.model_name,
        fallback=_fallback(turn),
        meta=tuple(_meta(last)) if last and turn.status != "running" else (),
        bar=present_bar(last) if last else None,
        accepted_ms=turn.accepted_ms,
        seen=turn.seen,
        excerpt=units.excerpt(turn.input_text),
        attempt_count=len(turn.attempts),
        tier_change=tier_change(last) if last else "",
        lacks=lacks(last) if last and turn.status != "running" else "",
        verbatim_depth=last.verbatim_depth if last else None,
        branch_id=turn.branch_id,
        line="" if turn.line is None else line_label(turn.line),
        inputs=turn.siblings.inputs,
        answers=turn.siblings.answers,
        thumbs=thumbs(turn.thumb),
        mark=_mark(turn),
    )


def _mark(turn: TurnRow) -> str:
    steps = [step for step in (turn.siblings.inputs, turn.siblings.answers) if step]
    places = "".join(f".{step.number}/{step.count}" for step in steps)
    line = "" if turn.line is None else f".{line_label(turn.line)}"
    thumb = f".{turn.thumb:+d}" if turn.thumb else ""
    return f"{turn.status}.{turn.finish}.{len(turn.attempts)}.{turn.seen:d}{places}{line}{thumb}"


def _notice(turn: TurnRow) -> Notice | None:
    match turn.status:
        case "interrupted":
            words = reasons.failure("interrupted")
            return Notice("interrupted", str(words.sentence), str(words.advice), turn.seen)
        case "failed":
            words = reasons.failure(turn.reason)
            is_overflow = turn.reason == "context_overflow"
            return Notice(
                "failed", str(words.sentence), str(words.advice), turn.seen, is_overflow=is_overflow
            )
        case "committed":
            return _notice_of_answer(turn)
        case _:
            return None


def _notice_of_answer(turn: TurnRow) -> Notice | None:
    if turn.finish == "stopped":
        text = gettext("Stopped by you.")
        if not turn.answer_text:
            text = gettext("Stopped by you before any text came.")
        return Notice("stopped", text, "", can_retry=False)
    if turn.finish == "length":
        text = gettext("The answer reached the length limit.")
        return Notice("length", text, gettext("Ask it to go on."), can_retry=False)
    if not turn.answer_text:
        return Notice("empty", gettext("No text was returned."), "", can_retry=False)
    return None


def _fallback(turn: TurnRow) -> str:
    if turn.status != "committed" or not turn.attempts:
        return ""
    answered = turn.attempts[-1].model_name
    broken = [row for row in turn.attempts[:-1] if row.model_name != answered]
    if not broken:
        return ""
    return gettext("Answered by %(model)s because %(first)s %(cause)s.") % {
        "model": answered,
        "first": broken[-1].model_name,
        "cause": reasons.failure(broken[-1].reason).cause,
    }


def _meta(attempt: AttemptRow) -> list[Meta]:
    meta: list[Meta] = []
    if attempt.prompt_tokens is not None and attempt.completion_tokens is not None:
        read = units.tokens(attempt.prompt_tokens, attempt.prompt_quality)
        written = units.tokens(attempt.completion_tokens, attempt.completion_quality)
        text = gettext("%(read)s → %(written)s tokens") % {"read": read, "written": written}
        title = gettext("Tokens read (%(how)s) → tokens written (%(other)s)") % {
            "how": reasons.QUALITIES.get(attempt.prompt_quality, ""),
            "other": reasons.QUALITIES.get(attempt.completion_quality, ""),
        }
        meta.append(Meta(text, title))
    if attempt.first_token_ms is not None:
        wait = units.duration(attempt.first_token_ms)
        text = gettext("first after %(wait)s") % {"wait": wait}
        meta.append(Meta(text, gettext("Time to the first token")))
    return meta
