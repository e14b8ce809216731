"""Where the window starts: it moves in steps, so that consecutive requests share their start."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from statecore.context.state import Previous, State

FEWEST_TURNS = 5
"""Of the newest turns so many stay, however full the window is."""

WINDOW_TIER = 2


@dataclass(frozen=True, slots=True)
class WindowRoom:
    """What history may take up, in guarded tokens, each less what is always sent."""

    settled_tokens: int
    """A window is filled up to here, where its last five turns leave it room to."""
    stepped_tokens: int
    """A step frees it down to here."""
    bound_tokens: int
    """A window of which five turns alone are over `settled_tokens` is filled up to here, and turns
    that memory has not learned stay up to here."""


def window_start(
    turn_tokens: Sequence[int], learned: Sequence[bool], room: WindowRoom, kept: int | None
) -> int:
    """Return the index of the first turn to send.

    Args:
        turn_tokens: guarded tokens of each turn on offer, oldest first.
        learned: of each turn, whether memory holds what it taught.
        room: what they may take up.
        kept: index at which the plan before started, when it still counts.
    """
    from_here = [*accumulate(reversed(turn_tokens), initial=0)][::-1]
    latest = max(0, len(turn_tokens) - FEWEST_TURNS)
    start = _first_within(from_here, room.stepped_tokens, latest)
    if kept is not None and kept <= latest and from_here[kept] <= _most(from_here, room, kept):
        start = kept
    return _with_waiting(from_here, learned, room, kept, start)


def _most(from_here: Sequence[int], room: WindowRoom, kept: int) -> int:
    """Return up to where a start is kept, by what the step before it had to leave."""
    left = from_here[kept] - from_here[min(kept + FEWEST_TURNS, len(from_here) - 1)]
    if left > room.settled_tokens:
        # Else the window would move with every turn, and nothing of the history be read from a
        # prompt cache.
        return room.bound_tokens
    freed = room.settled_tokens - room.stepped_tokens
    return max(room.settled_tokens, min(left + freed, room.bound_tokens))


def last_start(
    turn_tokens: Sequence[int], latest: int, settled_tokens: int, bound_tokens: int
) -> int:
    """Return the index of the first turn to send where not even a window of turns fits.

    Args:
        turn_tokens: guarded tokens of each turn on offer, oldest first.
        latest: index from which on they stay if they fit.
        settled_tokens: turns before it stay as long as all are within this.
        bound_tokens: what turns may take up at most.
    """
    from_here = [*accumulate(reversed(turn_tokens), initial=0)][::-1]
    start = _first_within(from_here, min(settled_tokens, bound_tokens), latest)
    # Nothing at all is within any bound.
    return next(at for at in range(start, len(from_here)) if from_here[at] <= bound_tokens)


def _with_waiting(
    from_here: Sequence[int],
    learned: Sequence[bool],
    room: WindowRoom,
    kept: int | None,
    start: int,
) -> int:
    """Return an earlier start, so that turns that memory does not hold yet are in the window."""
    waiting = [index for index in range(start) if not learned[index]]
    if not waiting:
        return start
    if kept is not None and kept <= waiting[-1] and from_here[kept] <= room.bound_tokens:
        return kept
    # A step here too: where memory is down for long, the start would move with every turn.
    freed = room.bound_tokens - (room.settled_tokens - room.stepped_tokens)
    for limit in (freed, room.bound_tokens):
        for index in waiting:
            if from_here[index] <= limit:
                return index
    return start


def _first_within(from_here: Sequence[int], limit_tokens: int, latest: int) -> int:
    fitting = (index for index in range(latest) if from_here[index] <= limit_tokens)
    return next(fitting, latest)


def kept_start(state: State, previous: Previous | None) -> int | None:
    """Return the index at which the window before started, or None when it says nothing here.

    Args:
        state: with the turns on offer.
        previous: the plan before, where it still counts; only a window of turns has a start.
    """
    if previous is None or previous.tier != WINDOW_TIER:
        return None
    depths = [turn.depth for turn in state.turns]
    start = previous.window_start_depth
    return depths.index(start) if start in depths else None
