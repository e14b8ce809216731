"""Turns that memory has not learned and the window does not show: sentences of them stand in."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from statecore.context.block_text import Item, quoted
from statecore.context.masks import Masks
from statecore.context.shown import Shown
from statecore.context.state import PathTurn, State
from statecore.language.secrets import has_secret
from statecore.language.sentences import sentences
from statecore.memory.ledger import EntryKind, Span
from statecore.memory.rules import ruled
from statecore.messages import Message

WAITING_CHARS = 32_000
"""Of turns that are not learned yet so much is read, the newest first, and as much of the rest, the
oldest first: who sets rules does so at the beginning."""

MESSAGE_CHARS = 4_000
"""Of one message; what comes later in a pasted document would not fit in anyway."""

_KNOWN = 2_048
_UNRULED = 2
_FIRST: frozenset[EntryKind | None] = frozenset({"rule", "goal", "decision", "agreement"})


class _Quotable(NamedTuple):
    """A sentence that may stand for its message."""

    start: int
    end: int
    text: str
    rank: int
    """0: a rule or what the conversation is for; 1: else kept by the rules; 2: merely the first."""


def waits(turn: PathTurn, shown: Shown) -> bool:
    """Return whether memory has not learned a turn that the window does not show."""
    return not turn.is_learned and not shown.has_turn(turn.id)


def waiting(state: State, shown: Shown, masks: Masks) -> Iterator[Item]:
    """Yield what stands for the turns that wait: those with rules of the user come first.

    The ledger has nothing of these turns, so a prohibition of an older one comes before the first
    words of a newer one. Among equals the newest come first.
    """
    told = [(turn, *_told(turn, masks)) for turn in _read(state, shown)]
    for turn, words, _ in sorted(told, key=lambda found: found[2]):
        if words:
            ids = tuple(message.id for message in _asked(turn))
            text = " ".join(quoted(found) for found in words)
            yield Item(f"waiting:{turn.id}", "waiting", "waiting", text, ids)


def waits_before(state: State) -> bool:
    """Return whether there are turns before the loaded ones that memory has not learned."""
    return any(not found.read_for for found in state.older)


def _read(state: State, shown: Shown) -> Iterator[PathTurn]:
    """Yield the turns that stand in, newest first."""
    hidden = [turn for turn in reversed(state.turns) if waits(turn, shown)]
    hidden += [
        PathTurn(found.turn_id, found.depth, (found.message,), is_learned=False)
        for found in reversed(state.older)
        if not found.read_for
    ]
    newest = _fitting(hidden)
    yield from hidden[:newest]
    rest = hidden[newest:]
    yield from rest[len(rest) - _fitting(rest[::-1]) :]


def _fitting(turns: Sequence[PathTurn]) -> int:
    """Return how many of the first turns are read."""
    left = WAITING_CHARS
    for number, turn in enumerate(turns):
        left -= sum(min(len(message.text), MESSAGE_CHARS) for message in _asked(turn))
        if left < 0:
            return number
    return len(turns)


def _asked(turn: PathTurn) -> list[Message]:
    return [message for message in turn.messages if message.role == "user"]


def _told(turn: PathTurn, masks: Masks) -> tuple[list[str], int]:
    """Return the sentences of a turn, and the best of their ranks."""
    kept = [
        found
        for message in _asked(turn)
        for found in _quotable(message.text[: MESSAGE_CHARS + 1])
        if not masks.touches(Span(message.id, found.start, found.end))
        and not masks.holds_removed(found.text)
    ]
    return [found.text for found in kept], min((found.rank for found in kept), default=_UNRULED)


# A turn may wait for long, and each plan until then reads it again.
@lru_cache(maxsize=_KNOWN)
def _quotable(begin: str) -> tuple[_Quotable, ...]:
    """Return the leading sentence of a message and those that the rules would keep."""
    found = sentences(begin[:MESSAGE_CHARS])
    if len(begin) > MESSAGE_CHARS:
        # The last one may have been cut.
        found = found[:-1]
    told = (
        _Quotable(at.start, at.end, at.text, _rank(ruled(at.text).kind))
        for at in found
        if not has_secret(at.text)
    )
    first = found[0].start if found else 0
    return tuple(at for at in told if at.rank < _UNRULED or at.start == first)


def _rank(kind: EntryKind | None) -> int:
    if kind is None:
        return _UNRULED
    return 0 if kind in _FIRST else 1
