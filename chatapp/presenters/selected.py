"""The panel of what was previously selected: what memory gave back to the model in a turn."""

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext

from chatapp.presenters import memory_words
from chatapp.presenters.context import TurnHead, newest_attempt, turn_head
from chatapp.presenters.reasons import Words
from chatapp.presenters.remembered import Remembered, SelectedView, named_ids
from chatapp.selectors.inspector import LookedAt, Places
from chatapp.selectors.rows import AttemptRow
from statecore.state.fold import Memory


@dataclass(frozen=True, slots=True)
class SelectedGroup:
    """What went back in one line of the notes, or was left out for one reason."""

    label: Words
    items: tuple[SelectedView, ...]


def present_selected(
    looked: LookedAt | None, memory: Memory | None, places: Places, conversation_id: UUID
) -> dict[str, object]:
    """Return the context of `inspector/_selected.html`.

    Args:
        looked: The turn that is looked at.
        memory: Memory as its newest attempt's plan saw it.
        places: Where the messages of its sources stand.
        conversation_id: Whose it is.
    """
    attempt = newest_attempt(looked.turn) if looked else None
    head: TurnHead | None = turn_head(looked) if looked else None
    groups: tuple[SelectedGroup, ...] = ()
    left: tuple[SelectedGroup, ...] = ()
    if attempt is not None and memory is not None:
        groups = tuple(_selected(attempt, Remembered(memory, places)))
        left = tuple(_left_out(attempt, Remembered(memory, places)))
    return {
        "conversation_id": conversation_id,
        "turn": head,
        "groups": groups,
        "left_out": left,
        "left_out_count": sum(len(group.items) for group in left),
        "nothing": "" if groups else _why_nothing(attempt, memory),
    }


def sources_of(looked: LookedAt | None, memory: Memory | None) -> Iterator[str]:
    """Yield the ids of the messages and turns that the panel links to."""
    attempt = newest_attempt(looked.turn) if looked else None
    yield from named_ids((row["id"] for row in attempt.selected) if attempt else (), memory)


def _selected(attempt: AttemptRow, words: Remembered) -> Iterator[SelectedGroup]:
    for code, label in memory_words.SELECTED_GROUPS.items():
        rows = [row for row in attempt.selected if row["group"] == code]
        if rows:
            reasons = memory_words.SELECTED_REASONS
            views = tuple(words.view(row["id"], reasons[row["reason"]], code) for row in rows)
            yield SelectedGroup(label, views)


def _left_out(attempt: AttemptRow, words: Remembered) -> Iterator[SelectedGroup]:
    for code, label in memory_words.LEFT_OUT_REASONS.items():
        rows = [row for row in attempt.left_out if row["reason"] == code]
        if rows:
            yield SelectedGroup(label, tuple(words.view(row["id"], "") for row in rows))


def _why_nothing(attempt: AttemptRow | None, memory: Memory | None) -> str:
    if attempt is None:
        return gettext("Nothing was asked yet.")
    if memory is None or not (memory.active() or memory.fields):
        return gettext("Nothing went back: when this was asked, nothing was remembered yet.")
    return gettext(
        "Nothing went back: what is remembered still stands word for word in the messages that "
        "were sent."
    )
