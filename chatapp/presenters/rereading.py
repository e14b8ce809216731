"""Reading turns again, as the summary panel says it: how far it is, and what came of it."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext, ngettext

from chatapp.presenters.acts import SHOWN_MS
from chatapp.selectors.memory import MemoryPage
from chatapp.selectors.rereading import Rereading
from statecore.state.fold import Memory
from statecore.state.operations import Add

_OFFERED = 100
"""Turns that are offered one by one; older ones are read again with all."""


@dataclass(frozen=True, slots=True)
class AdditionView:
    """One sentence that was added."""

    text: str
    seq: int
    """What an undo names."""
    is_undone: bool


@dataclass(frozen=True, slots=True)
class RereadingView:
    """What is said of the newest wish."""

    is_running: bool
    sentence: str
    additions: tuple[AdditionView, ...]


@dataclass(frozen=True, slots=True)
class TurnChoice:
    """One turn that can be read again."""

    id: str
    depth: int


def present_rereading(found: Rereading | None, memory: Memory, now_ms: int) -> RereadingView | None:
    """Return what is said of the newest wish; None where there was none, or long ago."""
    if found is None or (found.ended_ms is not None and now_ms - found.ended_ms > SHOWN_MS):
        return None
    additions = tuple(_additions(memory, found.since_ms))
    if found.ended_ms is None:
        return RereadingView(is_running=True, sentence=_running(found), additions=additions)
    sentence = " ".join(filter(None, (_outcome(len(additions)), _by_rules(found.unlabelled))))
    return RereadingView(is_running=False, sentence=sentence, additions=additions)


def turn_choices(page: MemoryPage) -> tuple[TurnChoice, ...]:
    """Return the turns that are offered one by one, newest first."""
    deltas = sorted(page.memory.path.deltas, key=lambda delta: -delta.depth)
    return tuple(TurnChoice(delta.turn_id, delta.depth) for delta in deltas[:_OFFERED])


def _additions(memory: Memory, since_ms: int) -> Iterator[AdditionView]:
    for operation in memory.operations:
        action = operation.action
        if isinstance(action, Add) and action.author != "user" and operation.created_ms >= since_ms:
            yield AdditionView(action.text, operation.seq, operation.seq in memory.undone)


def _running(found: Rereading) -> str:
    if found.put_off == found.waiting:
        words = ngettext(
            "%(count)s turn waits to be read again, until its model is there.",
            "%(count)s turns wait to be read again, until their model is there.",
            found.waiting,
        )
    else:
        words = ngettext(
            "%(count)s turn is being read again.",
            "%(count)s turns are being read again.",
            found.waiting,
        )
    return words % {"count": found.waiting}


def _outcome(count: int) -> str:
    if not count:
        return gettext("Read again: nothing new.")
    words = ngettext(
        "Read again: %(count)s sentence was added.",
        "Read again: %(count)s sentences were added.",
        count,
    )
    return words % {"count": count}


def _by_rules(count: int) -> str:
    if not count:
        return ""
    words = ngettext(
        "%(count)s turn was read by rules alone: no model could label it.",
        "%(count)s turns were read by rules alone: no model could label them.",
        count,
    )
    return words % {"count": count}
