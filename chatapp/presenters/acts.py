"""What a person did to memory last, in one line with its undo."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from django.utils.translation import gettext

from chatapp.presenters import units
from statecore.state.fold import Memory
from statecore.state.operations import (
    Action,
    Add,
    Delete,
    Edit,
    Operation,
    Pin,
    RemoveField,
    SetField,
    Undo,
)

Panel = Literal["summary", "session"]

SHOWN_MS = 600_000
"""After ten minutes nobody looks for the undo of a slip."""


@dataclass(frozen=True, slots=True)
class LastAct:
    """The newest act that one panel is about."""

    text: str
    seq: int
    """What an undo names."""
    is_undo: bool
    """The act took something back itself: the button does it again."""


def last_act(memory: Memory, panel: Panel, now_ms: int) -> LastAct | None:
    """Return the newest act on a panel's matter; None when it is too long ago to be shown."""
    by_seq = {operation.seq: operation for operation in memory.operations}
    mine = [
        operation
        for operation in by_seq.values()
        if _panel_of(operation, by_seq) == panel and not _is_found(operation.action)
    ]
    newest = max(mine, key=lambda operation: operation.seq, default=None)
    if newest is None or now_ms - newest.created_ms > SHOWN_MS:
        return None
    return LastAct(_words(newest, by_seq), newest.seq, isinstance(newest.action, Undo))


def _is_found(action: Action) -> bool:
    """Return whether it comes from reading a turn again, which has a place of its own."""
    return isinstance(action, Add) and action.author != "user"


def _panel_of(operation: Operation, by_seq: Mapping[int, Operation]) -> Panel:
    action = operation.action
    if isinstance(action, Undo) and action.seq in by_seq:
        return _panel_of(by_seq[action.seq], by_seq)
    return "session" if isinstance(action, SetField | RemoveField) else "summary"


def _words(operation: Operation, by_seq: Mapping[int, Operation]) -> str:
    words, about = _sentence(operation.action, by_seq)
    return words % {"about": about}


def _sentence(action: Action, by_seq: Mapping[int, Operation]) -> tuple[str, str]:
    match action:
        case Undo(seq=seq):
            known = by_seq.get(seq)
            undone = _words(known, by_seq) if known else gettext("an earlier act")
            return gettext("Taken back: %(about)s"), undone
        case SetField(field=field):
            return gettext("Set: %(about)s"), field.key
        case RemoveField(key=key):
            return gettext("Removed: %(about)s"), key
        case _:
            return _quoted(action)


def _quoted(action: Edit | Delete | Pin | Add) -> tuple[str, str]:
    if isinstance(action, Edit):
        return gettext("Changed: “%(about)s”"), units.excerpt(action.text)
    if isinstance(action, Add):
        return gettext("Added: “%(about)s”"), units.excerpt(action.text)
    about = units.excerpt(action.target.text)
    if isinstance(action, Delete):
        return gettext("Deleted: “%(about)s”"), about
    words = gettext("Pinned: “%(about)s”") if action.pinned else gettext("Unpinned: “%(about)s”")
    return words, about
