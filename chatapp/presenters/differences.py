"""How a request differs from the one of the turn before."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from chatapp.presenters import reasons, units
from chatapp.presenters.reasons import Words
from chatapp.presenters.sources import SourceLink, message_links
from chatapp.selectors.inspector import Places
from chatapp.selectors.rows import AttemptRow, SegmentRow
from statecore.tokens import Quality

_NOT_SENT = frozenset({"dropped", "moved_to_summary"})

_Told = tuple[int, tuple[str, ...]]
"""What notes are known by: their tokens and the messages that they come from."""


@dataclass(frozen=True, slots=True)
class Change:
    """One way in which two requests differ."""

    kind: str
    """`added`, `dropped` or `changed`."""
    text: str
    sources: tuple[SourceLink, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """All of them, and what they cost."""

    tokens: str
    changes: tuple[Change, ...]


def present_difference(
    attempt: AttemptRow, before: AttemptRow | None, places: Places
) -> Difference | None:
    """Return how a request differs from an earlier one; None when there is none.

    Messages are compared by their ids and by what was decided about them.

    Args:
        attempt: The request that is looked at.
        before: The last one of the turn before.
        places: Where messages stand.
    """
    if before is None:
        return None
    new, old = _sent(attempt.segments), _sent(before.segments)
    added, dropped = [key for key in new if key not in old], [key for key in old if key not in new]
    changes = [
        *_moved("added", added, places),
        *_moved("dropped", dropped, places),
        *_altered(old, new, places),
        *_notes(before.segments, attempt.segments),
        *_model(before, attempt),
    ]
    return Difference(_token_difference(before, attempt), tuple(changes))


def _sent(segments: Sequence[SegmentRow]) -> dict[str, SegmentRow]:
    """Return the parts with messages that were sent, by message id."""
    return {
        source: segment
        for segment in segments
        if segment["kind"] in {"message", "input"} and segment["decision"] not in _NOT_SENT
        for source in segment["source_ids"]
    }


def _moved(kind: str, ids: Sequence[str], places: Places) -> list[Change]:
    if not ids:
        return []
    count = len(ids)
    words = (
        ngettext("%(count)s message came in", "%(count)s messages came in", count)
        if kind == "added"
        else ngettext("%(count)s message fell out", "%(count)s messages fell out", count)
    )
    return [Change(kind, words % {"count": count}, _each_turn(ids, places))]


def _altered(
    old: dict[str, SegmentRow], new: dict[str, SegmentRow], places: Places
) -> list[Change]:
    found: dict[str, list[str]] = {}
    for key, segment in new.items():
        if key not in old or _form(old[key]) == _form(segment):
            continue
        words = reasons.DECISIONS.get(segment["decision"], segment["decision"])
        if segment["decision"] == old[key]["decision"]:
            words = reasons.segment_reason(segment.get("reason", ""))
        found.setdefault(str(words), []).append(key)
    return [
        Change("changed", gettext("now: %(how)s") % {"how": words}, _each_turn(ids, places))
        for words, ids in found.items()
    ]


def _form(segment: SegmentRow) -> tuple[str, bool]:
    # Why a whole message is sent may change from turn to turn, and another tokenizer counts
    # otherwise: neither changes what is sent.
    return segment["decision"], segment.get("reason") == "masked"


def _each_turn(ids: Sequence[str], places: Places) -> tuple[SourceLink, ...]:
    links = message_links(ids, places)
    return tuple({link.turn_id: link for link in reversed(links)}.values())[::-1]


@dataclass(frozen=True, slots=True)
class _NoteWords:
    """How one message of notes differs, in words."""

    added: Words
    dropped: Words
    changed: Words


_NOTES: dict[bool, _NoteWords] = {
    True: _NoteWords(
        _("settled notes of the application came in"),
        _("settled notes of the application fell out"),
        _("the settled notes of the application were chosen anew"),
    ),
    False: _NoteWords(
        _("notes of the application came in"),
        _("notes of the application fell out"),
        _("the notes of the application changed"),
    ),
}
"""By whether they are the settled ones."""


def _notes(old: Sequence[SegmentRow], new: Sequence[SegmentRow]) -> list[Change]:
    was, now = _notes_in(old), _notes_in(new)
    return [
        change
        for is_settled, words in _NOTES.items()
        if (change := _changed_notes(was.get(is_settled), now.get(is_settled), words))
    ]


def _changed_notes(was: _Told | None, now: _Told | None, words: _NoteWords) -> Change | None:
    if was == now:
        return None
    if was is None:
        return Change("added", str(words.added), ())
    if now is None:
        return Change("dropped", str(words.dropped), ())
    return Change("changed", str(words.changed), ())


def _notes_in(segments: Sequence[SegmentRow]) -> dict[bool, _Told]:
    """Return size and sources of the notes, by whether they are the settled ones."""
    return {
        segment.get("reason") == "settled_notes": (segment["tokens"], tuple(segment["source_ids"]))
        for segment in segments
        if segment["kind"] == "state_block"
    }


def _model(before: AttemptRow, attempt: AttemptRow) -> list[Change]:
    if before.model_name == attempt.model_name:
        return []
    words = gettext("another model: %(new)s instead of %(old)s")
    return [Change("changed", words % {"new": attempt.model_name, "old": before.model_name}, ())]


def _sent_tokens(row: AttemptRow) -> tuple[int, Quality]:
    sent = [segment for segment in row.segments if segment["decision"] not in _NOT_SENT]
    is_guessed = any(segment["quality"] == "estimated" for segment in sent)
    return sum(segment["tokens"] for segment in sent), "estimated" if is_guessed else "exact"


def _token_difference(before: AttemptRow, attempt: AttemptRow) -> str:
    (was, was_quality), (now, now_quality) = map(_sent_tokens, (before, attempt))
    if was == now:
        words = gettext("As many tokens as before: %(now)s.")
        return words % {"now": units.tokens(now, now_quality)}
    by_quality: Quality = "estimated" if "estimated" in {was_quality, now_quality} else "exact"
    values = {
        "by": units.tokens(abs(now - was), by_quality),
        "was": units.tokens(was, was_quality),
        "now": units.tokens(now, now_quality),
    }
    if now > was:
        return gettext("%(by)s tokens more: %(was)s → %(now)s.") % values
    return gettext("%(by)s tokens less: %(was)s → %(now)s.") % values
